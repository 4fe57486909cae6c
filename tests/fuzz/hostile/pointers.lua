-- Scenes that take away or change what Sinew works on just now.
local sinew = require "sinew"
local task = require "sinew.task"
local man = sinew.model "hero.glb"
local hero = sinew.actor("hero", man, { params = { speed = 1, at = 0 } })
local friend = sinew.actor("friend", man)
local pcall, print = pcall, print
local G = {}

---- handler removes and recreates under the same name
hero:play "Run"
man:markers("Run", { { 0.1, "s" }, { 0.2, "s" }, { 0.3, "s" } })
local function go(e) local n = e.actor.name e.actor:remove() local a = sinew.actor(n, man) a:play "Run" a:on("s",
  go) for i = 1, 40 do a:play("Walk", { weight = 0.1 }) end end
hero:on("s", go) hero:on("s", go) hero:on("*", go)
--== frames 60

---- save inside handler stack via restart between
hero:play "Run" man:markers("Run", { { 0.01, "s" }, { 0.02, "s" } })
hero:on("s", function() hero:set_graph(sinew.state_machine { states = { a = "Walk", b = "Run" }, transitions = { {
  "a", "b", when = function() hero:clear_graph() end } } }) end)
--== frames 10
--== save
hero:play "Walk"
--== frames 10
--== restart
--== frames 10

---- modifier keeps its pose and actor and uses them later
local kept
hero:set_modifiers { sinew.modifier { "m", function(pose, actor, dt) kept = kept or pose G.pose = pose end } }
function sinew.update() if kept then kept:set("Head", { position = { 1, 2, 3 } }) end end
--== frames 5

---- pose of one frame given to a pose of another in modifier
local kept
hero:set_modifiers { sinew.modifier { "m", function(pose) if kept then pose:take(kept, 0.5) end kept = pose end } }
friend:set_modifiers { sinew.modifier { "m", function(pose) if kept then pose:take(kept, 1) pose:blend(kept, 1)
  kept:add(pose, kept) end end } }
--== frames 5

---- pose written from its own metamethod
hero:set_modifiers { sinew.modifier { "m", function(pose) pose:write(setmetatable({}, { __index = function(_, i) if
  i == 30 then pose:read {} pcall(pose.set, pose, "Head", { position = { 1, 1, 1 } }) hero:remove() end return 0.5
  end, __len = function() return 670 end })) end } }
--== frames 5

---- pose kept by a coroutine that yields inside a modifier
local co
hero:set_modifiers { sinew.modifier { "m", function(pose) if not co then co = coroutine.wrap(function(p) while true
  do p = coroutine.yield() or p p:rotate("Head", "x", 0.2) end end) end co(pose) end } }
function sinew.update() if co then co() end end
--== frames 5

---- crowd member state asked by its own condition
G.c = sinew.crowd(man, 50, { name = "c", params = { p = 0 }, graph = sinew.state_machine { states = { a = "Walk", b
  = "Run" }, transitions = { { "a", "b", when = function(m) for i = 1, 50 do G.c:state(i) G.c:joint(i, "Head")
  G.c.x:read {} end return true end }, { "b", "a", when = 'state_time > 0.02' } } } })
--== frames 9

