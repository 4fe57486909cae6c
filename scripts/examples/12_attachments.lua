-- Attachments: actors follow joints of others. Start it with  sinew run scripts/examples/12_attachments.lua
-- A small friend sits on a shoulder and moves with it. SPACE detaches and attaches her.
local sinew = require "sinew"

local man = sinew.model "hero.glb"
local hero = sinew.actor("hero", man)
hero:play "WalkRoot"
hero:root_motion { joint = "Root" }

-- Any model or actor, on any joint, with an offset from it.
local seat = { position = { 0.15, 0.13, -0.02 }, scale = { 0.3, 0.3, 0.3 } }
local friend = hero:attach("Spine2", man, { name = "friend", offset = seat })
local wave = friend:play("Wave", { loop = "forever" })
friend.morphs.Smile = 1 -- morph targets have names, too; what clips do to them is added

-- An attached actor may have actors attached to it.
local tiny = sinew.actor("tiny", man)
friend:attach("Head", tiny, { offset = { position = { 0, 0.25, 0 }, scale = { 0.4, 0.4, 0.4 } } })
tiny:play "Idle"

sinew.help_text = "SPACE: let go, take up again"

local keep = sinew.keep("state", { held = true })

function sinew.update()
  local at = hero.position
  sinew.camera.target = { at.x, 1.25, at.z }
  sinew.camera.position = { at.x + 1.7, 2, at.z + 3.2 }
end

function sinew.key_pressed(key)
  if key ~= "space" then return end
  keep.held = not keep.held
  if keep.held then hero:attach("Spine2", friend, { offset = seat }) else friend:detach() end
end

local function apart(a, b)
  local d = a - b
  return math.sqrt(d.x ^ 2 + d.y ^ 2 + d.z ^ 2)
end

function sinew.test()
  sinew.simulate { seconds = 1 }
  local before = friend.position
  sinew.simulate { seconds = 1 }
  assert(apart(friend.position, before) > 0.5, "it goes along")
  assert(apart(friend.position, hero:joint "Spine2") < 0.25, "it is where the joint is")
  assert(apart(tiny.position, friend:joint "Head") < 0.15, "and so is what hangs from it")
  sinew.simulate { frames = 2, keys = { { 0, "space" } } }
  before = friend.position
  sinew.simulate { seconds = 1 }
  assert(apart(friend.position, before) < 1e-5, "let go, it stays")
  wave.paused = true
  sinew.simulate { frames = 1 }
  local smiling, moved = friend:vertices "HeroHead", 0
  friend.morphs.Smile = 0
  sinew.simulate { frames = 1 }
  for i, at in ipairs(friend:vertices "HeroHead") do if math.abs(at - smiling[i]) > 1e-4 then moved = moved + 1 end end
  assert(moved > 20, "and it smiled: " .. moved)
end
