-- sinew run docs/images/scenes/start.lua --headless --frames 52 --size 960x540 --capture start.png
local hero = sinew.actor("hero", sinew.model "hero.glb")
hero:play("Walk", { time = 0.2 })
hero:layer("arm", { mask = { ["RightShoulder/**"] = 1 } }):play("Wave", { fade = 0, time = 0.4 })
sinew.camera.position = { 1.4, 1.4, 3.2 }
sinew.camera.target = { 0, 0.9, 0 }
