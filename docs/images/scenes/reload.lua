-- The film of docs/gallery.md about saving: this scene edits its own file while it runs, as a person would. It is given a
-- copy, and a display, because only a window watches files (docs/images/make):
--   cp docs/images/scenes/reload.lua scene.lua && sinew run scene.lua --trust --size 720x405 --frames 112
local sinew = require "sinew"
local hero = sinew.actor("hero", sinew.model "hero.glb", { rotation = 0.6, position = { 0.55, 0, 0 } })
-- edited:
hero:play("Walk", { fade = 0.5 })
-- until here

local SAVES = {
  [35] = 'hero:play("Run", { fade = 0.5 })',
  [58] = 'hero:play("Jog", { fade = 0.5 })',
  [80] = 'hero:play("Idle", { fade = 0.5 })\nhero:layer("arm", { mask = { ["RightShoulder/**"] = 1 } }):play "Wave"',
}

local path = debug.getinfo(1, "S").source:sub(2)

local function read()
  local file <close> = assert(io.open(path))
  return file:read "a"
end

local function save(lines)
  local text = read():gsub("(%-%- edited:\n).-(\n%-%- until here)", function(a, b) return a .. lines .. b end, 1)
  local file <close> = assert(io.open(path, "w"))
  file:write(text)
end

function sinew.update()
  if sinew.frame == 5 then sinew.record("reload.mp4", { rate = 16, seconds = 6.5 }) end
  if SAVES[sinew.frame] then save(SAVES[sinew.frame]) end
end

function sinew.draw()
  local lines, y = read():match "%-%- edited:\n(.-)\n%-%- until here", 330
  for line in lines:gmatch "[^\n]+" do
    sinew.debug.text(16, y, line, { 0.05, 0.07, 0.12 })
    y = y + 18
  end
end

sinew.camera.position = { 0.2, 1.3, 3.7 }
sinew.camera.target = { 0.2, 0.85, 0 }
sinew.camera.fov = math.rad(36)