---- crowd array kept beyond resize and removal
local c = sinew.crowd(man, 500, { name = "c", params = { p = 0 }, graph = "Walk" })
local x, p, m = c.x, c.params.p, c.morphs.Smile
function sinew.update()
  if sinew.frame == 2 then c:resize(1) print(pcall(function() x[500] = 1 end)) print(pcall(x.set, x, { 1, 2, 3 },
  400)) print(#x:read()) end
  if sinew.frame == 3 then c:remove() for _, a in ipairs { x, p, m } do print(pcall(a.read, a))
  print(pcall(function() a[1] = 2 end)) print(pcall(function() return #a end)) print(pcall(a.set, a, 4)) end end
  if sinew.frame == 4 then c = sinew.crowd(man, 3, { name = "c", params = { q = 0 }, graph = "Walk" })
  print(pcall(x.read, x)) print(pcall(p.read, p)) end
end
--== frames 6

---- crowd array set from itself by a metamethod
local c = sinew.crowd(man, 100, { name = "c", params = { p = 0 }, graph = "Walk" })
function sinew.update()
 c.x:set(setmetatable({}, { __len = function() c:resize(2) return 100 end, __index = function(_, i) pcall(c.resize,
  c, i) return 1 end }))
 c.x:set(c.x) c.x = c.y c.x:set(c.x, 50) c.x:read(setmetatable({}, { __newindex = function() c:resize(1) c:remove()
  end }))
end
sinew.on("update", function() c.x:set(c.x) c.x = c.y pcall(c.x.set, c.x, c.x, 50) c.x:read(setmetatable({}, {
  __newindex = function() c:resize(1) c:remove() end })) end)
--== frames 3

---- attach chain that eats itself
local a, b = sinew.actor("a", man), sinew.actor("b", man)
hero:attach("Head", a) a:attach("Head", b)
function sinew.update() print(pcall(b.attach, b, "Head", hero)) print(pcall(a.attach, a, "Head", a)) hero:remove()
  print(pcall(b.attach, b, "Head", a)) b:detach() b:detach() a:detach() a:remove() b:attach("Head", friend)
  b:remove() end
--== frames 3

---- attachments removed by handlers of what they hang on
local hats = {}
for i = 1, 30 do hats[i] = sinew.actor("hat" .. i, man) local on = i == 1 and hero or hats[i - 1] on:attach("Head",
  hats[i]) hats[i]:play "Run" hats[i]:root_motion { joint = "Hips" } end
man:markers("Run", { { 0.05, "s" }, { 0.1, "s" } })
for i = 1, 30 do hats[i]:on("s", function(e) for k = 30, i, -1 do pcall(function() hats[k]:remove() end) end
  pcall(function() hero:attach("Head", sinew.actor("n" .. i, man)) end) end) end
--== frames 20

---- modifier target is a removed actor's joint
hero:set_modifiers { sinew.ik { "grip", tip = "LeftHand", target = { friend, "Head" } }, sinew.look_at { "look",
  chain = { "Neck", "Head" }, target = { friend, "Hips" } } }
function sinew.update() if sinew.frame == 2 then friend:remove() end if sinew.frame == 3 then sinew.actor("friend",
  man) end print(hero.modifiers.grip.target, hero.modifiers.grip.reach_error) end
--== frames 6

---- modifier handle kept while modifiers are replaced
hero:set_modifiers { sinew.ik { "grip", tip = "LeftHand", target = { 0, 1, 0 } } }
local m = hero.modifiers.grip
function sinew.update()
  if sinew.frame == 2 then hero:set_modifiers {} end
  if sinew.frame == 3 then hero:set_modifiers { sinew.look_at { "other", chain = { "Neck", "Head" } } } end
  if sinew.frame == 4 then hero:remove() end
  print(pcall(function() m.weight = 0.5 m.target = { 1, 1, 1 } return m.weight, m.reach_error, m.name, m.line end))
end
--== frames 6

---- modifier sets targets of itself and of others from inside
hero:set_modifiers { sinew.modifier { "m", function(p, a) a.modifiers.grip.target = { a, "Head" }
  a.modifiers.grip.target = { friend, "Head" } friend.modifiers.grip.target = { hero, "LeftHand" } end }, sinew.ik
  { "grip", tip = "LeftHand" } }
friend:set_modifiers { sinew.modifier { "m", function(p, a) hero.modifiers.grip.target = nil
  a.modifiers.grip.target = { 0 / 0, 1, 1 } end }, sinew.ik { "grip", tip = "LeftHand" } }
--== frames 4

---- action kept through 3000 plays and clips
local first = hero:play "Walk"
function sinew.update() for i = 1, 300 do hero:play("Run", { weight = 0.01, fade = 0 }):stop(0) end
  print(first.done, first.actor, first.clip, pcall(function() first.time = 0.1 first.speed = 2 first:go_to "x"
  first:seek(0.2, true) first:stop() end)) end
--== frames 12

---- action events seek back into themselves
man:markers("Run", { { 0.1, "s" }, { 0.2, "t" } })
local a = hero:play "Run"
hero:on("s", function(e) e.action:seek(0.05, true) e.action:seek(0.3, true) e.action.time = 0.09 e.action.speed =
  -1 e.action:go_to "t" end)
hero:on("t", function(e) e.action:seek(0, true) e.action.loop = "once" e.action.phase = 1 end)
--== frames 30

---- markers replaced from a handler of a marker
man:markers("Run", { { 0.01, "s" }, { 0.02, "s" }, { 0.03, "s" } })
hero:play "Run"
hero:on("s", function(e) local l = {} for i = 1, 500 do l[i] = { i / 1000, "s" .. i, data = e } end
  man:markers("Run", l) man:markers("Run", {}) man:markers("Run", { { e.time, "s" } }) end)
--== frames 20

---- curves replaced while read, by weights of modifiers and handlers
man:curve("Run", "grip", { { 0, 1 }, { 0.4, 0 } })
hero:play "Run"
hero:set_modifiers { sinew.ik { "g", tip = "LeftHand", target = { 0, 1, 1 }, weight = "grip" }, sinew.modifier {
  "m", function(p, a) print(a:curve "grip") man:curve("Run", "grip", {}) end } }
hero:on("*", function() man:curve("Run", "grip", {}) man:curve("Run", "grip", { { 0, 0 / 0 } }) end)
function sinew.update() for i = 1, 50 do pcall(man.curve, man, "Run", "c" .. i, { { 0, i } }) end man:curve("Run",
  "grip", {}) print(hero:curve "grip") for i = 1, 50 do pcall(man.curve, man, "Run", "c" .. i, {}) end end
--== frames 20

---- curve keys from a table that changes the model
man:curve("Run", "grip", setmetatable({}, { __len = function() man:curve("Run", "grip", {}) return 3 end, __index =
  function(_, i) man:curve("Run", "o" .. i, { { 0, 1 } }) return { i, setmetatable({}, { __tostring = error }) }
  end }))
--== frames 2

---- graph nodes shared, nested and reused after removal
local n = sinew.clip { "Walk" }
local g = sinew.state_machine { states = { a = n, b = sinew.blend { { n, 1 }, { n, 2 } } }, transitions = { { "a",
  "b", when = 'state_time > 0.02' }, { "b", "a", when = 'state_time > 0.02' } } }
hero:set_graph(g) friend:set_graph(g)
function sinew.update() hero:set_graph(g) if sinew.frame % 2 == 0 then friend:clear_graph() friend:remove() else
  sinew.actor("friend", man):set_graph(g) end end
--== frames 10

---- node given to itself
local d = { states = { a = "Walk" } }
d.states.b = setmetatable({}, { __index = function() return d end }) d.states.c = d
print(pcall(sinew.state_machine, d))
local t = { { "Walk", 1 } } t[2] = { t, 1 } print(pcall(sinew.blend, t))
local n = sinew.blend { { "Walk", 1 } } for i = 1, 300 do n = sinew.blend { { n, 1 }, { n, 1 } } end
print(pcall(hero.set_graph, hero, n))
--== frames 2

---- history and transition strings kept over changes
hero:set_graph(sinew.state_machine { states = { a = "Walk", b = "Run" }, transitions = { { "a", "b", when =
  'state_time > 0.02' }, { "b", "a", when = 'state_time > 0.02' } } })
sinew.on("update", function() if sinew.frame == 2 then hero:measure() end end)
function sinew.update() if sinew.frame < 3 then return end G.h, G.t, G.tr, G.e = { hero:history() },
  hero:transition(), sinew.timeline(hero), hero:explain "Head" if sinew.frame == 6 then hero:clear_graph()
  hero:set_modifiers {} end if sinew.frame == 8 then hero:remove() end print(G.tr, G.e) end
--== frames 7
--== save
print(G.h and #G.h[1], tostring(G.tr), tostring(G.e), G.t and G.t.from)
--== frames 3

---- measure with a ground that errs, yields, removes and prints
sinew.on("update", function() if sinew.frame == 2 then hero:measure { ground = function(x, z) if sinew.frame > 3
  then hero:remove() end return setmetatable({}, { __tostring = function() hero:remove() end }) end } end end)
sinew.on("update", function() if sinew.frame == 2 then friend:measure { ground = coroutine.wrap(function() while
  true do coroutine.yield(0 / 0, { 0 / 0, 1, 0 }) end end) } end end)
hero:play "Walk" friend:play "Walk"
--== frames 9

---- ground of a plant is the measure of another, each removing
hero:play "Walk" friend:play "Walk"
hero:set_modifiers { sinew.plant { "feet", ground = function(x, z) G.n = (G.n or 0) + 1 if G.n == 3 then
  friend:remove() end if G.n == 9 then hero:remove() end return 0, { 0, 0, 0 } end } }
friend:set_modifiers { sinew.plant { "feet", ground = function(x, z) hero.position = { 1, 1, 1 } return 1e30 end } }
sinew.on("update", function() if sinew.frame == 2 then hero:measure() friend:measure() end end)
--== frames 9

---- bake while the actor is removed, renamed and replaced
hero:play "Walk" sinew.on("update", function() if sinew.frame == 2 then hero:bake("a.glb", { seconds = 0.1 })
  friend:bake("a.glb", { seconds = 0.1 }) end end)
function sinew.update() if sinew.frame == 3 then hero:remove() friend:remove() hero = sinew.actor("hero",
  "fox.glb") print(pcall(hero.bake, hero, "a.glb", { seconds = 0.1 })) print(pcall(hero.bake, hero, "b.glb", {
  seconds = 0.1, rate = 1e9 })) end end
--== bake hero
--== frames 3
--== bake hero
--== save
hero = sinew.actor("fox", "fox.glb")
sinew.on("update", function() if sinew.frame == 2 then hero:bake("b.glb", { seconds = 600, rate = 1e-9 })
  hero:remove() end end)
--== frames 9
--== end_bakes
--== frames 2

---- model of an actor changes under layers, masks, attachments
local l = hero:layer("arm", { mask = { ["RightShoulder/**"] = 1 } }) l:play "Wave" hero:attach("RightHand", friend)
hero:set_modifiers { sinew.spring { "hair", joints = { "Ponytail1/**" } }, sinew.ik { "g", tip = "LeftHand", target
  = { friend, "Head" } } }
G.l, G.a, G.pose, G.hero = l, hero:play "Walk", man:rest(), hero
--== frames 3
--== save bare
local sinew = require "sinew"
local G = {}
local hero = sinew.actor("hero", "fox.glb")
print(pcall(function() return G.hero.name, G.hero:joint "Head", G.hero.modifiers.g, G.l.weight end))
print(pcall(function() G.l:play "Survey" G.a.time = 0.1 hero:pose():blend(G.pose, 0.5) end))
function sinew.update() print(pcall(function() G.l:fade(0.4) G.l:stop() G.a:stop() end)) end
--== frames 4
--== save bare
local sinew = require "sinew"
local G = {}
local hero = sinew.actor("hero", sinew.build_model { joints = { { name = "Head" } } })
print(pcall(function() G.hero:pose():take(G.pose) end), pcall(function() hero:vertices() end), pcall(hero.bounds,
  hero))
--== frames 4

---- task waits on an actor that is removed in the same frame
man:markers("Run", { { 0.05, "s" } })
local a = hero:play "Run"
task.run(function() while true do local e = a:wait "s" print(e) hero:remove() hero = sinew.actor("hero", man) a =
  hero:play "Run" end end)
task.run(function() while true do hero:wait "s" hero:remove() end end)
for i = 1, 50 do task.run(function() pcall(hero.wait, hero, "s") pcall(function() hero:remove() end) end) end
--== frames 20
--== save
--== frames 10

---- coroutine closed by its own close handler during a yield in a handler
hero:play "Run" man:markers("Run", { { 0.02, "s" } })
local co
hero:on("s", function() co = coroutine.create(function() local c <close> = setmetatable({}, { __close = function()
  hero:remove() pcall(coroutine.close, co) pcall(coroutine.resume, co) coroutine.yield() end }) coroutine.yield()
  end) coroutine.resume(co) print(coroutine.close(co)) end)
--== frames 10

---- error objects that act when shown
local e = setmetatable({}, { __tostring = function() pcall(function() hero:remove() end) return setmetatable({}, {
  __tostring = error }) end, __name = ("x"):rep(1e6) })
function sinew.update() error(e) end
function sinew.draw() error(setmetatable({}, { __tostring = function() error(e) end })) end
sinew.on("update", function() sinew.report(e) sinew.report(e, e) sinew.report(e, coroutine.create(print)) end)
--== frames 5

---- console takes away what it names
function sinew.update() pcall(function() hero:play "Walk" end) end
T = setmetatable({}, { __index = function(t, k) hero:remove() return t end, __pairs = function() hero:remove()
  return next, {} end, __len = function() error "no" end, __tostring = function() hero:remove() return hero end,
  __name = hero })
--== frames 2
--== console hero:remove() hero:remove()
--== complete T.x.
--== complete hero:
--== complete hero:play("
--== console T
--== console T, hero, friend, {T}
--== console hero:wait "s"
--== console coroutine.yield(T)
--== console error(T)
--== console while true do end
--== console require"sinew".simulate{frames=2}
--== complete T[T].T.T.
--== frames 3
--== stubs
--== frames 2

---- simulate inside everything
sinew.test = function() sinew.simulate { frames = 2 } hero:remove() sinew.simulate { frames = 2, keys = { { 0, "+w"
  } }, mouse = { { 0, 1, 1 }, { 0.01, "+left" } } } end
hero:on("*", function() sinew.simulate { frames = 1 } end) hero:play("Run", { loop = "once" })
function sinew.key_pressed() sinew.simulate { frames = 5 } end
function sinew.update() sinew.simulate { frames = 1 } end
--== frames 3
--== key w
--== test
--== frames 3

---- ui callbacks that remove what the panel shows
function sinew.draw() local t = setmetatable({}, { __index = function() hero:remove() return 1 end, __newindex =
  function() friend:remove() error "x" end })
 sinew.ui.panel("a", function() sinew.ui.slider(t, "x", 0, 1) sinew.ui.tabs("t", setmetatable({}, { __len =
  function() return 1e9 end, __index = function() return { "a", function() hero:remove() end } end })) end)
  sinew.ui.plot("p", setmetatable({}, { __len = function() return 1 << 60 end, __index = function() return 0 / 0
  end })) sinew.ui.combo(t, "x", t) end
--== frames 3

---- samples that stand nowhere
local function nowhere() return 0 / 0 end
for _, space in ipairs { { { 0, "Idle" }, { nowhere, "Walk" } }, { { nowhere, "Idle" }, { nowhere, "Walk" } } } do
  space.param = "at"
  print(pcall(hero.set_graph, hero, sinew.blend_space_1d(space)))
end
print(pcall(hero.set_graph, hero, sinew.blend_space_2d { param_x = "at", param_y = "speed", { 0, 0, "Idle" },
  { 1, nowhere, "Walk" }, { nowhere, nowhere, "Run" } }))
--== frames 3
