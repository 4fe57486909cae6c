-- The MD5 tutorial: a character as DOOM 3 stored it. hero.md5mesh has the mesh, the joints and the weights; each
-- motion is a file of its own. Start it with  sinew run scripts/examples/tutorials/tutorial_doom3.lua
-- 1, 2, 3 … play a clip by its name, B shows the joints, W the triangles.
local sinew = require "sinew"
local vec = require "sinew.vec"

-- 1. The mesh, and the motions. Sinew finds hero.md5anim beside hero.md5mesh by itself; others are named here. MD5 has
-- no names for clips, so they are called after their files until `edits` says better. Any other format may join in:
-- the last two clips come from a glTF file, because joints are matched by name.
local man = sinew.model("hero.md5mesh", {
  clips = { "hero_run.md5anim", "hero_extra.glb" },
  edits = { { clip = "hero", name = "Walk" }, { clip = "hero_run", name = "Run" } },
})
local CLIPS = { "Walk", "Run", "Cheer", "LookAround" }

-- 2. The character. MD5 has z up; it stands upright here, because the import turns it.
local hero = sinew.actor("hero", man)
local playing = hero:play "Walk"
local current = sinew.keep("current", { clip = "Walk" })

local function play(name)
  current.clip = name
  playing = hero:play(name, { fade = 0.3 })
end

-- 3. Any number of joints. Renderers of that time had room for about 60 in a shader; here a joint is three texels of a
-- buffer, and a model has as many as it likes: try 12, or 2000.
local JOINTS, LENGTH, SIDES = 240, 2.2, 10

local function tentacle()
  local joints, positions, indices, weights, tracks = {}, {}, {}, {}, {}
  for i = 1, JOINTS do
    joints[i] = { name = "Link" .. i, parent = i > 1 and i - 1 or nil, position = { 0, i > 1 and LENGTH / JOINTS or 0, 0 } }
    local radius = 0.16 * (1 - i / JOINTS) ^ 0.7
    for side = 1, SIDES do
      local turn = 2 * math.pi * side / SIDES
      positions[#positions + 1] = { radius * math.sin(turn), LENGTH * (i - 1) / JOINTS, radius * math.cos(turn) }
      weights[#weights + 1] = i -- each ring follows its joint
      if i < JOINTS then
        local a, b = #positions, #positions - side + side % SIDES + 1
        indices[#indices + 1] = { a, b, b + SIDES }
        indices[#indices + 1] = { a, b + SIDES, a + SIDES }
      end
    end
    -- Each turns a little, later than the one below: a wave that runs up.
    local track = { times = {}, rotations = {} }
    for key = 0, 12 do
      local phase = 2 * math.pi * (key / 12 - 1.2 * i / JOINTS)
      track.times[key + 1] = key / 4
      track.rotations[key + 1] = { vec.axis_angle(1, 0, 0.4, 3.2 / JOINTS * math.sin(phase)) }
    end
    tracks["Link" .. i] = track
  end
  return sinew.build_model {
    name = "tentacle", joints = joints, clips = { { name = "Sway", tracks = tracks } },
    meshes = { { positions = positions, indices = indices, weights = weights,
                 material = { color = { 0.16, 0.3, 0.12 }, roughness = 0.35 } } },
  }
end

local beast = sinew.actor("tentacle", tentacle(), { position = { -1.6, 0, -0.6 } })
beast:play "Sway"

-- 4. A cellar's light, and what the keys do.
sinew.light.direction = { 0.6, 1.2, 0.9 }
sinew.light.color, sinew.light.intensity = { 1, 0.72, 0.5 }, 2.2 -- a lamp, weaker than the sun
sinew.light.sky, sinew.light.ground = { 0.05, 0.06, 0.09 }, { 0.05, 0.03, 0.02 }
sinew.light.fog, sinew.light.curve = 0.05, "aces" -- the contrast of film
sinew.camera.position = { 1.6, 1.5, 3.6 }
sinew.camera.target = { -0.5, 1, 0 }
sinew.help_text = "1 … 4 clips, B joints, W wireframe"

function sinew.key_pressed(key)
  if key == "b" then sinew.view.skeleton = not sinew.view.skeleton end
  if key == "w" then sinew.view.wireframe = not sinew.view.wireframe end
  local name = CLIPS[tonumber(key)]
  if name then play(name) end
end

function sinew.draw()
  sinew.debug.text(20, 20, ("%s: %d joints, %d clips"):format(man.path:match "[^/]*$", #man:joints(), #man:clips()))
  for i, name in ipairs(CLIPS) do
    sinew.debug.text(20, 24 + 22 * i, ("%d  %s"):format(i, name), name == current.clip and { 1, 0.6, 0.2 } or { 0.7, 0.7, 0.7 })
  end
  sinew.debug.text(20, 134, ("tentacle: %d joints"):format(#beast.model:joints()))
end

-- hero.glb is what the MD5 files were written from: the same joints at the same moment, to a millimetre.
function sinew.test()
  local original = sinew.model "hero.glb"
  for _, name in ipairs { "Walk", "Run" } do
    for time = 0, 0.6, 0.15 do
      local here, there = man:sample(name, time), original:sample(name, time)
      for _, joint in ipairs { "LeftFoot", "RightHand", "Head", "Ponytail4" } do
        local a, b = here:get(joint, "model").position, there:get(joint, "model").position
        assert(vec.distance(a.x, a.y, a.z, b.x, b.y, b.z) < 1e-3, name .. " " .. joint)
      end
    end
  end
  sinew.simulate { seconds = 0.5, keys = { { 0, "2" } } }
  assert(current.clip == "Run" and playing.weight == 1)
  sinew.simulate { seconds = 0.5, keys = { { 0, "3" } } }
  assert(hero:joint("RightHand").y > 1.2, "a clip of another file's joints lifts the hands")
  -- A chain keeps its length however it bends: its vertices stay within it, and its tip moves.
  local before = beast:joint("Link" .. JOINTS)
  sinew.simulate { seconds = 0.7 }
  local after, p = beast:joint("Link" .. JOINTS), beast.position
  assert(vec.distance(before.x, before.y, before.z, after.x, after.y, after.z) > 0.1, "the wave runs up to the last joint")
  assert(vec.distance(after.x, after.y, after.z, p.x, p.y, p.z) <= LENGTH)
  local v, last = beast:vertices(), (JOINTS - 1) * SIDES * 3
  assert(vec.distance(v[last + 1], v[last + 2], v[last + 3], after.x, after.y, after.z) < 0.01, "its skin goes along")
end
