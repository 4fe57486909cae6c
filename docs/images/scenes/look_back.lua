-- The film at the top of the README: something jumps, F9 goes back to it, the line is mended, the same seconds run again
-- beside the ghost of what was, and Enter plays on. docs/images/make presses the keys and saves the file.
local sinew = require "sinew"
local hero = sinew.actor("hero", sinew.model "hero.glb", { rotation = 0.5 })
hero:play "Wave"

function sinew.update()
  if sinew.frame == 5 then sinew.record("look_back.mp4", { rate = 16, seconds = 15 }) end
  if sinew.frame == 50 then hero:play("Run", { fade = 0 }) end -- mended: 0.8
  if sinew.frame == 62 then print "Run, without a fade" end
end

sinew.camera.position = { 0.3, 1.35, 3.5 }
sinew.camera.target = { 0, 0.92, 0 }
sinew.camera.fov = math.rad(36)
