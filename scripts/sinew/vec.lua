-- Vectors and quaternions as plain numbers: the functions take and return x, y, z (, w), so they allocate nothing, and
-- the garbage collector has nothing to do, however often you call them.
--
--   local vec = require "sinew.vec"
--   local p = hero.position
--   local x, y, z = vec.normalize(p.x, p.y, p.z)
--
-- Pass a table to Sinew's fields: hero.position = { x, y, z }. Angles are radians, quaternions x, y, z, w.
local _, own = ... -- what Sinew gives its modules
---@class sinew.Vec
local vec = {}

function vec.dot(ax, ay, az, bx, by, bz) return ax * bx + ay * by + az * bz end

function vec.cross(ax, ay, az, bx, by, bz) return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx end

function vec.length(x, y, z) return math.sqrt(x * x + y * y + z * z) end

function vec.distance(ax, ay, az, bx, by, bz) return vec.length(bx - ax, by - ay, bz - az) end

-- Of length 1; a vector of no length stays what it is.
function vec.normalize(x, y, z)
  local length = vec.length(x, y, z)
  if length == 0 then return x, y, z end
  return x / length, y / length, z / length
end

-- At most `most` long.
function vec.limit(x, y, z, most)
  local length = vec.length(x, y, z)
  if length <= most then return x, y, z end
  local factor = most / length
  return x * factor, y * factor, z * factor
end

-- Characters look along +z, so this is the turn about y that faces along a direction.
function vec.heading(x, z) return math.atan(x, z) end

-- The way from one angle to another, the shorter way round: between -pi and pi.
function vec.turn(from, to)
  local way = (to - from) % (2 * math.pi)
  return way > math.pi and way - 2 * math.pi or way
end

-- ---- quaternions ----

function vec.axis_angle(x, y, z, angle)
  x, y, z = vec.normalize(x, y, z)
  local s = math.sin(angle / 2)
  return x * s, y * s, z * s, math.cos(angle / 2)
end

-- First b, then a.
function vec.mul(ax, ay, az, aw, bx, by, bz, bw)
  return aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz
end

function vec.conjugate(x, y, z, w) return -x, -y, -z, w end

-- A vector, turned: v + 2 q × (q × v + w v).
function vec.rotate(qx, qy, qz, qw, x, y, z)
  local ux, uy, uz = vec.cross(qx, qy, qz, x, y, z)
  local vx, vy, vz = vec.cross(qx, qy, qz, ux + qw * x, uy + qw * y, uz + qw * z)
  return x + 2 * vx, y + 2 * vy, z + 2 * vz
end

-- Between two rotations, the shorter way; of constant speed to within a few per cent.
function vec.nlerp(ax, ay, az, aw, bx, by, bz, bw, t)
  local s = ax * bx + ay * by + az * bz + aw * bw < 0 and -t or t
  local x, y, z, w = ax * (1 - t) + bx * s, ay * (1 - t) + by * s, az * (1 - t) + bz * s, aw * (1 - t) + bw * s
  local length = math.sqrt(x * x + y * y + z * z + w * w)
  if length == 0 then return ax, ay, az, aw end
  return x / length, y / length, z / length, w / length
end

return own.dress("vec", vec)
