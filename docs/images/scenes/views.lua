-- The debug views of docs/gallery.md, each for two frames: sinew run docs/images/scenes/views.lua --headless --frames 20
-- --size 300x300 --samples 4 --capture views.png:10
local sinew = require "sinew"
local view = sinew.view

local hero = sinew.actor("hero", sinew.model "hero.glb", { rotation = 0.5 })
local walk = hero:play("Walk", { time = 0.3, fade = 0, speed = 0 })
hero:layer("arm", { mask = { ["RightShoulder/**"] = 1 } }):play("Wave", { time = 0.9, fade = 0, speed = 0 })

local shown = {
  { "wireframe" }, { "skeleton", "names" }, { "axes" }, { "bind_pose", "skeleton" }, { surface = "weight" },
  { surface = "joints" }, { surface = "normals" }, { surface = "velocity" }, { "bounds" }, { "scale" },
}

function sinew.update()
  local views = shown[(sinew.frame + 1) // 2] or {}
  for _, name in ipairs { "wireframe", "skeleton", "names", "axes", "bind_pose", "bounds", "scale" } do view[name] = false end
  for _, name in ipairs(views) do view[name] = true end
  view.surface = views.surface or "shaded"
  walk.speed = view.surface == "velocity" and 1 or 0
  view.contacts, view.root_path = sinew.frame > 17, sinew.frame > 17
end

view.joint = "RightArm"
sinew.camera.position = { 0.3, 1.25, 3.1 }
sinew.camera.target = { 0, 0.88, 0 }
sinew.camera.fov = math.rad(40)
