-- Ends with status 1, as it should: sinew run docs/images/scenes/start_error.lua --headless --size 960x540
-- --capture start_error.png
local hero = sinew.actor("hero", sinew.model "hero.glb")
hero:play("Walk", { time = 0.2 })
sinew.camera.position = { 1.4, 1.4, 3.2 }
sinew.camera.target = { 0, 0.9, 0 }

function sinew.update()
  if sinew.frame == 40 then hero:play "Wlak" end
end
