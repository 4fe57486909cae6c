-- The picture of docs/concepts.md: the same moment, one idea further with each figure. ./dev gallery concepts
local sinew = require "sinew"
local man = sinew.model "hero.glb"
local ink = { 0.1, 0.12, 0.16, 1 }
local names = { "bind pose", "a clip", "two clips blended", "a masked layer", "a modifier" }

local figures = {}
for i, name in ipairs(names) do
  figures[i] = sinew.actor(name, man, { position = { (i - 3) * 1.2, 0, 0 }, rotation = 0.65 })
end

local function stand(figure, clip, time, options)
  options = options or {}
  options.fade, options.speed, options.time = 0, 0, time
  return figure:play(clip, options)
end

stand(figures[2], "Walk", 0.06)
for i = 3, 5 do
  stand(figures[i], "Walk", 0.06, { weight = 1 })
  stand(figures[i], "Run", 0.03, { weight = 1 })
end
for i = 4, 5 do
  figures[i]:layer("arm", { mask = { ["RightShoulder/**"] = 1 } })
  stand(figures[i], "Wave", 0.9, { layer = "arm" })
end
figures[5]:set_modifiers {
  sinew.look_at { "look", chain = { "Spine2", "Neck", "Head" }, target = { -1.5, 1.9, 4 }, limit = math.rad(80) },
}

sinew.camera.position, sinew.camera.target, sinew.camera.fov = { 0, 1.3, 7.2 }, { 0, 0.86, 0 }, math.rad(19.5)

function sinew.update()
  for i, name in ipairs(names) do sinew.debug.text(98 + (i - 1) * 204, 14, i .. "  " .. name, ink) end
end
