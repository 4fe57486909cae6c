-- Cameras that move by themselves.
--
--   local camera = require "sinew.camera"
--   camera.follow(hero, { distance = 4, height = 1.8 })   -- behind an actor
--   camera.orbit(hero, { distance = 4, speed = 0.3 })     -- around an actor or a point
--   camera.fly { speed = 3 }                              -- W A S D, Q and E down and up, the left button looks around
--   camera.stop()                                         -- gives the camera back to the mouse
--
-- The left mouse button and the right stick of a gamepad turn these cameras, and the wheel changes the distance. The last
-- call wins. For camera-relative controls, camera.flat(left, ahead) returns a direction on the ground as seen from the
-- camera, and camera.yaw() the direction in which the camera looks:
--
--   motor.velocity = camera.flat(input.axis("right", "left") * 1.4, input.axis("back", "ahead") * 1.4)
local sinew = require "sinew"
local vec = require "sinew.vec"
local _, own = ... -- what Sinew gives its modules
---@class sinew.Camera
local camera = {}

local move          -- function(dt), or nil
local move_line     -- of the scene
local mouse_x, mouse_y
local stick_rate = 2.5 -- radians a second

local function axis(down, up) return sinew.strength(up) - sinew.strength(down) end

-- The rotation in this frame, in radians, by a drag of the mouse with the left button (a picture's height is a half turn) or by
-- the right stick, and whether there was any.
local function drag(dt)
  local x, y, held = sinew.mouse()
  local dx, dy = 0, 0
  if held and mouse_x then dx, dy = (x - mouse_x) * 0.005, (y - mouse_y) * 0.005 end
  mouse_x, mouse_y = held and x or nil, held and y or nil
  local sx, sy = axis("right_stick_left", "right_stick_right"), axis("right_stick_up", "right_stick_down")
  return dx + sx * stick_rate * dt, dy + sy * stick_rate * dt, held or sx ~= 0 or sy ~= 0
end

-- The options over their defaults.
local function read(options, defaults)
  for name, value in pairs(options or {}) do defaults[name] = value end
  return defaults
end

-- A point, or where an actor is.
local function place_of(target)
  local p = tostring(target):match "^actor" and target.position or target
  return p[1], p[2], p[3]
end

local function use(controller)
  sinew.camera.orbit = controller == nil
  move, move_line, mouse_x, mouse_y = controller, own.line(), nil, nil
end

-- A notch of the wheel is a tenth of the distance.
local function zoom(distance)
  local notches = sinew.wheel()
  return notches == 0 and distance or sinew.clamp(distance * 0.9 ^ notches, 0.5, 100)
end

-- Where an actor looks, about the vertical.
local function heading_of(actor)
  local q = actor.rotation
  local x, _, z = vec.rotate(q[1], q[2], q[3], q[4], 0, 0, 1)
  return vec.heading(x, z)
end

local function level(_, _, y) return y end
local lowest = 0.15 -- metres above the ground

-- Behind the actor and above it. Dragging with the left button, or the right stick, turns it about the actor, the wheel brings
-- it nearer.
-- Options: distance, height (above the actor at the start), look (the height that it looks at); rate, how quickly it comes
-- along (8 takes about a third of a second), and behind, how quickly it goes behind the actor again by itself after it has
-- been turned (0: it stays as it was turned, for controls that go by camera.flat); ground, a function(x, z) whose height
-- it stays above, without which that is the level of the actor.
function camera.follow(actor, options)
  local o = read(options, { distance = 4, height = 1.8, look = 1.1, rate = 5, behind = 5, ground = level })
  local rise = o.height - o.look
  local radius, pitch = vec.length(o.distance, rise, 0), math.atan(rise, o.distance)
  local x, y, z, yaw
  use(function(dt)
    local px, py, pz = place_of(actor)
    local dx, dy, turns = drag(dt)
    local heading = heading_of(actor)
    yaw = (yaw or heading) - dx
    if not turns then yaw = yaw + (1 - math.exp(-o.behind * dt)) * vec.turn(yaw, heading) end
    pitch = sinew.clamp(pitch + dy, -1.4, 1.4)
    radius = zoom(radius)
    if x then
      x, y, z = sinew.damp(x, px, o.rate, dt), sinew.damp(y, py, o.rate, dt), sinew.damp(z, pz, o.rate, dt)
    else
      x, y, z = px, py, pz
    end
    local flat = radius * math.cos(pitch)
    local cx, cz = x - flat * math.sin(yaw), z - flat * math.cos(yaw)
    local cy = math.max(y + o.look + radius * math.sin(pitch), o.ground(cx, cz, py) + lowest)
    sinew.camera.position = { cx, cy, cz }
    sinew.camera.target = { x, y + o.look, z }
  end)
end

-- Round an actor or a point. Options: distance, height (what it looks at), pitch, yaw, speed (radians a second by itself).
function camera.orbit(target, options)
  local o = read(options, { distance = 4, height = 1, yaw = 0, pitch = 0.2, speed = 0 })
  local distance, height, yaw, pitch, speed = o.distance, o.height, o.yaw, o.pitch, o.speed
  use(function(dt)
    local dx, dy = drag(dt)
    yaw = yaw - dx + speed * dt
    distance = zoom(distance)
    pitch = sinew.clamp(pitch + dy, -1.5, 1.5)
    local x, y, z = place_of(target)
    local flat = distance * math.cos(pitch)
    sinew.camera.target = { x, y + height, z }
    sinew.camera.position = {
      x + flat * math.sin(yaw), y + height + distance * math.sin(pitch), z + flat * math.cos(yaw),
    }
  end)
end

local function pressed(up, down) return (sinew.is_down(up) and 1 or 0) - (sinew.is_down(down) and 1 or 0) end

-- From where the camera is. Options: speed (metres a second; shift is four times that).
function camera.fly(options)
  local speed = read(options, { speed = 3 }).speed
  local p, t = sinew.camera.position, sinew.camera.target
  local x, y, z = p[1], p[2], p[3]
  local dx, dy, dz = vec.normalize(t[1] - x, t[2] - y, t[3] - z)
  local yaw, pitch = vec.heading(dx, dz), math.asin(dy)
  use(function(dt)
    local turn, tilt = drag(dt)
    yaw, pitch = yaw - turn, sinew.clamp(pitch - tilt, -1.5, 1.5)
    local fx, fy, fz = math.sin(yaw) * math.cos(pitch), math.sin(pitch), math.cos(yaw) * math.cos(pitch)
    local rx, _, rz = vec.normalize(-fz, 0, fx) -- to the right: forward × up
    local step = speed * dt * (sinew.is_down "left_shift" and 4 or 1)
    local ahead, side, up = pressed("w", "s") * step, pressed("d", "a") * step, pressed("e", "q") * step
    x, y, z = x + fx * ahead + rx * side, y + fy * ahead + up, z + fz * ahead + rz * side
    sinew.camera.position = { x, y, z }
    sinew.camera.target = { x + fx, y + fy, z + fz }
  end)
end

function camera.stop() use(nil) end

-- Where the camera looks, about the vertical: as a rotation it makes an actor face that way.
function camera.yaw()
  local p, t = sinew.camera.position, sinew.camera.target
  return vec.heading(t[1] - p[1], t[3] - p[3])
end

-- So much to the left and so much ahead, as the camera sees it, on level ground: a vector in world space.
function camera.flat(left, ahead)
  local yaw = camera.yaw()
  local fx, fz = math.sin(yaw), math.cos(yaw)
  return sinew.vec3(left * fz + ahead * fx, 0, ahead * fz - left * fx)
end

sinew.on("update", function(dt)
  if move and not own.guard(move_line, move, dt) then use(nil) end
end)

return own.dress("camera", camera)
