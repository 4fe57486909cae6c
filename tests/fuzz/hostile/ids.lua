-- Scenes that keep what is gone, over saves and under the names of other things.
local sinew = require "sinew"
local task = require "sinew.task"
local man = sinew.model "hero.glb"
local G = {}
local function try(f, ...) local r = table.pack(pcall(f, ...)) if not r[1] then print((tostring(r[2]):sub(1, 160)))
  end return select(2, table.unpack(r, 1, r.n)) end
-- Every method and field of a thing, with one argument and none.
local names = { "name", "model", "line", "position", "rotation", "scale", "visible", "opacity", "skinning",
  "morphs", "params", "modifiers", "metrics", "play", "stop", "joint", "layer", "set_graph", "clear_graph", "send",
  "state", "history", "on", "events", "curve", "set_modifiers", "root_motion", "root_delta", "attach", "detach",
  "motor", "pose", "explain", "measure", "bake", "vertices", "bounds", "playing", "transition", "fade", "set_mask",
  "weight", "mode", "time", "phase", "speed", "loop", "paused", "normalized_weight", "rate", "done", "actor",
  "clip", "duration", "go_to", "seek", "velocity", "facing", "acceleration", "target", "pole", "reach_error",
  "count", "place", "tint", "resize", "x", "set", "read", "get", "rotate", "ik", "write", "blend", "take", "add",
  "mirror", "compare", "save", "retarget", "path", "loaded", "problem", "wait", "clips", "joints", "roles", "mask",
  "markers", "curves", "find_steps", "sample", "rest", "match", "meshes" }
local values = { 0.5, "Walk", {}, man, true }
local function poke(t) local alive = 0
 for _, n in ipairs(names) do
  local fine, v = pcall(function() return t[n] end)
  if fine and type(v) == "function" then if pcall(v, t) then alive = alive + 1 end for _, a in ipairs(values) do if
  pcall(v, t, a) then alive = alive + 1 end pcall(v, t, "Head", a) end
  elseif fine then for _, a in ipairs(values) do pcall(function() t[n] = a end) end end
 end
 pcall(tostring, t) pcall(function() return t == G.last, t < t end) G.last = t return alive end

---- an action, by a thousand plays
local hero = sinew.actor("hero", man)
local first = hero:play "Walk" G.first = first
function sinew.update() for i = 1, 3000 do local a = hero:play("Run", { fade = 0 }) if a == first then print
  "!alive again" end a:stop(0) end
 local run = hero:play "Run" first:stop(0) first.time = 0.3 first.speed = 9 if run.done or run.speed == 9 then
  print "!ends another" end poke(first) if not first.done then print "!not done" end end
--== frames 6

---- an actor, by a thousand of its name
local hero = sinew.actor("hero", man)
G.old = hero
function sinew.update() G.old:remove() for i = 1, 300 do local a = sinew.actor("hero", man) if a == G.old then
  print "!the same" end a:remove() end local a = sinew.actor("hero", man) poke(G.old) if pcall(function() return
  G.old.position end) then print "!alive again" end G.old = a end
--== frames 6

