-- Transitions: five ways from a run to a stand and back. Watch the feet and hips at the moment of the change.
-- The inertial one samples one pose, keeps each joint's velocity, and may be interrupted at any time: try SPACE quickly.
local sinew = require "sinew"
local dark = { 0.05, 0.07, 0.12 }
local man = sinew.model "hero.glb"

local kinds = {
  { "cut", { fade = 0 } },
  { "linear", { fade = 0.4 } },
  { "eased", { fade = 0.4, ease = "in_out" } },
  { "frozen", { fade = 0.4, blend = "frozen" } },     -- from a standing picture of what was
  { "inertial", { fade = 0.4, blend = "inertial" } }, -- the new one at once; what was dies away
}

local people = {}
for i, kind in ipairs(kinds) do
  people[i] = sinew.actor(kind[1], man, { position = { (i - 3) * 1.1, 0, 0 }, rotation = 0.5 })
  people[i]:play("Run", { fade = 0 })
end

local runs = true
local function change()
  runs = not runs
  for i, kind in ipairs(kinds) do people[i]:play(runs and "Run" or "Idle", kind[2]) end
end

sinew.camera.position = { 0, 1.5, 5.4 }
sinew.camera.target = { 0, 0.8, 0 }
sinew.help_text = "SPACE: change now (it changes by itself, too)"

local next_change = 1.5
function sinew.update()
  if sinew.time < next_change or next_change == 0 then return end
  next_change = sinew.time + 1.5
  change()
end

function sinew.key_pressed(key) if key == "space" then change() end end

function sinew.draw()
  sinew.debug.text(16, 16, "from left to right: cut, linear, eased, frozen, inertial" .. (runs and "   (run)" or "   (stand)"), dark)
end

function sinew.test()
  next_change = 0 -- by hand
  local function length(d) return math.sqrt(d.x * d.x + d.y * d.y + d.z * d.z) end
  local function hand(i) return people[i]:joint "RightHand" - people[i].position end
  local function step() sinew.simulate { frames = 1 } end
  local before, again, leap = {}, {}, {}
  sinew.simulate { seconds = 0.3 }
  local function worst(frames) -- the largest change of a hand's way from one frame to the next, for each
    for _ = 1, frames do
      step()
      for i = 1, #kinds do
        local now = hand(i)
        leap[i] = math.max(leap[i] or 0, again[i] and length(now - before[i] * 2 + again[i]) or 0)
        again[i], before[i] = before[i], now
      end
    end
  end
  worst(3)
  change()
  worst(8) -- a third of the way
  for i = 2, 5 do
    for k = i + 1, 5 do assert(length(hand(i) - hand(k)) > 1e-3, kinds[i][1] .. " and " .. kinds[k][1] .. " differ") end
  end
  change() -- interrupted
  worst(12)
  assert(leap[5] < leap[1] / 4 and leap[5] < leap[4], "inertial changes smoothly: " .. leap[5] .. ", cut " .. leap[1])
  for i = 2, 3 do assert(leap[i] < leap[1] / 2, kinds[i][1]) end
  change()
  sinew.simulate { seconds = 1 }
  for i = 2, 5 do assert(length(hand(i) - hand(1)) < 1e-3, "in the end all stand alike") end
end
