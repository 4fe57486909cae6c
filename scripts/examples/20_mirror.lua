-- Mirrored clips: a model has one wave and one turn to the left. Their mirrored copies are made when it is loaded, and
-- play, blend and turn it like any other clip.   A, D: turn left and right   Q, E: wave with the left and the right
local sinew = require "sinew"

-- The first edit of a clip changes it, each further one makes one more: here the clip as it is, and its mirror.
local man = sinew.model("hero.glb", {
  clips = { "hero_extra.glb" },
  edits = {
    { clip = "Turn90", name = "TurnLeft" }, { clip = "Turn90", name = "TurnRight", mirror = true },
    { clip = "Wave", name = "WaveRight" }, { clip = "Wave", name = "WaveLeft", mirror = true },
  },
})
local hero = sinew.actor("hero", man)
local function turn(clip) return sinew.clip { clip, loop = "once" } end
hero:set_graph(sinew.state_machine {
  start = "stand",
  states = { stand = "Idle", left = turn "TurnLeft", right = turn "TurnRight" },
  transitions = {
    { "stand", "left", on = "left", fade = 0.15 }, { "stand", "right", on = "right", fade = 0.15 },
    { "*", "stand", before_end = 0.2, fade = 0.2 },
  },
})
-- The clips' turn about y is taken out of the pose, and the actor turns: after four of them it faces where it did.
hero:root_motion { joint = "Root", axes = "xz yaw" }
for _, side in ipairs { "Left", "Right" } do
  hero:layer(side, { mask = { [side .. "Shoulder/**"] = 1 } })
end

sinew.camera.position = { 1, 1.4, 2.7 }
sinew.camera.target = { 0, 0.95, 0 }
sinew.help_text = "A, D: turn left and right   Q, E: wave with the left and the right"

local function wave(side) hero:play("Wave" .. side, { layer = side, loop = "once", fade_out = 0.3 }) end

local touched = false -- until a key is pressed she shows herself
function sinew.update()
  if touched then return end
  if sinew.frame % 240 == 30 then hero:send(sinew.frame % 480 == 30 and "left" or "right") end
  if sinew.frame % 240 == 120 then wave(sinew.frame % 480 == 120 and "Left" or "Right") end
end

function sinew.key_pressed(key)
  touched = true
  if key == "a" then hero:send "left" end
  if key == "d" then hero:send "right" end
  if key == "q" then wave "Left" end
  if key == "e" then wave "Right" end
end

function sinew.test()
  local function heading() return math.deg(2 * math.atan(hero.rotation.y, hero.rotation.w)) end
  local function run(seconds, key) sinew.simulate { seconds = seconds, keys = { { 0, key } } } end
  touched = true
  run(3, "x")
  local first = heading()
  run(3, "a")
  assert(math.abs((heading() - first + 180) % 360 - 180 - 90) < 3, "a quarter turn to the left: " .. heading() - first)
  run(3, "d")
  assert(math.abs((heading() - first + 180) % 360 - 180) < 3, "and its mirror takes it back: " .. heading() - first)
  run(1.2, "q")
  assert(hero:joint("LeftHand").y > 1.4 and hero:joint("RightHand").y < 1.2, "the left hand waves")
  run(3, "x")
  run(1.2, "e")
  assert(hero:joint("RightHand").y > 1.4 and hero:joint("LeftHand").y < 1.2, "the right hand waves")
end
