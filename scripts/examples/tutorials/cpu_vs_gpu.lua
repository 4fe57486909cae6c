-- One skin, four ways to compute it; its bounding box, and its velocity.
-- Start it with  sinew run scripts/examples/tutorials/cpu_vs_gpu.lua
-- 1 … 4 choose where it is skinned (F3 shows the time), B boxes, V velocity on the GPU, L velocity in Lua, W triangles.
local sinew = require "sinew"
local vec = require "sinew.vec"

local man = sinew.model "hero.glb"
local show = sinew.keep("show", { boxes = true, lines = true })
local CLIPS = { "Run", "Wave", "Jump", "Walk" }

local cast = {}
for i, clip in ipairs(CLIPS) do
  cast[i] = sinew.actor(clip, man, { position = { i * 1.4 - 3.5, 0, 0 } })
  cast[i]:play(clip)
end

-- 1. Who skins. Every vertex is moved by the matrices of its joints, mixed by its weights. That can be done
--   vertex     by the vertex shader, again in each pass: shadow, ground contact, picture;
--   feedback   once for all passes, by a shader that writes vertices into a buffer (transform feedback, OpenGL 3.3);
--   compute    the same by a compute shader (OpenGL 4.3);
--   cpu        by the processor, which sends all vertices in each frame.
-- The picture is the same, and sinew.view.skinners says which are there.
local function choose(number)
  local name = sinew.view.skinners[number]
  if name then sinew.view.skinner = name end
end

-- 2. The box around the skin, as it is now: not the one of the rest pose, which a raised hand would leave.
local function draw_box(low, high)
  local function corner(i) return { i & 1 == 0 and low.x or high.x, i & 2 == 0 and low.y or high.y, i & 4 == 0 and low.z or high.z } end
  for i = 0, 7 do
    for _, bit in ipairs { 1, 2, 4 } do
      if i & bit == 0 then sinew.debug.line(corner(i), corner(i | bit), { 0.95, 0.75, 0.1 }) end
    end
  end
end

-- 3. Velocity: where each vertex is, less where it was in the frame before. The GPU does it for every pixel (V: blue
-- stands still, red is 4 m/s); here it is done for some vertices of each actor's first mesh, as lines.
local before, speeds = {}, {}

local function velocities(actor, dt, draw)
  local now, last, most = actor:vertices(1), before[actor], 0
  before[actor] = now
  if not last then return 0 end
  for i = 1, #now, 3 do
    local x, y, z = (now[i] - last[i]) / dt, (now[i + 1] - last[i + 1]) / dt, (now[i + 2] - last[i + 2]) / dt
    most = math.max(most, vec.length(x, y, z))
    if draw and i % 90 == 1 then
      local p = sinew.vec3(now[i], now[i + 1], now[i + 2])
      sinew.debug.line(p, p + sinew.vec3(x, y, z) * 0.08, { 0.9, 0.2, 0.1 })
    end
  end
  return most
end

local frame_time = 1 / 60
function sinew.update(dt) frame_time = dt end

local INK, CHOSEN = { 0.1, 0.12, 0.2 }, { 0.8, 0.25, 0.05 }
function sinew.draw()
  for i, name in ipairs(sinew.view.skinners) do
    sinew.debug.text(20, 0 + 22 * i, i .. "  " .. name, name == sinew.view.skinner and CHOSEN or INK)
  end
  for i, actor in ipairs(cast) do
    if show.boxes then draw_box(actor:bounds()) end
    if frame_time > 0 then speeds[i] = velocities(actor, frame_time, show.lines) end
    sinew.debug.text(20, 130 + 22 * i, ("%s: up to %.1f m/s"):format(actor.name, speeds[i] or 0), INK)
  end
end

sinew.camera.position = { 0, 1.6, 5.6 }
sinew.camera.target = { 0, 0.95, 0 }
sinew.help_text = "1 … 4 who skins, B boxes, V velocity, L lines, W wireframe, F3 numbers"

function sinew.key_pressed(key)
  choose(tonumber(key) or 0)
  if key == "b" then show.boxes = not show.boxes end
  if key == "l" then show.lines = not show.lines end
  if key == "v" then sinew.view.surface = sinew.view.surface == "velocity" and "shaded" or "velocity" end
  if key == "w" then sinew.view.wireframe = not sinew.view.wireframe end
end

function sinew.test()
  for i, name in ipairs(sinew.view.skinners) do
    sinew.simulate { frames = 2, keys = { { 0, tostring(i) } } }
    assert(sinew.view.skinner == name)
  end
  assert(not pcall(function() sinew.view.skinner = "magic" end))

  -- The box goes along: in the air both its floor and its ceiling are higher, and the raised hand is in it.
  local jumper = cast[3]
  local action = jumper:play("Jump", { fade = 0 })
  sinew.simulate { frames = 2 }
  local low, high = jumper:bounds()
  action.time = 0.83
  sinew.simulate { frames = 1 }
  local low_in_air, high_in_air = jumper:bounds()
  assert(low_in_air.y > low.y + 0.1 and high_in_air.y > high.y + 0.1, "in the air")
  local waving = cast[2]:play("Wave", { fade = 0, time = 1.1 })
  waving.speed = 0
  sinew.simulate { frames = 1 }
  local hand, _, top = cast[2]:joint "RightHand", cast[2]:bounds()
  assert(top.y >= hand.y and top.y > 1.8, "the hand is above the head, and in the box")

  -- A character that stands still and is carried at 2 m/s: so fast is each of its vertices.
  sinew.simulate { frames = 2 }
  assert(speeds[2] < 1e-3)
  sinew.on("update", function(dt) cast[2].position = cast[2].position + { 0, 0, 2 * dt } end)
  sinew.simulate { frames = 3 }
  assert(math.abs(speeds[2] - 2) < 1e-2, ("%.3f m/s"):format(speeds[2]))
end
