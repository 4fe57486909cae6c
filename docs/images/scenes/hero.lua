-- The picture of the README: sinew run docs/images/scenes/hero.lua --headless --frames 1 --size 1080x522 --samples 8
-- --shadow 4096 --capture hero.png
local sinew = require "sinew"
local man = sinew.model "hero.glb"

local function at(name, clip, time, position, rotation, morph)
  local actor = sinew.actor(name, man, { position = position, rotation = rotation })
  actor:play(clip, { time = time, fade = 0 })
  if morph then actor.morphs[morph] = 0.9 end
  return actor
end

at("runner", "Run", 0.13, { 1.15, 0, 0.1 }, 0.75)
at("walker", "Walk", 0.02, { 0.15, 0, 0.3 }, 0.6, "Smile")
at("waver", "Idle", 0.2, { -0.75, 0, 0.15 }, 0.15, "Smile"):layer("arm", { mask = { ["RightShoulder/**"] = 1 } })
  :play("Wave", { time = 0.9, fade = 0 })
at("jumper", "Jump", 0.62, { -1.75, 0, -0.15 }, 0.45)

sinew.camera.position = { 0.5, 1.05, 4.4 }
sinew.camera.target = { -0.3, 0.93, 0 }
sinew.camera.fov = math.rad(30)
