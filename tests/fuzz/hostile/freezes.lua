-- Scenes that ask for work without end.
local sinew = require "sinew"
local task = require "sinew.task"
local man = sinew.model "hero.glb"
local hero = sinew.actor("hero", man, { params = { speed = 1, at = 0 } })
local G, once = {}, nil
local function try(f, ...) local r = table.pack(pcall(f, ...)) if not r[1] then print((tostring(r[2]):sub(1, 200)))
  end return select(2, table.unpack(r, 1, r.n)) end
local function chain(n) local j = { { name = "j1" } } for i = 2, n do j[i] = { name = "j" .. i, parent = i - 1 }
  end return sinew.build_model { name = "chain" .. n, joints = j } end

---- conditions as text, deep and long
for _, t in ipairs { ("("):rep(1e5), ("("):rep(1e5) .. "1" .. (")"):rep(1e5), ("1+"):rep(1e5) .. "1",
  ("-"):rep(1e5) .. "1", ("not "):rep(1e5) .. "1", ("x"):rep(1e6), ("abs("):rep(5e4), "1e999999 > speed",
  ("speed>1 and "):rep(5e4) .. "speed>1" } do
 try(function() hero:set_graph(sinew.state_machine { states = { a = "Walk", b = "Run" }, transitions = { { "a",
  "b", when = t } } }) end) end
--== frames 3

---- machine that always moves on
local st, tr = {}, {} for i = 1, 60 do st["s" .. i] = i % 2 == 0 and "Walk" or "Run" tr[i] = { "s" .. i, "s" .. (i
  % 60 + 1), when = "1 > 0", fade = 0 } end
for i = 1, 50 do local a = sinew.actor("m" .. i, man) try(a.set_graph, a, sinew.state_machine { start = "s1",
  states = st, transitions = tr }) end
--== frames 20

---- any state to any state, a thousand times
local st, tr = {}, {} for i = 1, 3000 do st["s" .. i] = "Walk" tr[#tr + 1] = { "*", "s" .. i, when = "1 > 0",
  restart = true, fade = 1e9 } end
try(hero.set_graph, hero, sinew.state_machine { states = st, transitions = tr })
--== frames 20

---- blend spaces whose places all move
local s = { param_x = "speed", param_y = "at" } for i = 1, 3000 do s[i] = { function() return math.random() end,
  function() return math.random() end, "Walk" } end
try(hero.set_graph, hero, sinew.blend_space_2d(s))
local s = { param_x = "speed", param_y = "at" } for i = 1, 60 do s[i] = { function() return math.random() end,
  function() return math.random() * 1e-30 end, "Walk" } end
for i = 1, 20 do local a = sinew.actor("m" .. i, man, { params = { speed = 1, at = 0 } }) try(a.set_graph, a,
  sinew.blend_space_2d(s)) end
--== frames 20

---- blend spaces on a line, at one point, on one circle
for k = 1, 3 do local s = { param_x = "speed", param_y = "at" } for i = 1, 200 do local a = i / 200 * 6.283185307
  s[i] = k == 1 and { i, 0, "Walk" } or k == 2 and { 1, 1, "Walk" } or { math.cos(a), math.sin(a), "Walk" } end
  try(function() hero:set_graph(sinew.blend_space_2d(s)) end) end
--== frames 5

---- seeks over more loops than there are
local a = hero:play "Run" man:markers("Run", { { 0.1, "s" }, { 0.2, "t" } })
hero:on("*", function(e) G.n = (G.n or 0) + 1 end)
function sinew.update() for _, t in ipairs { 1e18, -1e18, 1e300, 0 / 0, 1 / 0, 2 ^ 63, 1e9, -1e9 } do try(a.seek,
  a, t, true) try(function() a.time = t end) try(function() a.speed = t end) try(function() a.loop = t end)
  try(function() a.phase = t end) end end
--== frames 5

