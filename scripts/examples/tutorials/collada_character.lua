-- A character from Blender, by way of Collada: z points up in the file, and fourteen meshes share one skeleton.
-- Two of them twist at the waist: the left one is skinned linearly, the right one by dual quaternions.
-- Start it with  sinew run scripts/examples/tutorials/collada_character.lua
--   1 shaded   2 joint colours   3 the weights of one joint   4 normals   LEFT, RIGHT the next joint
--   P the bind pose   B the joints   W the triangles   SPACE starts again
local sinew = require "sinew"
local vec = require "sinew.vec"

-- 1. The file says that z is up and what a unit is, and the import turns it: here y is up, and a unit is a metre. Where
-- a file is wrong, { up = "z", unit = 0.01 } says it better.
local man = sinew.model "hero_zup.dae"
local tune = sinew.keep("tune", { twist = 2.2, swing = true, joint = "Spine1" })

-- 2. Two of them. What differs is how a vertex between two joints is moved: linear blending mixes two places and cuts the
-- corner, so a twisted waist becomes thin; dual quaternions mix two turns, and it keeps its width.
local walkers = {}
for i, skinning in ipairs { "linear", "dual_quaternion" } do
  local walker = sinew.actor(skinning, man, { position = { i * 1.5 - 2.25, 0, 0 }, skinning = skinning })
  walker:play "Walk"
  walker:set_modifiers {
    sinew.modifier { "twist", function(pose)
      local angle = tune.twist * (tune.swing and math.sin(sinew.time * 1.5) or 1)
      pose:rotate("Spine1", "y", angle, "model") -- about the model's own axis: the joints of this file have others
    end },
  }
  walkers[i] = walker
end

-- 3. Views that show what skinning is made of.
local VIEWS = { ["1"] = "shaded", ["2"] = "joints", ["3"] = "weight", ["4"] = "normals" }
local joints = man:joints()
sinew.view.joint = tune.joint

local function next_joint(step)
  for i, name in ipairs(joints) do
    if name == tune.joint then
      tune.joint = joints[(i - 1 + step) % #joints + 1]
      break
    end
  end
  sinew.view.joint = tune.joint
end

sinew.camera.position = { 0, 1.5, 4 }
sinew.camera.target = { 0, 1, 0 }
sinew.help_text = "1 shaded, 2 joints, 3 weights, 4 normals, P bind pose, B skeleton, W wireframe"

function sinew.key_pressed(key)
  if VIEWS[key] then sinew.view.surface = VIEWS[key] end
  if key == "left" then next_joint(-1) end
  if key == "right" then next_joint(1) end
  if key == "p" then sinew.view.bind_pose = not sinew.view.bind_pose end
  if key == "b" then sinew.view.skeleton = not sinew.view.skeleton end
  if key == "w" then sinew.view.wireframe = not sinew.view.wireframe end
  if key == "space" then for _, walker in ipairs(walkers) do walker:play("Walk", { fade = 0 }) end end
end

local INK = { 0.1, 0.12, 0.2 }

function sinew.draw()
  sinew.debug.text(340, 20, ("%d meshes, %d joints, from %s"):format(#man:meshes(), #joints, man.path:match "[^/]*$"), INK)
  if sinew.view.surface == "weight" then sinew.debug.text(340, 64, "weights of " .. tune.joint, INK) end
  sinew.debug.text(340, 42, "left: linear, right: dual quaternions", INK)
  sinew.ui.slider(tune, "twist", -3, 3)
  sinew.ui.checkbox(tune, "swing")
end

-- The mean distance of the waist's skin from its middle: of the jacket's vertices between two heights.
local function waist(walker)
  local v, sum, count = walker:vertices(1), 0, 0
  local middle = walker:joint "Spine1"
  for i = 1, #v, 3 do
    if math.abs(v[i + 1] - middle.y) < 0.04 then
      sum, count = sum + vec.length(v[i] - middle.x, 0, v[i + 2] - middle.z), count + 1
    end
  end
  return sum / count
end

function sinew.test()
  local low, high = walkers[1]:bounds()
  assert(high.y - low.y > 1.6 and high.z - low.z < 1.2, "z is up in the file and y is up here")
  assert(#man:meshes() == 14)
  tune.swing, tune.twist = false, 0
  sinew.simulate { seconds = 0.5 }
  local straight = { waist(walkers[1]), waist(walkers[2]) }
  assert(math.abs(straight[1] - straight[2]) < 0.005, "without a twist both are alike")
  tune.twist = 2.2
  sinew.simulate { frames = 2 }
  local linear, dual = waist(walkers[1]) / straight[1], waist(walkers[2]) / straight[2]
  assert(linear < 0.93 and dual > 0.96, ("a twisted waist: %.3f linear, %.3f dual"):format(linear, dual))
  -- Meshes share the skeleton: the hair goes with the head.
  tune.twist = 0
  sinew.simulate { frames = 2, keys = { { 0, "3" }, { 0, "right" } } }
  assert(sinew.view.surface == "weight" and sinew.view.joint == tune.joint and tune.joint ~= "Spine1")
  sinew.simulate { seconds = 0.2, keys = { { 0, "p" } } }
  local foot = walkers[1]:joint "LeftFoot" - walkers[1].position
  local rest = man:rest():get("LeftFoot", "model").position
  assert(vec.distance(foot.x, foot.y, foot.z, rest.x, rest.y, rest.z) < 1e-3, "P shows the bind pose")
end
