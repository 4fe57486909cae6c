-- Uneven ground: feet follow the ground. Start it with  sinew run scripts/examples/11_uneven_ground.lua
-- The ground is a function of the scene, waves along x and z; the pelvis sinks until both legs reach.
local sinew = require "sinew"

local tune = sinew.keep("tune", { height = 0.12, weight = 1 })
local hero = sinew.actor("hero", sinew.model "hero.glb")
hero:play "Walk"

local function ground(x, z) -- its height in metres, and the way up from it
  local h = tune.height
  local normal = sinew.vec3(-h * math.cos(2 * x), 1, -1.25 * h * math.cos(2.5 * z))
  return h * (1 + 0.5 * math.sin(2 * x) + 0.5 * math.sin(2.5 * z)), normal
end

hero:set_modifiers {
  sinew.plant { "feet", pelvis = "Hips", feet = { "LeftFoot", "RightFoot" }, ground = ground },
}

sinew.help_text = "The sliders change the ground and how much of the planting counts"

function sinew.update(dt)
  local at = hero.position + sinew.vec3(0, 0, 1.35 * dt)
  -- The actor itself follows the slope slowly; the feet do the rest.
  hero.position = { at.x, sinew.damp(at.y, (ground(at.x, at.z)), 6, dt), at.z }
  hero.modifiers.feet.weight = tune.weight
  sinew.camera.target = { 0, 0.95, at.z + 0.45 }
  sinew.camera.position = { 3.3, 1.5, at.z + 1.4 }
  sinew.ui.slider(tune, "height", 0, 0.3)
  sinew.ui.slider(tune, "weight", 0, 1)
end

function sinew.draw() -- the ground, as lines across
  local middle = hero.position.z
  for z = math.floor(middle * 8 - 12) / 8, middle + 1.5, 0.125 do
    for x = -1, 0.8, 0.2 do
      sinew.debug.line({ x, (ground(x, z)), z }, { x + 0.2, (ground(x + 0.2, z)), z }, { 0.3, 0.8, 0.4 })
    end
  end
end

-- The lower foot stands on the ground: its ankle is as far above it as above the floor of the clip.
local function worst_gap()
  local worst = 0
  for _ = 1, 120 do
    sinew.simulate { frames = 1 }
    local left, right = hero:joint "LeftFoot", hero:joint "RightFoot"
    local above_left, above_right = left.y - ground(left.x, left.z), right.y - ground(right.x, right.z)
    worst = math.max(worst, math.abs(math.min(above_left, above_right) - 0.085))
  end
  return worst
end

function sinew.test()
  sinew.simulate { seconds = 1 }
  local planted = worst_gap()
  assert(planted < 0.04, "a foot is on the ground: " .. planted)
  tune.weight = 0
  assert(worst_gap() > planted * 1.3, "without planting it is not")
end
