-- Playback: one clip, six ways. Each character plays "Wave" or "Walk" with other options; the text says which.
-- SPACE pauses all, R restarts the one-shots, LEFT and RIGHT seek the first.
local sinew = require "sinew"
local dark = { 0.05, 0.07, 0.12 }
local man = sinew.model "hero.glb"

local ways = {
  { "forever", "Walk", {} },
  { "half speed", "Walk", { speed = 0.5 } },
  { "backwards", "Walk", { speed = -1 } },
  { "ping-pong", "Wave", { loop = "ping_pong" } },
  { "a part, looped", "Wave", { from = 0.9, to = 1.6 } }, -- seconds of the clip
  { "once, then holds", "Wave", { loop = "once" } },      -- a number is a number of times: loop = 3
}

local actions = {}
for i, way in ipairs(ways) do
  local x = (i - 3.5) * 0.95
  local actor = sinew.actor(way[1], man, { position = { x, 0, 0 } })
  way[3].fade = 0
  actions[i] = actor:play(way[2], way[3]) -- an action: it can be steered while it runs
end
local first, once = actions[1], actions[6]

sinew.camera.position = { 0, 1.6, 6.2 }
sinew.camera.target = { 0, 1.4, 0 }
sinew.help_text = "SPACE: pause   R: again   LEFT, RIGHT: seek the first"

function sinew.draw()
  sinew.debug.text(16, 16, "from left to right:", dark)
  for i, action in ipairs(actions) do
    sinew.debug.text(16, 16 + i * 18, ways[i][1], dark)
    -- phase: 0 at the clip's beginning, 1 at its end
    local line = ("%4.2f s  %3.0f %%%s"):format(action.time, action.phase * 100, action.done and "  done" or "")
    sinew.debug.text(130, 16 + i * 18, line, dark)
  end
end

function sinew.key_pressed(key)
  if key == "space" then
    for _, action in ipairs(actions) do action.paused = not action.paused end
  elseif key == "r" then
    once.time = 0
  elseif key == "left" or key == "right" then
    -- `true`: events between here and there are heard. Assigning first.time is silent.
    first:seek((first.time + (key == "left" and -0.1 or 0.1)) % first.duration, true)
  end
end

function sinew.test()
  local function times() return { actions[1].time, actions[2].time, actions[3].time, actions[4].time, actions[5].time } end
  local function near(a, b, what) assert(math.abs(a - b) < 1e-6, what .. ": " .. a .. ", not " .. b) end
  local walk, wave, a = man:duration "Walk", man:duration "Wave", times()
  sinew.simulate { seconds = 4 }
  local b = times()
  near(b[1], (a[1] + 4) % walk, "forever")
  near(b[2], (a[2] + 2) % walk, "half speed")
  near(b[3], (a[3] - 4) % walk, "backwards")
  near(b[4], 2 * wave - (a[4] + 4), "ping-pong, on its way back")
  near(b[5], 0.9 + (a[5] - 0.9 + 4) % 0.7, "a part")
  assert(math.min(a[5], b[5]) >= 0.9 and math.max(a[5], b[5]) <= 1.6, "and no more than that")
  assert(once.done and once.time == wave, "once holds its end")
  sinew.simulate { seconds = 1, keys = { { 0, "r" } } }
  assert(not once.done and once.time < 1.1, "R plays it again")
  b = times()
  sinew.simulate { seconds = 1, keys = { { 0, "space" } } }
  near(times()[1], b[1], "paused")
  sinew.simulate { frames = 1, keys = { { 0, "right" } } }
  near(times()[1], (b[1] + 0.1) % walk, "RIGHT seeks")
end