---- an actor, kept over saves that drop and bring it back
G.a = sinew.actor("hero", man) G.b = sinew.actor("b", man) G.list = G.list or {}
function sinew.update() for _, a in ipairs(G.list) do poke(a) end end
--== frames 2
--== save
G.list = G.list or {} G.list[#G.list + 1] = G.a G.a = nil
function sinew.update() for _, a in ipairs(G.list) do poke(a) end end
--== frames 2
--== save
G.a = sinew.actor("hero", man) G.c = sinew.actor("c", man)
function sinew.update() for _, a in ipairs(G.list or {}) do poke(a) end poke(G.a) end
--== frames 2
--== restart
--== frames 2

---- an actor whose kind changes under its name
G.a = sinew.actor("x", man) G.l = G.a:layer("top", {}) G.p = G.a:play "Walk" G.m = G.a:motor {} G.a:set_modifiers {
  sinew.ik { "g", tip = "LeftHand", target = { 0, 1, 1 } } } G.mod = G.a.modifiers.g
function sinew.update() for _, t in pairs { G.a, G.l, G.p, G.m, G.mod } do poke(t) end end
--== frames 3
--== save
G.c = sinew.crowd(man, 5, { name = "x", graph = "Walk" }) G.x = G.c.x
function sinew.update() for _, t in pairs { G.a, G.l, G.p, G.m, G.mod, G.c, G.x } do poke(t) end end
--== frames 3
--== save
local b = sinew.build_model { joints = { { name = "LeftHand" } } } G.a2 = sinew.actor("x", b)
function sinew.update() for _, t in pairs { G.a, G.l, G.p, G.m, G.mod, G.c, G.x, G.a2 } do poke(t) end end
--== frames 3

---- a layer, by saves that drop it
local hero = sinew.actor("hero", man) G.l = hero:layer("one", { mask = { Head = 1 } }) G.p = G.l:play "Wave"
function sinew.update() poke(G.l) poke(G.p) end
--== frames 2
--== save
local hero = sinew.actor("hero", man)
for i = 1, 12 do hero:layer("l" .. i, {}) end
function sinew.update() if G.l then poke(G.l) poke(G.p) end hero:layer("l3").weight = 0.5 if G.l and
  pcall(function() return G.l.weight end) then print(G.l.weight) end end
--== frames 2
--== save
local hero = sinew.actor("hero", man) local l = hero:layer("one", {}) l:play "Run"
function sinew.update() if G.p then poke(G.p) G.p:stop(0) end local found for _, p in ipairs(hero:playing()) do if
  p.clip == "Run" then found = true end end if sinew.frame > 8 and not found then print "run ended" end end
--== frames 3

---- attachments, reused
local hero = sinew.actor("hero", man) G.hats = {}
for i = 1, 20 do G.hats[i] = hero:attach("Head", man, { name = "hat" .. i }) end
function sinew.update() for i, h in ipairs(G.hats) do if i % 2 == sinew.frame % 2 then pcall(h.remove, h) end end
  for i = 1, 20 do pcall(function() hero:attach("Head", G.hats[i]) end) pcall(function() G.hats[i]:attach("Head",
  hero) end) pcall(function() G.hats[i]:detach() end) poke(G.hats[i]) end end
--== frames 4
--== save
local hero = sinew.actor("hero", man) local h = hero:attach("Head", man, { name = "hat3" })
function sinew.update() for i = 1, 20 do if G.hats and G.hats[i] then poke(G.hats[i]) end end end
--== frames 4

---- crowds, members and arrays
G.c = sinew.crowd(man, 8, { name = "c", params = { p = 0 }, graph = "Walk" }) G.x, G.p, G.y = G.c.x, G.c.params,
  G.c.params.p
function sinew.update() for _, t in pairs { G.c, G.x, G.p, G.y } do poke(t) end for i = -3, 12 do pcall(function()
  G.x[i] = i return G.y[i], G.c:state(i), G.c:joint(i, "Head") end) end end
--== frames 2
--== save
G.d = sinew.crowd(man, 1, { name = "c", params = { q = 0 }, graph = "Run" })
function sinew.update() for _, t in pairs { G.c, G.x, G.p, G.y, G.d } do poke(t) end for i = -3, 12 do
  pcall(function() G.x[i] = i end) pcall(function() G.y[i] = i end) pcall(function() return G.c:joint(i, "Head")
  end) end end
--== frames 2
--== save
function sinew.update() for _, t in pairs { G.c, G.x, G.p, G.y, G.d } do poke(t) end for i = 1, 300 do local c =
  sinew.crowd(man, 2, { name = "n" .. i }) c:remove() end end
--== frames 2

---- graph nodes and masks of another load and another model
local hero = sinew.actor("hero", man) G.n = sinew.clip { "Walk" } G.m = man:mask { Head = 1 } G.g =
  sinew.state_machine { states = { a = G.n, b = "Run" } } hero:set_graph(G.g) G.ik = sinew.ik { "g", tip =
  "LeftHand" }
--== frames 2
--== save
local b = sinew.build_model { joints = { { name = "r" }, { name = "s", parent = 1 } } } local o = sinew.actor("o",
  b)
try(o.set_graph, o, G.g) try(o.set_graph, o, G.n) try(o.layer, o, "l", { mask = G.m }) try(o.set_modifiers, o, {
  G.ik, G.ik })
function sinew.update() try(o.set_graph, o, G.g) try(function() b:rest():blend(b:rest(), 0.5, G.m) end)
  try(o.set_modifiers, o, { G.ik }) try(man.mask, man, G.m) poke(G.n) poke(G.m) poke(G.g) end
--== frames 3
--== save
local hero = sinew.actor("hero", man) try(hero.set_graph, hero, G.g) try(hero.set_modifiers, hero, { G.ik })
--== frames 3

---- poses of models that are gone
local b = sinew.build_model { joints = { { name = "r" }, { name = "s", parent = 1 } } } G.p, G.q, G.b = b:rest(),
  man:rest(), b
function sinew.update() G.b, G.k = nil, nil collectgarbage() poke(G.p) end
--== frames 2
--== save
function sinew.update() collectgarbage() if G.p then poke(G.p) try(G.p.blend, G.p, G.q, 0.5) try(G.p.retarget, G.p,
  man) try(G.q.retarget, G.q, man) try(G.p.compare, G.p, G.p) end end
--== frames 2

---- tasks that wait for what is gone
local hero = sinew.actor("hero", man) local a = hero:play("Walk", { loop = "once" })
for _, f in ipairs { function() a:wait "finish" end, function() hero:wait "*" end, function() task.wait(0.1)
  poke(hero) poke(a) end, function() hero:wait "never" end, function() task.wait(1e9) end } do task.run(function()
  local c <close> = setmetatable({}, { __close = function() poke(hero) pcall(function() hero:remove() end) end })
  f() end) end
G.h, G.a = hero, a
--== frames 2
--== save
function sinew.update() if G.h then poke(G.h) poke(G.a) end end
--== frames 9
--== restart
--== frames 2

---- markers and their data
local hero = sinew.actor("hero", man) hero:play "Run"
man:markers("Run", { { 0.05, "s", data = hero }, { 0.1, "s", data = { a = G } } })
hero:on("s", function(e) G.e = e if e.data == hero then hero:remove() end end)
function sinew.update() if G.e then for k, v in pairs(G.e) do poke(v) end end end
--== frames 12
--== save
local hero = sinew.actor("hero", man) hero:play "Run"
function sinew.update() if G.e then for k, v in pairs(G.e) do poke(v) end end end
--== frames 12

---- a modifier's name taken by another kind
local hero = sinew.actor("hero", man) hero:set_modifiers { sinew.ik { "g", tip = "LeftHand", target = { 0, 1, 1 } }
  } G.g = hero.modifiers.g
function sinew.update() poke(G.g) G.g.target = { hero, "Head" } G.g.pole = { 0, 1, 1 }
 local kinds = { sinew.spring { "g", joints = { "Ponytail1/**" } }, sinew.modifier { "g", function() poke(G.g) end
  }, sinew.plant { "g" }, sinew.limit { "g", joint = "Head" }, sinew.look_at { "g", chain = { "Neck", "Head" } } }
 hero:set_modifiers { kinds[1 + sinew.frame % 5] } poke(G.g) end
--== frames 12

---- models that a save replaces
G.m = man G.b = sinew.build_model { name = "b", joints = { { name = "r" } } } G.a = sinew.actor("a", G.b)
--== frames 2
--== save
G.b2 = sinew.build_model { name = "b", joints = { { name = "r" }, { name = "s", parent = 1 } } } local a =
  sinew.actor("a", G.b2)
function sinew.update() if G.b then poke(G.b) poke(G.a) poke(G.m) try(function() a:pose():blend(G.b:rest(), 0.5)
  end) end end
--== frames 3
--== save
local a = sinew.actor("a", G.b or man)
--== frames 3

---- metatables of things
local hero = sinew.actor("hero", man)
for _, t in ipairs { hero, man, hero:layer("l", {}), sinew, sinew.ui, sinew.view, hero.params, hero.morphs } do
  local m = getmetatable(t) print(type(m)) try(setmetatable, t, {}) if type(m) == "table" then for k in pairs(m) do
  try(function() m[k] = print end) end m.__gc = print end try(rawset, t, "x", 1) try(rawget, t, "play") try(next,
  t) try(rawlen, t) end
try(function() getmetatable("").__index = function() return print end end) try(function() string.rep = error end)
  try(function() sinew.actor = 3 end) try(function() math.floor = error table.insert = error _G.pcall = nil _G._G =
  nil require = nil end)
print(sinew.clamp(3, 1, 2))
--== frames 3

---- methods of one kind called on another
local hero = sinew.actor("hero", man) local c = sinew.crowd(man, 3, { name = "c" }) local p = man:rest()
local things = { hero, man, c, p, c.x, hero:layer("l", {}), hero:play "Walk", sinew.clip { "Walk" }, man:mask {},
  {}, "x", 1, print, coroutine.create(print), sinew, hero.params, hero.modifiers, sinew.vec3(1, 2, 3) }
function sinew.update() for _, a in ipairs(things) do for _, n in ipairs(names) do local ok, f = pcall(function()
  return a[n] end) if ok and type(f) == "function" then for _, b in ipairs(things) do pcall(f, b) pcall(f, b, a, b)
  end end end end end
--== frames 2

---- coroutines that outlive their load
sinew.actor("hero", man) G.co = G.co or {}
for i = 1, 5 do G.co[#G.co + 1] = coroutine.create(function() local hero = sinew.actor("hero") while true do
  poke(hero) coroutine.yield() hero:play "Walk" end end) end
function sinew.update() for _, c in ipairs(G.co) do print(coroutine.resume(c)) end end
--== frames 2
--== save
function sinew.update() for _, c in ipairs(G.co or {}) do print(coroutine.resume(c)) end end
--== frames 2
--== restart
function sinew.update() for _, c in ipairs(G.co or {}) do print(coroutine.resume(c)) coroutine.close(c) end end
--== frames 2

---- saves at bad moments: while a bake, a measure and a task run
local hero = sinew.actor("hero", man) hero:play "Run" task.run(function() while true do task.wait(0.01) poke(hero)
  end end)
function sinew.update() if sinew.frame % 3 == 1 then try(hero.bake, hero, "a.glb", { seconds = 0.2 })
  try(hero.measure, hero, { ground = function() return 0 end }) end end
--== frames 2
--== save
error "half"
--== frames 1
--== save
local hero = sinew.actor("hero", man) hero:play "Walk" error "half"
--== frames 1
--== save
local hero = sinew.actor("hero", "fox.glb") while true do end
--== frames 1
--== save
local hero = sinew.actor("hero", "fox.glb") task.run(function() task.wait(0.001) error "x" end)
--== frames 20
--== end_bakes

---- loads in the background, saved over
G.m = {} for i = 1, 8 do G.m[i] = sinew.model("hero.glb", { wait = false, unit = 1 + i / 100 }) local a =
  sinew.actor("w" .. i, G.m[i]) a:play "Walk" a:set_modifiers { sinew.ik { "g", tip = "LeftHand", target = { 0, 1,
  1 } } } a:on("*", function(e) poke(e.actor) end) pcall(a.remove, a) end
for i = 1, 8 do local a = sinew.actor("v" .. i, G.m[i]) a:layer("l", {}):play "Wave" a:attach("Head", man, { name =
  "hat" .. i }) G["a" .. i] = a end
function sinew.update() for i = 1, 8 do poke(G.m[i]) end end
--== save
function sinew.update() for i = 1, 8 do if G.m then poke(G.m[i]) poke(G["a" .. i]) end end end
--== frames 1
--== save
error "x"
--== restart
--== save
G.m = {} for i = 1, 8 do G.m[i] = sinew.model("hero.glb", { wait = false, unit = 2 + i / 100 }) sinew.actor("w" ..
  i, G.m[i]) end
--== frames 3

---- a wait for a model in a task whose scene is gone
task.run(function() local m = sinew.model("hero.glb", { wait = false, unit = 7 }) G.m = m m:wait()
  sinew.actor("late", m):play "Walk" end)
--== save
task.run(function() if G.m then G.m:wait() end end)
--== frames 4
--== restart
--== frames 4

---- events sent to those that go
local a = {} for i = 1, 30 do a[i] = sinew.actor("m" .. i, man) a[i]:set_graph(sinew.state_machine { states = { a =
  "Walk", b = "Run" }, transitions = { { "a", "b", on = "go" }, { "b", "a", on = "go" } } }) a[i]:on("enter",
  function() pcall(function() a[31 - i]:remove() end) for k = 1, 30 do pcall(function() a[k]:send "go" end) end
  end) end
function sinew.update() for i = 1, 30 do pcall(function() a[i]:send "go" end) pcall(function() print(a[i]:state())
  end) end end
--== frames 6

---- explanations, timelines and lists kept
local hero = sinew.actor("hero", man) hero:play "Walk"
function sinew.update() if sinew.frame == 1 then hero:measure() end G.e, G.t, G.p, G.tr = hero:explain "Head",
  sinew.timeline(hero), hero:playing(), hero:transition() G.ev = hero:events() if sinew.frame == 4 then
  hero:remove() sinew.update = nil end end
--== frames 5
--== save
for k, v in pairs(G) do print(k, tostring(v):sub(1, 60)) if type(v) == "table" then for _, w in pairs(v) do
  pcall(function() for _, x in pairs(w) do poke(x) end end) end end end
--== frames 2

---- compared, hashed and printed when gone
local t = {} for i = 1, 50 do local a = sinew.actor("m" .. i, man) t[a] = i t[a:play "Walk"] = i t[i] = a end
function sinew.update() for i = 1, 50 do pcall(function() t[i]:remove() end) end for k, v in pairs(t) do
  tostring(k) local _ = k == v local _ = t[k] end for i = 1, 50 do local a = sinew.actor("m" .. i, man) if t[a] and
  sinew.frame > 1 then print(t[a], a == t[i]) end a:remove() end end
--== frames 4
