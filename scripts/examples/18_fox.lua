-- A fox and its gaits: one blend space by speed, from a stand to a walk, a trot and a gallop. W walks, SHIFT runs;
-- until you press a key it runs by itself. Each clip has the position of its own speed, which its paws tell.
local sinew = require "sinew"

local man = sinew.model "fox.glb"
local gaits = { { 0, "Idle" }, { 0.65, "Walk" }, { 1.4, "Trot" }, { 3.8, "Gallop" } }
local tune = sinew.keep("tune", { by_hand = false, speed = 0 })

local fox = sinew.actor("fox", man, { params = { speed = 0 } })
-- sync: where a share of one gait ends the same share of the next ends, so that paws do not stumble between two.
fox:set_graph(sinew.blend_space_1d { param = "speed", smooth = 0.1, sync = true, table.unpack(gaits) })

sinew.help_text = "W: go   SHIFT: hurry"

local function wanted()
  if tune.by_hand then return tune.speed end
  if sinew.is_down "w" then return sinew.is_down "left_shift" and 3.8 or 1.4 end
  return 1.9 - 1.9 * math.cos(sinew.time * 0.5) -- up and down through all of them
end

function sinew.update(dt)
  local p = fox.params
  p.speed = sinew.damp(p.speed, wanted(), 3, dt)
  fox.position = fox.position + { 0, 0, p.speed * dt }
  local z = fox.position.z
  sinew.camera.target = { 0, 0.3, z - 0.1 }
  sinew.camera.position = { 1.5, 0.75, z + 0.9 }
end

function sinew.draw()
  local dark, names = { 0.05, 0.07, 0.12 }, {}
  for i, cause in ipairs(fox:explain "Hips") do names[i] = ("%s %.0f %%"):format(cause.name, cause.weight * 100) end
  sinew.debug.text(16, 16, ("%.1f m/s   %s"):format(fox.params.speed, table.concat(names, ", ")), dark)
  local z = math.floor(fox.position.z)
  for i = z - 3, z + 4 do sinew.debug.line({ -0.5, 0.002, i }, { 0.5, 0.002, i }, { 0.4, 0.4, 0.4 }) end -- metres
end

function sinew.test()
  tune.by_hand = true
  local began = {} -- how often each gait has begun a pass
  for i = 2, #gaits do man:markers(gaits[i][2], { { 0.01, "begins" } }) end
  fox:on("begins", function(event) began[event.clip] = (began[event.clip] or 0) + 1 end)
  local function weights(speed) -- of the gaits, once the speed has come
    tune.speed, fox.params.speed, began = speed, speed, {}
    sinew.simulate { seconds = 4 }
    local by_name = {}
    for _, cause in ipairs(fox:explain "Hips") do by_name[cause.name] = cause.weight end
    return by_name
  end
  for i = 2, #gaits do
    local slow, fast = gaits[i - 1], gaits[i]
    local w = weights((slow[1] + fast[1]) / 2)
    assert(math.abs(w[slow[2]] - 0.5) < 0.01 and math.abs(w[fast[2]] - 0.5) < 0.01, slow[2] .. " and " .. fast[2])
    assert(i == 2 or math.abs(began[slow[2]] - began[fast[2]]) <= 1, "one step for both")
    assert(weights(fast[1])[fast[2]] > 0.99, fast[2])
    -- At its own speed a gait's paws stand still on the ground.
    fox:measure { feet = { "LeftFrontPaw", "RightFrontPaw", "LeftHindPaw", "RightHindPaw" }, height = 0.005 }
    sinew.simulate { seconds = 2 }
    assert(fox.metrics.slide < 0.25 * fast[1], fast[2] .. " slides " .. fox.metrics.slide)
  end
end
