-- The map in docs/blending.md: how fast the balls of standing feet slide in a blend space, for every velocity that its
-- clips reach, over 20 cycles; on the left as the clips are, on the right with `plant { lock = 0.15 }`.
-- sinew run docs/images/scenes/slide.lua --headless --from 1300 --to 1300 --size 720x600 --capture slide.png
local sinew = require "sinew"

local STEP, CYCLES, RATE = 0.25, 20, 60
local TOUCH, TRIM = 0.01, 2 -- a ball is down within 1 cm of its lowest place, less two frames at each end
local man = sinew.model("hero.glb", { clips = { "hero_extra.glb" } })
local clips = { "Idle", "Walk", "Run", "StrafeLeft", "StrafeRight", "WalkBack" }
local balls = { "LeftToeBase", "RightToeBase" }

-- The clips' velocities, and the corners of what they reach: the convex hull, in order.
local function hull()
  local points = {}
  for i, clip in ipairs(clips) do
    local v = man:velocity(clip)
    points[i] = { v.x, v.z }
  end
  table.sort(points, function(a, b) return a[1] < b[1] or (a[1] == b[1] and a[2] < b[2]) end)
  local function half(from, to, by)
    local chain = {}
    for i = from, to, by do
      local p = points[i]
      while #chain > 1 do
        local a, b = chain[#chain - 1], chain[#chain]
        if (b[1] - a[1]) * (p[2] - a[2]) - (b[2] - a[2]) * (p[1] - a[1]) > 0 then break end
        chain[#chain] = nil
      end
      chain[#chain + 1] = p
    end
    chain[#chain] = nil
    return chain
  end
  local corners = half(1, #points, 1)
  for _, p in ipairs(half(#points, 1, -1)) do corners[#corners + 1] = p end
  return corners
end

local corners = hull()
local function reached(x, z)
  for i, a in ipairs(corners) do
    local b = corners[i % #corners + 1]
    if (b[1] - a[1]) * (z - a[2]) - (b[2] - a[2]) * (x - a[1]) < -0.01 then return false end
  end
  return true
end

-- ---- the walkers ----

local walkers = {}
local function add(x, z, lock)
  local name = ("%g %g %s"):format(x, z, lock and "held" or "free")
  local actor = sinew.actor(name, man, { params = { left = x, ahead = z }, visible = false })
  actor:set_graph(sinew.blend_space_2d { param_x = "left", param_y = "ahead", sync = true, table.unpack(clips) })
  if lock then
    actor:set_modifiers { sinew.plant { "feet", pelvis = "Hips", feet = { "LeftFoot", "RightFoot" }, lock = 0.15 } }
  end
  walkers[#walkers + 1] = { actor = actor, x = x, z = z, lock = lock, heights = { {}, {} }, speeds = { {}, {} }, last = {} }
end

for column = -6, 6 do
  for row = -4, 16 do
    local x, z = column * STEP, row * STEP
    if reached(x, z) then
      add(x, z, false)
      add(x, z, true)
    end
  end
end

local frames = math.ceil(CYCLES * man:duration "WalkBack" * RATE)
local frame = 0

local function watch(w)
  for foot = 1, 2 do
    local at, before = w.actor:joint(balls[foot]), w.last[foot]
    if before and frame > 30 then
      local speeds, heights = w.speeds[foot], w.heights[foot]
      speeds[#speeds + 1] = RATE * math.sqrt((at.x - before.x) ^ 2 + (at.z - before.z) ^ 2)
      heights[#heights + 1] = at.y
    end
    w.last[foot] = at
  end
end

-- The 95th percentile over both feet, m/s.
local function judge(w)
  local all = {}
  for foot = 1, 2 do
    local heights, speeds, down = w.heights[foot], w.speeds[foot], 0
    local lowest = math.min(table.unpack(heights, 1, 200))
    for i = 1, #heights do
      down = heights[i] <= lowest + TOUCH * math.min(1, math.sqrt(w.x ^ 2 + w.z ^ 2) / 1.4) and down + 1 or 0
      if down > 2 * TRIM + 1 then all[#all + 1] = speeds[i - TRIM] end
    end
  end
  table.sort(all)
  w.slide = all[math.max(math.floor(#all * 0.95), 1)] or 0
  w.heights, w.speeds = nil, nil
end

-- ---- the picture ----

local scale, colors = 0.2, { { 0.05, 0.2, 0.45 }, { 0.1, 0.65, 0.55 }, { 0.95, 0.85, 0.25 }, { 0.9, 0.2, 0.1 } }
local function color_of(share) -- blue 0, green 2 %, yellow 4 %, red 6 % and more
  local at = math.min(share / 0.02, 2.999)
  local i = math.floor(at)
  local a, b, t = colors[i + 1], colors[i + 2], at - i
  return { a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t, a[3] + (b[3] - a[3]) * t }
end

local LEFT, RIGHT, MIDDLE, HIGH, PIXELS = -1.75, 1.75, 1.5, 6.8, 600 -- where the maps are, metres; the picture is 720 wide

local function square(x, y, color)
  for k = 0, 29 do
    local at = x - STEP / 2 + (k + 0.5) / 30 * STEP
    sinew.debug.line({ at, y - STEP / 2, 0 }, { at, y + STEP / 2, 0 }, color, true)
  end
end

local ink = { 0.1, 0.12, 0.16, 1 }
local function write(x, y, text) -- in metres
  sinew.debug.text(360 + x * PIXELS / HIGH, PIXELS / 2 - (y - MIDDLE) * PIXELS / HIGH, text, ink)
end

local function share_of(w) return w.slide / math.max(math.sqrt(w.x ^ 2 + w.z ^ 2), 0.2) end

local function draw_map(middle, lock, title)
  local worst, sum, count = 0, 0, 0
  for _, w in ipairs(walkers) do
    if w.lock == lock and w.slide then
      square(middle - w.x, w.z, color_of(share_of(w))) -- x is to the left
      worst, sum, count = math.max(worst, share_of(w)), sum + share_of(w), count + 1
    end
  end
  for z = -1, 4 do write(middle - 1.62, z + 0.06, z .. "") end
  for x = -1, 1 do write(middle - x - 0.03, -1.25, x .. "") end
  write(middle - 1.2, 4.42, title)
  if count > 0 then write(middle - 1.2, 4.22, ("worst %.1f %%, mean %.1f %%"):format(100 * worst, 100 * sum / count)) end
  return worst
end

sinew.view.ground = false
sinew.camera.fov = 2 * math.atan(HIGH / 2 / 60)
sinew.camera.position, sinew.camera.target = { 0, MIDDLE, 60 }, { 0, MIDDLE, 0 }

function sinew.update()
  frame = frame + 1
  local judged = 0
  for _, w in ipairs(walkers) do
    if frame <= frames then
      w.actor.position = { w.x * frame / RATE, 0, w.z * frame / RATE }
      watch(w)
    elseif w.heights and judged < 10 then
      judge(w)
      judged = judged + 1
    end
  end
  draw_map(LEFT, false, "the clips alone")
  draw_map(RIGHT, true, "with a lock")
  write(-3.6, -1.62, "m/s to the left and ahead; the slide is a share of the speed:")
  for i = 0, 3 do
    square(1.5 + 0.65 * i, -1.62, colors[i + 1])
    write(1.66 + 0.65 * i, -1.58, ({ "0 %", "2 %", "4 %", "6 %" })[i + 1])
  end
end

-- sinew test docs/images/scenes/slide.lua prints the numbers.
function sinew.test()
  sinew.simulate { frames = frames + #walkers // 10 + 2 }
  for _, w in ipairs(walkers) do
    print(("%5.2f %5.2f %s %.4f m/s %.1f %%"):format(w.x, w.z, w.lock and "held" or "free", w.slide, 100 * share_of(w)))
  end
end
