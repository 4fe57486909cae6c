-- The inspector of docs/gallery.md: sinew run docs/images/scenes/inspector.lua --headless --frames 40 --size 960x560
-- --samples 4 --shadow 2048 --capture inspector.png
local sinew = require "sinew"

local hero = sinew.actor("hero", sinew.model "hero.glb", { rotation = 0.35, position = { 0, 0, 0 } })
hero:play("Walk", { fade = 0 })
hero:play("Run", { fade = 0, weight = 0.4 })
hero:layer("arm", { mask = { ["RightShoulder/**"] = 1 } }):play("Wave", { fade = 0 })
hero.morphs.Smile = 0.8

sinew.view.inspector, sinew.view.skeleton = true, true
sinew.camera.position = { 1.7, 1.4, 3.3 }
sinew.camera.target = { 0.62, 0.92, 0 }