---- every clip leaps a billion loops
man:markers("Run", { { 0.1, "s" }, { 0.2, "t" }, { 0.3, "u" } })
for i = 1, 300 do local a = sinew.actor("m" .. i, man) a:play("Run", { speed = 1e9 }) a:on("s", function() end)
  a:on("*", function() end) end
--== frames 4

---- a clock of huge steps with everything that waits for it
hero:play "Run" hero:root_motion { joint = "Hips" } local m = hero:motor {} sinew.on("update", function()
  m.velocity = { 1e30, 0, 1e30 } pcall(function() m.facing = 1e300 end) end)
hero:set_modifiers { sinew.spring { "h", joints = { "Ponytail1/**" }, frequency = 1e30, damping = 1e30 },
  sinew.plant { "f", lock = 1e30, max_shift = 1e30, max_tilt = 1e30 }, sinew.warp { "w" } }
for i = 1, 500 do task.run(function() while true do task.wait(1e-300) end end) end
function sinew.update() sinew.view.speed = sinew.frame % 2 == 0 and 1e300 or 1e-300 if sinew.frame == 2 then
  try(hero.measure, hero) try(hero.bake, hero, "a.glb", { seconds = 600, rate = 1e300 }) end end
--== frames 12

---- tasks that make tasks
local function f() for i = 1, 10 do task.run(f) end task.wait(0) end
function sinew.update() task.run(f) end
--== frames 8

---- chains of actors that hang on each other
local last = hero for i = 1, 300 do local a = sinew.actor("m" .. i, man) try(last.attach, last, "Head", a) last = a
  end
--== frames 4

---- chains of actors that aim at each other
local last = hero for i = 1, 300 do local a = sinew.actor("m" .. i, man) a:set_modifiers { sinew.ik { "g", tip =
  "LeftHand", target = { last, "Head" } } } last = a end
--== frames 4

---- layers without end
for i = 1, 5000 do local l = try(hero.layer, hero, "l" .. i, { mask = { ["/**"] = 1 } }) if not l then break end
  l:play "Walk" end
--== frames 4

---- masks of everything on a long chain
local c = chain(15000) local t = {} for i = 1, 3000 do t["j" .. i .. "/**"] = 1 end
function sinew.update() for i = 1, 1e4 do c:mask(t) end end
--== frames 3

---- retargets between long chains
local c, d = chain(8000), chain(8001)
function sinew.update() local p = c:rest() for i = 1, 1e4 do p = p:retarget(d):retarget(c) end end
function sinew.draw() local m = {} for i = 1, 8000 do m["j" .. i] = "j" .. (8001 - i) end for i = 1, 1e4 do m.j1 =
  "j" .. i c:match(d, { map = m }) end end
--== frames 2

---- explanations of long chains
local c = sinew.actor("c", chain(8000))
function sinew.update() for i = 1, 1e4 do c:explain(8000) tostring(c:explain(8000)) end end
sinew.on("update", function() for i = 1, 1e5 do hero:explain "Head" end end)
sinew.on("update", function() if sinew.frame == 2 then hero:measure() end for i = 1, 1e5 do local _ =
  tostring(sinew.timeline(hero)) end end)
--== frames 4

---- poses compared, mixed and mirrored
local c = chain(15000)
function sinew.update() local p = c:rest() for i = 1, 1e6 do p:compare(p) end end
sinew.on("update", function() local p = c:rest() for i = 1, 1e6 do p = p:mirror() end end)
sinew.on("update", function() local p = c:rest() for i = 1, 1e6 do p = p:blend(p, 0.5) end end)
sinew.on("update", function() local p = c:rest() for i = 1, 1e6 do p:rotate("j1", "x", 0.1, "model")
  p:get("j14999", "model") end end)
sinew.on("update", function() local p = man:rest() for i = 1, 1e7 do p:ik("LeftHand", { i, 1, 1 }) end end)
--== frames 6

