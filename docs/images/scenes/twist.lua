-- The film of docs/gallery.md about twisting; left by linear blending, right by dual quaternions:
-- sinew run docs/images/scenes/twist.lua --headless --dt 0.0625 --frames 67 --size 480x270 --capture twist.mp4
local sinew = require "sinew"
local man = sinew.model "hero_zup.dae"

for i, skinning in ipairs { "linear", "dual_quaternion" } do
  local walker = sinew.actor(skinning, man, { position = { i * 1.1 - 1.65, 0, 0 }, skinning = skinning })
  walker:play("Walk", { fade = 0 })
  walker:set_modifiers {
    sinew.modifier { "twist", function(pose) pose:rotate("Spine1", "y", 2.4 * math.sin(1.5 * sinew.time), "model") end },
  }
end

sinew.camera.position = { 0, 1.3, 3.2 }
sinew.camera.target = { 0, 1.05, 0 }
sinew.camera.fov = math.rad(34)
