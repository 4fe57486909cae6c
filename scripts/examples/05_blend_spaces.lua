-- Blend spaces: each clip has a position, and a parameter chooses a point between them. On the left a line: speed, from
-- a stand to a run. On the right a plane: W, S, A and D for any direction.
local sinew = require "sinew"

-- Clips may come from further files: here are the steps to the sides and back.
local man = sinew.model("hero.glb", { clips = { "hero_extra.glb" } })
local tune = sinew.keep("tune", { walk = 1.4, run = 4, by_hand = false })

local line = sinew.actor("line", man, { position = { -0.8, 0, 0 }, params = { speed = 0 } })
line:set_graph(sinew.blend_space_1d {
  param = "speed", sync = true, -- sync: left foot meets left foot, whatever the clips' lengths
  { 0, "Idle" },
  { function() return tune.walk end, "Walk" }, -- a position may be a function: the slider acts at once
  { function() return tune.run end, "Run" },
})

-- In a plane the three samples around the point count, each by how near it is (Delaunay, barycentric).
local plane = sinew.actor("plane", man, { position = { 0.8, 0, 0 }, params = { left = 0, speed = 0 } })
plane:set_graph(sinew.blend_space_2d {
  param_x = "left", param_y = "speed", sync = true, smooth = 0.15, -- follows its parameters in that many seconds
  "Idle", "StrafeLeft", "StrafeRight", "Walk", "Run", "WalkBack", -- each at its clip's own velocity
})

sinew.camera.position = { -1.1, 1.5, 5 }
sinew.camera.target = { -1.1, 1.05, 0 } -- the panel is on the left
sinew.help_text = "W, S, A, D: any direction   (they move by themselves until a key is held)"

local function held(up, down) return (sinew.is_down(up) and 1 or 0) - (sinew.is_down(down) and 1 or 0) end

function sinew.update(dt)
  local p, want_speed, want_left = plane.params, 3 * held("w", "s"), 0.8 * held("a", "d")
  if want_speed == 0 and want_left == 0 and not tune.by_hand then -- round and round
    want_speed, want_left = 1.3 + 2.4 * math.sin(sinew.time * 0.9), 0.8 * math.cos(sinew.time * 0.9)
  end
  p.speed, p.left = sinew.damp(p.speed, want_speed, 4, dt), sinew.damp(p.left, want_left, 4, dt)
  line.params.speed = math.max(p.speed, 0)
  sinew.ui.panel("Left: a line. Right: a plane", function()
    sinew.ui.text(("ahead %.1f m/s, left %.1f m/s"):format(p.speed, p.left))
    sinew.ui.slider(tune, "walk", 0.5, 2.5)
    sinew.ui.slider(tune, "run", 2.6, 6)
    sinew.ui.checkbox(tune, "by_hand")
  end)
end

function sinew.test()
  -- Steps are heard with the weight that their clip has: markers where the left foot comes down are scales.
  for clip, at in pairs { Idle = 0, Walk = 0.05, Run = 0.01, StrafeLeft = 0 } do man:markers(clip, { { at, clip } }) end
  local heard, frames = {}, {}
  local function listen(event)
    local clip = event.actor.name .. " " .. event.clip
    heard[clip], frames[clip] = event.weight, sinew.frame
  end
  for _, actor in ipairs { line, plane } do actor:on("*", listen) end
  local function weights(actor, speed, left)
    tune.by_hand = true
    for frame = 1, 420 do -- held there, for as long as the longest clip takes
      actor.params.speed = speed
      if left then actor.params.left = left end
      if frame == 60 then heard = {} end
      sinew.simulate { frames = 1 }
    end
    return function(clip) return heard[actor.name .. " " .. clip] or 0 end
  end
  local function near(a, b) assert(math.abs(a - b) < 0.03, a .. " is not " .. b) end
  sinew.update = nil -- the parameters are ours
  local w = weights(line, (tune.walk + tune.run) / 2)
  near(w "Walk", 0.5) near(w "Run", 0.5) near(w "Idle", 0)
  assert(math.abs(frames["line Walk"] - frames["line Run"]) <= 1, "in sync their feet come down together")
  tune.walk = 2 -- and its place on the line with it
  w = weights(line, tune.walk / 4)
  near(w "Idle", 0.75) near(w "Walk", 0.25)
  w = weights(plane, 0.35, 0.4) -- between a stand, a walk and a step to the left
  near(w "Idle", 0.25) near(w "StrafeLeft", 0.5) near(w "Walk", 0.25) near(w "Run", 0)
  near(weights(plane, -0.5, 0) "WalkBack", 0.5) near(man:velocity("Walk").z, 1.4)
  plane.params.left, plane.params.speed = -0.8, 0
  sinew.simulate { frames = 1 }
  assert(#plane:explain "Hips" > 1, "what was there goes in its time")
end