---- poses written to disk without end
function sinew.update() local p = man:rest() for i = 1, 1e6 do p:save "new.pose" end end
--== frames 1

---- poses written under new names without end
function sinew.update() local p = man:rest() for i = 1, 1e6 do p:save("new" .. i .. ".pose") end end
--== frames 1

---- names that are nearly right, and long
function sinew.update() local n = ("Walk"):rep(1e5) for i = 1, 1e6 do pcall(hero.play, hero, n) end end
sinew.on("update", function() local c = chain(15000) local a = sinew.actor("c", c) for i = 1, 1e6 do pcall(a.joint,
  a, "j1000x") end end)
sinew.on("update", function() for i = 1, 1e6 do pcall(require, ("sinew.x"):rep(1000)) pcall(sinew.help,
  ("x"):rep(1e5)) end end)
--== frames 4

---- modules without end
function sinew.update() for i = 1, 1e6 do pcall(require, "m" .. i) end end
sinew.on("update", function() for i = 1, 1e6 do pcall(sinew.model, "m" .. i .. ".glb") end end)
sinew.on("update", function() for i = 1, 1e6 do pcall(sinew.model, "hero.glb", { clips = { ("*"):rep(60) .. i ..
  ".fbx", "**/*.fbx", "*/*/*/*.fbx" } }) end end)
--== frames 4

---- models with the same parts without end
function sinew.update() for i = 1, 1e6 do sinew.build_model { joints = { { name = "j" .. i } } } end end
sinew.on("update", function() for i = 1, 1e6 do sinew.try_model("hero.glb", { unit = 1 + i / 1e4, wait = false })
  end end)
--== frames 3

---- a model of a million vertices without normals
local p, x = {}, {} for i = 1, 120000 do p[i] = (i % 7) / 7 end for i = 1, 60000 do x[i] = 1 + i % 40000 end
function sinew.update() for i = 1, 300 do p[1] = i local m = sinew.build_model { meshes = { { positions = p,
  indices = x } } } G[i] = sinew.actor("m" .. i, m) end end
--== frames 3

---- vertices and bounds of everything
hero:play "Walk"
function sinew.update() for i = 1, 1e6 do hero:vertices() end end
sinew.on("update", function() for i = 1, 1e6 do hero:bounds() end end)
sinew.on("update", function() for i = 1, 1e7 do hero:pose() end end)
sinew.on("update", function() for i = 1, 1e6 do man:find_steps("Walk") end end)
sinew.on("update", function() for i = 1, 1e6 do man:velocity("Walk") man:sample("Walk", i) end end)
sinew.on("update", function() for i = 1, 1e6 do man:roles() man:joints() man:clips() end end)
--== frames 8

---- curves and markers in the largest number
function sinew.update() local k = {} for i = 1, 1e5 do k[i] = { i, i } end for i = 1, 100 do try(man.curve, man,
  "Run", "c" .. i, k) end end
sinew.on("update", function() for i = 1, 1e6 do hero:curve "c1" man:curves "Run" end end)
sinew.on("update", function() local k = {} for i = 1, 256 do k[i] = { i / 1000, "m" .. i, data = { i } } end for i
  = 1, 1e5 do man:markers("Run", k) end end)
--== frames 5

---- a save that renames everything
for i = 1, 300 do local a = sinew.actor("a" .. i, man, { params = { ["p" .. i] = i } }) a:layer("l" .. i, {}) end
--== frames 2
--== save
for i = 1, 300 do local a = sinew.actor("b" .. i, man, { params = { ["q" .. i] = i } }) a:layer("k" .. i, {}) end
--== frames 2
--== save
for i = 300, 1, -1 do sinew.crowd(man, 2, { name = "c" .. i, params = { ["r" .. i] = i } }) end
--== frames 2

