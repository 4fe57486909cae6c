-- Functions that no example uses, each used for its purpose.
local sinew = require "sinew"
local man = sinew.model("hero.glb", { wait = false })
local hero = sinew.actor("hero", man, { params = { which = 0 } })
local tune = sinew.keep("tune", { lean = 0, gait = "Walk", hair = { 1, 0, 0 } })

assert(man:wait() == man and man.loaded and man.problem == nil)
assert(man.path:match "hero%.glb$")
assert(#man:joints() > 20 and #man:morphs() > 0)
assert(hero.line:match "rest%.lua:4$", hero.line)

sinew.forget "spare" -- a save finds it as it is declared here, whatever the scene has made of it
local spare = sinew.keep("spare", { n = 1 })
assert(spare.n == 1)

function sinew.update()
  local ui = sinew.ui
  ui.panel("Rest", function()
    assert(ui.drag(tune, "lean", 0.1, -1, 1) == 0)
    assert(ui.combo(tune, "gait", man:clips()) == "Walk")
    assert(ui.color(tune, "hair")[1] == 1)
    ui.separator()
  end)
end

local function numbers()
  assert(sinew.clamp(3, 0, 1) == 1 and sinew.clamp(-3, 0, 1) == 0 and sinew.clamp(0.5, 0, 1) == 0.5)
  assert(sinew.lerp(2, 4, 0.25) == 2.5)
  local middle = sinew.lerp({ 0, 0, 0 }, { 2, 4, 6 }, 0.5)
  assert(middle.x == 1 and middle.y == 2 and middle.z == 3)
end

local function text()
  assert(sinew.version:match "^%d+%.%d+%.%d+$")
  sinew.log("a line", 2)
  assert(sinew.help("actor.play"):match "^actor:play%(clip: clip, options%?: play_options%) → action\n")
  assert(sinew.help("actor.position"):match "^actor.position: vec3\n")
  assert(sinew.help("layer"):match "^layer: .*set_mask%(%)")
  assert(sinew.help():match "^sinew: .*model%(%)")
end

local function missing_files()
  local none, why = sinew.try_model "hreo.glb"
  assert(none == nil and why:match "did you mean 'hero.glb'")
end

local function actors()
  local other = sinew.actor("other", man)
  other.visible = false
  other.skinning = "dual_quaternion"
  assert(other.visible == false and other.skinning == "dual_quaternion")
  local wave = other:play("Wave", { loop = 3 })
  assert(wave.clip == "Wave" and wave.loop == 3)
  wave.loop = "once"
  assert(wave.loop == "once")
  local layer = other:layer("over", { mode = "additive" })
  assert(layer.name == "over" and layer.mode == "additive")
  other:stop(0.1)
  sinew.simulate { seconds = 0.2 }
  assert(wave.done)
  other:remove()
  assert(not pcall(function() return other.position end))
end

-- A graph may be taken away again: the rest pose is left.
local function graphs()
  hero:set_graph(sinew.switch { param = "which", fade = 0, "Idle", sinew.blend { { "Walk", 1 }, { "Run", 1 } } })
  sinew.simulate { frames = 3 }
  local standing = hero:pose()
  hero.params.which = 1
  sinew.simulate { frames = 30 }
  assert(hero:pose():compare(standing) > 0.02)
  hero:clear_graph { fade = 0 }
  sinew.simulate { frames = 3 }
  assert(hero:pose():compare(man:rest()) < 1e-4)
end

local function near(a, b) assert(math.abs(a - b) < 1e-4, a .. " is not " .. b) end

local function modifiers()
  hero:play("Idle", { speed = 0 })
  sinew.simulate { frames = 20 }
  local hand = hero:joint "RightHand"
  hero:set_modifiers {
    sinew.chain { "tail", root = "Ponytail1", tip = "Ponytail3", target = { 0, 1.6, -0.4 }, weight = 0 },
    sinew.ik { "reach", tip = "RightHand", target = hand + { 0, 0.2, 0.1 }, pole = { 0, 0, -1 } },
    sinew.copy_transform { "twin", joint = "LeftHand", source = "RightHand" },
  }
  local reach = hero.modifiers.reach
  assert(reach.name == "reach" and reach.line:match "rest%.lua:%d+$")
  reach.pole = { 0, 1, -2 }
  assert(reach.pole.z == -2)
  sinew.simulate { frames = 3 }
  assert(reach.reach_error < 0.01)
  near((hero:joint "LeftHand").x, (hero:joint "RightHand").x)
  local before = hero:joint "Ponytail3"
  hero.modifiers.tail.target = before + { 0.08, 0, 0 }
  hero.modifiers.tail.weight = 1
  sinew.simulate { frames = 3 }
  local after = hero:joint "Ponytail3"
  assert(math.abs(after.x - before.x) + math.abs(after.y - before.y) + math.abs(after.z - before.z) > 0.01)
  hero:set_modifiers {}
end

local function poses()
  local pose = man:sample("Walk", 0.3)
  assert(pose.count == #man:joints())
  pose:set("Head", { rotation = { 0, 0.6, 0, 0.8 } })
  near(pose:get("Head").rotation.y, 0.6)
  local copy = man:rest()
  copy:write(pose:read())
  assert(copy:compare(pose) < 1e-6 and copy:compare(man:rest()) > 0.01)
  assert(pose:retarget(sinew.model "brawler.glb").count ~= nil)
end

local function switch_round(object, names)
  for name in names:gmatch "%S+" do
    local was = object[name]
    object[name] = not was
    assert(object[name] == not was, name)
    object[name] = was
  end
end

local function set(object, name, value, same)
  object[name] = value
  assert(same(object[name]), name)
end

local function views()
  switch_round(sinew.view, "wireframe skeleton names axes bind_pose bounds root_path contacts ground stats inspector")
  switch_round(sinew.camera, "orbit")
  set(sinew.view, "surface", "weight", function(v) return v == "weight" end)
  set(sinew.view, "joint", "Head", function(v) return v == "Head" end)
  for _, name in ipairs { "color", "sky", "ground" } do
    set(sinew.light, name, { 0.5, 0.25, 0.125 }, function(v) return v.x == 0.5 and v.z == 0.125 end)
  end
  set(sinew.light, "exposure", 1.5, function(v) return v == 1.5 end)
  set(sinew.light, "fog", 0.5, function(v) return v == 0.5 end)
end

function sinew.test()
  sinew.quit() -- a test steps by itself
  sinew.report "shown, and the scene goes on"
end

sinew.tests.numbers = numbers
sinew.tests.text = text
sinew.tests.missing_files = missing_files
sinew.tests.actors = actors
sinew.tests.graphs = graphs
sinew.tests.modifiers = modifiers
sinew.tests.poses = poses
sinew.tests.views = views
