-- Cameras that move by themselves.
--
--   local camera = require "sinew.camera"
--   camera.follow(hero, { distance = 4, height = 1.8 })   -- behind an actor
--   camera.orbit(hero, { distance = 4, speed = 0.3 })     -- round an actor or a point; the left button turns it
--   camera.fly { speed = 3 }                              -- W A S D, Q and E down and up, the left button looks round
--   camera.stop()                                         -- the mouse has it again
--
-- The last one said is the one that moves the camera.
local sinew = require "sinew"
local vec = require "sinew.vec"
local camera = {}

local move          -- function(dt), or nil
local mouse_x, mouse_y

-- How far the mouse was dragged with the left button since the last frame, in radians (a picture's height is a half turn).
local function drag()
  local x, y, held = sinew.mouse()
  local dx, dy = 0, 0
  if held and mouse_x then dx, dy = (x - mouse_x) * 0.005, (y - mouse_y) * 0.005 end
  mouse_x, mouse_y = held and x or nil, held and y or nil
  return dx, dy
end

-- A point, or where an actor is.
local function place_of(target)
  local p = tostring(target):match "^actor" and target.position or target
  return p[1], p[2], p[3]
end

local function use(controller)
  sinew.camera.orbit = controller == nil
  move, mouse_x, mouse_y = controller, nil, nil
end

-- Behind the actor and above it; `rate` says how quickly it comes along (8 takes about a third of a second).
-- Options: distance, height, look (the height that it looks at), rate.
function camera.follow(actor, options)
  options = options or {}
  local distance, height = options.distance or 4, options.height or 1.8
  local look, rate = options.look or 1.1, options.rate or 5
  local x, y, z
  use(function(dt)
    local px, py, pz = place_of(actor)
    local q = actor.rotation
    local bx, by, bz = vec.rotate(q[1], q[2], q[3], q[4], 0, height, -distance)
    if not x then x, y, z = px + bx, py + by, pz + bz end
    x = sinew.damp(x, px + bx, rate, dt)
    y = sinew.damp(y, py + by, rate, dt)
    z = sinew.damp(z, pz + bz, rate, dt)
    sinew.camera.position = { x, y, z }
    sinew.camera.target = { px, py + look, pz }
  end)
end

-- Round an actor or a point. Options: distance, height (what it looks at), pitch, yaw, speed (radians a second by itself).
function camera.orbit(target, options)
  options = options or {}
  local distance, height = options.distance or 4, options.height or 1
  local yaw, pitch, speed = options.yaw or 0, options.pitch or 0.2, options.speed or 0
  use(function(dt)
    local dx, dy = drag()
    yaw = yaw - dx + speed * dt
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
  local speed = options and options.speed or 3
  local p, t = sinew.camera.position, sinew.camera.target
  local x, y, z = p[1], p[2], p[3]
  local dx, dy, dz = vec.normalize(t[1] - x, t[2] - y, t[3] - z)
  local yaw, pitch = vec.heading(dx, dz), math.asin(dy)
  use(function(dt)
    local turn, tilt = drag()
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

sinew.on("update", function(dt)
  if move then move(dt) end
end)

return camera
