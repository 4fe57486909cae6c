-- One moment of a walk from ten sides, for docs/gallery.md: sinew run docs/images/scenes/sides.lua --headless --frames 10
-- --size 240x300 --samples 8 --shadow 2048 --capture sides.png:10
local sinew = require "sinew"
local hero = sinew.actor("hero", sinew.model "hero.glb")
hero:play("Walk", { fade = 0, speed = 0, time = 0.25 })
hero:layer("arm", { mask = { ["RightShoulder/**"] = 1 } }):play("Wave", { fade = 0, speed = 0, time = 0.9 })
hero.morphs.Smile = 0.8

sinew.camera.target = { 0, 0.92, 0 }
sinew.camera.fov = math.rad(36)

function sinew.update()
  local turn, height = (sinew.frame - 1) * math.pi / 5 + 0.3, sinew.frame % 2 == 0 and 2.4 or 1.1
  sinew.camera.position = { 3.3 * math.sin(turn), height, 3.3 * math.cos(turn) }
end