---- values kept that are deep, wide and their own
local k = sinew.keep("k", { a = 1 }) local t = k for i = 1, 50000 do t.x = {} t = t.x end t.x = k
for i = 1, 100000 do k[i] = { i } end
--== frames 2
--== save
local k = sinew.keep("k", { a = 2 })
--== frames 2
--== restart
--== frames 2

---- functions with as many variables as fit, saved
local src = { "local t = {}\n" } for f = 1, 400 do local n = {} for i = 1, 50 do n[i] =
  ("local v%d_%d = %d"):format(f, i, i) end src[#src + 1] = "do " .. table.concat(n, " ") .. " t[" .. f ..
  "] = function() return " for i = 1, 50 do src[#src + 1] = ("v%d_%d,"):format(f, i) end src[#src + 1] =
  "0 end end\n" end
G.f = load(table.concat(src) .. "return t")() KEEP = G.f
--== frames 2
--== save
KEEP = G.f
--== frames 2

---- widgets in widgets
function sinew.draw() local function f(n) sinew.ui.tree("t" .. n, function() f(n + 1) end, true) end f(1) end
sinew.on("draw", function() local t = {} for i = 1, 1e5 do t[i] = { "t" .. i, function() end } end
  sinew.ui.tabs("x", t) for i = 1, 1e6 do sinew.ui.text(("x"):rep(1e5)) sinew.ui.plot("p", t) end end)
sinew.on("draw", function() for i = 1, 1e7 do sinew.debug.text(i, i, "x") end end)
sinew.on("draw", function() for i = 1, 1e8 do sinew.debug.line({ i, 0, 0 }, { 0, i, 0 }) end end)
sinew.on("draw", function() for i = 1, 1e7 do sinew.debug.skeleton(hero) end end)
--== frames 6

---- crowds of the largest number with arrays of the same
function sinew.update() local c = sinew.crowd(man, 100000, { name = "c", graph = "Walk" }) local b = {} for i = 1,
  1e6 do c.x:read(b) c.x:set(b) c.y = c.x end end
sinew.on("update", function() for i = 1, 1e6 do try(sinew.crowd, man, 100000, { name = "c" .. i, graph = "Walk" })
  end end)
--== frames 3

---- crowds whose members each have a moving graph
local st, tr = {}, {} for i = 1, 40 do st["s" .. i] = "Walk" tr[i] = { "*", "s" .. i, when = "speed > " .. i / 40,
  restart = true, fade = 10 } end
local c = sinew.crowd(man, 5000, { name = "c", params = { speed = 1 }, graph = sinew.state_machine { states = st,
  transitions = tr } })
function sinew.update() for i = 1, 5000 do c.params.speed[i] = math.random() c.rate[i] = 1e5 end for i = 1, 1e7 do
  c:state(1 + i % 5000) end end
--== frames 4

---- bakes of everything at once
for i = 1, 600 do sinew.actor("m" .. i, man):play "Walk" end
function sinew.update() for i = 1, 600 do try(function() sinew.actor("m" .. i):bake("b" .. i .. ".glb", { seconds =
  600, rate = 1e6 }) end) end end
--== frames 12

---- tests that simulate for ever
sinew.test = function() sinew.simulate { seconds = 1e18 } end
sinew.tests.b = function() for i = 1, 1e9 do sinew.simulate { frames = 1, keys = { { 0, "+w" } } } end end
hero:play "Walk"
function sinew.update() for i = 1, 3000 do end end
--== frames 1
--== test
--== frames 1

---- completion of what is large
T = {} for i = 1, 30000 do T["key" .. i] = i end U = setmetatable({}, { __index = T }) for i = 1, 90 do U =
  setmetatable({}, { __index = U }) end U.self = setmetatable({}, {}) getmetatable(U.self).__index = U.self
--== frames 1
--== complete T.key
--== complete U.key1
--== complete U.self.self.x
--== console T
--== console U
--== console #T, T, {T, T, {T}}
--== console ("x"):rep(1e8)
--== console for i = 1, 1e9 do print(i) end
--== stubs
--== frames 1
