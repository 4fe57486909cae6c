/* A runaway or prying script becomes an error with a traceback, in a host that keeps drawing. */
#include "harness.h"

typedef struct trial {
  const char *name, *code, *expected; /* the code runs inside a callback; expected is in the message */
} trial;

static const trial endless[] = {
    {"a bare loop", "while true do end", "ran too long"},
    {"in a coroutine", "coroutine.wrap(function() while true do end end)()", "ran too long"},
    {"under resume, for ever", "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
     "ran too long"},
    {"many short coroutines", "while true do coroutine.wrap(function() end)() end", "ran too long"},
    {"under pcall in a loop", "while true do pcall(function() while true do end end) end", "ran too long"},
    {"under xpcall with a handler that loops",
     "while true do xpcall(function() while true do end end, function() while true do end end) end", "ran too long"},
    {"in a tail call", "local function f() return f() end f()", "ran too long"},
    {"in __close",
     "for i = 1, 1e9 do local x <close> = setmetatable({}, { __close = function() while true do end end }) end",
     "ran too long"},
    {"in __close of a coroutine",
     "coroutine.wrap(function() local x <close> = setmetatable({}, { __close = function() while true do end end }) "
     "while true do end end)()",
     "ran too long"},
    {"in __tostring of an error", "error(setmetatable({}, { __tostring = function() while true do end end }))", "o"},
    {"in __index", "local t = setmetatable({}, { __index = function(t, k) return t[k + 1] end }) return t[1]",
     "overflow"},
    {"a pattern that backtracks", "string.find(('a'):rep(100), ('a*'):rep(20) .. 'b')", "ran too long"},
    {"a pattern by method", "(('a'):rep(5000)):match('.-.-.-.-b')", "ran too long"},
    {"gsub over and over", "local s = ('a'):rep(1e6) while true do s:gsub('a', 'a') end", "ran too long"},
    {"table.concat of a liar",
     "table.concat(setmetatable({}, { __len = function() return 1e9 // 1 end, __index = function() return '' end }))",
     "too many"},
    {"table.move of a billion", "table.move({}, 1, 1000000000, 2)", "too many"},
    {"table.unpack of a billion", "table.unpack({}, 1, 1000000000)", "too many"},
    {"table.sort of a liar",
     "table.sort(setmetatable({}, { __len = function() return 2000000000 end, __index = math.type }))", "too many"},
    {"insert at the front", "local t = {} for i = 1, 1e5 do t[i] = i end while true do table.insert(t, 1, 0) end",
     "ran too long"},
    {"long text over and over", "local s = ('x'):rep(1000):rep(8000) while true do s = s:upper() end", "ran too long"},
    {"load of much text", "local s = ('x=1 '):rep(2e6) while true do load(s) end", "ran too long"},
    {"pairs of much", "local t = {} for i = 1, 2e5 do t[i] = i end while true do pairs(t) end", "ran too long"},
    {"dates without end", "local f = ('%c'):rep(400) while true do os.date(f) end", "ran too long"},
    {"a date of many", "os.date(('%c'):rep(1e6))", "the format is too long"},
    {"a long number over and over", "local s = ('9'):rep(1000):rep(8000) while true do tonumber(s) end",
     "ran too long"},
    {"characters counted over and over", "local s = ('x'):rep(1000):rep(8000) while true do utf8.len(s) end",
     "ran too long"},
    {"a place sought over and over",
     "local s = ('x'):rep(1000):rep(8000) while true do utf8.offset(s, -1, 8e6 // 1 | 0) end", "ran too long"},
    {"formats over and over", "local s = ('x'):rep(1000):rep(8000) while true do ('%s'):format(s) end", "ran too long"},
    {"bytes of much", "string.byte(('x'):rep(1e6), 1, -1)", "values at once"},
    {"code points of much", "utf8.codepoint(('x'):rep(1e6), 1, -1)", "at once"},
    {"a comparison that loops", "table.sort({ 1, 2, 3 }, function() while true do end end)", "ran too long"},
    {"a replacement that loops", "('a'):gsub('.', function() while true do end end)", "ran too long"},
    {"lines over and over", "while true do sinew.debug.line({0,0,0}, {1,1,1}) end", "ran too long"},
    {"text over and over", "while true do sinew.debug.text(0, 0, 'x') end", "ran too long"},
    {"widgets over and over", "while true do sinew.ui.text 'x' end", "ran too long"},
    {"resuming what resumes it",
     "local main = coroutine.running() while true do coroutine.wrap(function() coroutine.resume(main) end)() end",
     "ran too long"},
    {"closing itself", "while true do pcall(coroutine.close, coroutine.running()) end", "ran too long"},
    {"error after error",
     "local function f() error(setmetatable({}, { __tostring = f })) end while true do pcall(f) end", "ran too long"},
    {"__eq, __lt, __concat and __len that loop",
     "local t = setmetatable({}, { __len = function() while true do end end }) while true do pcall(function() return "
     "#t "
     "end) end",
     "ran too long"},
    {"__pairs that loops", "pairs(setmetatable({}, { __pairs = function() while true do end end }))", "ran too long"},
    {"a generic for without end", "for _ in function() return 1 end do end", "ran too long"},
    {"goto", "::a:: goto a", "ran too long"},
    {"an iterator over itself",
     "local t = {} for i = 1, 1e5 do t[i] = i end while true do for k in pairs(t) do t[k] = k "
     "end end",
     "ran too long"},
    {"insert into a table that lies",
     "local n = 0 table.insert(setmetatable({}, { __len = function() n = n + 1 return n > 1 and 1 << 40 or 1 end,\n"
     "__newindex = function() end }), 1, 'x') error('asked ' .. n)",
     "asked 1"},
    {"remove from a table that lies",
     "local n = 0 table.remove(setmetatable({}, { __len = function() n = n + 1 return n > 1 and 1 << 40 or 1 end,\n"
     "__index = function() end, __newindex = function() end }), 1) error('asked ' .. n)",
     "asked 1"},
    {"insert into a table of billions",
     "table.insert(setmetatable({}, { __len = function() return 1 << 40 end }), 1, 'x')", "too many"},
    {"remove from a table of billions", "table.remove(setmetatable({}, { __len = function() return 1 << 62 end }), 1)",
     "too many"},
    {"insert at a float", "local t = {} for i = 1, 1e5 do t[i] = i end while true do table.insert(t, 1.0, 0) end",
     "ran too long"},
    {"insert with slow elements",
     "local s = ('x'):rep(1e6) table.insert(setmetatable({}, { __len = function() return 1000000 end,\n"
     "__index = function() return s:upper() end, __newindex = function() end }), 1, 'x')",
     "ran too long"},
    {"sort of long text", "local s, t = ('x'):rep(1000):rep(8000), {} for i = 1, 1e5 do t[i] = s end table.sort(t)",
     "ran too long"},
    {"sort of a table that lies",
     "local n = 0 table.sort(setmetatable({ 1 }, { __len = function() n = n + 1 return n > 1 and 1 << 40 or 1 end })) "
     "error('asked ' .. n)",
     "asked 1"},
    {"concat of a table that lies",
     "local n = 0 table.concat(setmetatable({ 1 }, { __len = function() n = n + 1 return n > 1 and 1 << 40 or 1 end "
     "})) "
     "error('asked ' .. n)",
     "asked 1"},
    {"unpack of a table that lies",
     "local n = 0 table.unpack(setmetatable({ 1 }, { __len = function() n = n + 1 return n > 1 and 60000 or 1 end })) "
     "error('asked ' .. n)",
     "asked 1"},
    {"a long set of a pattern", "(('a'):rep(1e6)):find('[' .. ('b'):rep(1e6) .. ']')", "ran too long"},
    {"a long set that is passed over", "(('a'):rep(1e6)):find('x?[' .. ('b'):rep(1e6) .. ']')", "ran too long"},
    {"a frontier with a long set", "(('a'):rep(1e6)):find('%f[' .. ('b'):rep(1e6) .. ']')", "ran too long"},
    {"a long replacement of nothing", "(('a'):rep(1e6)):gsub('(b*)a', ('%1'):rep(1e6))", "ran too long"},
    {"a long capture over and over", "(('a'):rep(1e6)):find('(a*)%1b')", "ran too long"},
    {"nothing, for ever", "(''):rep(math.maxinteger)", "ran too long"},
    {"nothing with nothing between, for ever", "(''):rep(math.maxinteger - 1, '')", "ran too long"},
    {"collectgarbage in a loop", "while true do collectgarbage() end", "ran too long"},
};

static const trial hungry[] = {
    {"string.rep", "string.rep('x', 1e10)", "string.rep"},
    {"rep by method", "('x'):rep(1 << 40)", "string.rep"},
    {"rep with a separator", "(''):rep(1e9, 'abc')", "string.rep"},
    {"doubling", "local s = 'x' while true do s = s .. s end", "not enough memory"},
    {"a huge table", "local t = {} for i = 1, 1e9 do t[i] = { i } end", "o"},
    {"nested tables", "local t = {} while true do t = { t, t } end", "o"},
    {"string.pack", "string.pack('c1000000000', '')", "too large"},
    {"packed piece by piece", "string.pack(('c999999'):rep(10000), table.unpack({}, 1, 10000))", "o"},
    {"a format of many",
     "local s = ('x'):rep(1e6); (('%s'):rep(200)):format(table.unpack((function() local t = {} for i = "
     "1, 200 do t[i] = s end return t end)()))",
     "ran too long"},
    {"gsub that grows", "local s = ('x'):rep(1e6) s:gsub('.', ('y'):rep(1000))", "ran too long"},
    {"table.concat of much", "local t = {} for i = 1, 2000 do t[i] = ('x'):rep(1e5) end table.concat(t)", "o"},
    {"coroutines that wait", "local t = {} while true do t[#t + 1] = coroutine.create(function() end) end", "o"},
    {"closures", "local f while true do local g = f f = function() return g end end", "o"},
    {"handlers", "while true do sinew.on('update', math.abs) end", "more than 64 handlers"},
    {"keys of long text", "local t = {} for i = 1, 1e9 do t[('x'):rep(1e5) .. i] = i end", "o"},
    {"deep recursion", "local function f() return 1 + f() end f()", "o"},
    {"deep pcall", "local function f() pcall(f) end f() error 'came back'", "r"},
    {"coroutines that close each other", /* Lua counts the depth of each anew */
     "local function link(other) local co = coroutine.create(function() "
     "local x <close> = setmetatable({}, { __close = function() if other then assert(coroutine.close(other)) end end "
     "})\n"
     "  coroutine.yield() end) coroutine.resume(co) return co end\n"
     "local last for i = 1, 4000 do last = link(last) end assert(coroutine.close(last))",
     "C stack overflow"},
    {"deep text", "load(('('):rep(100000))() ", "nil"},
};

static const trial prying[] = {
    {"os", "return (require 'os')", "no file 'os.lua'"},
    {"io", "return io.open('/etc/passwd')", "'io' is not available to scenes"},
    {"os.execute", "os.execute('true')", "os.execute is not available to scenes"},
    {"os.getenv", "os.getenv('HOME')", "os.getenv is not available to scenes"},
    {"debug", "debug.getregistry()", "'debug' is not available to scenes"},
    {"package", "package.loadlib('x', 'y')", "'package' is not available to scenes"},
    {"dofile", "dofile('/etc/passwd')", "'dofile' is not available to scenes"},
    {"loadfile", "loadfile('/etc/passwd')", "'loadfile' is not available to scenes"},
    {"bytecode", "assert(load('\\27Lua'))", "attempt to load a binary chunk"},
    {"string.dump", "string.dump(print)", "'dump' is nil, so it cannot be called"},
    {"load of a function", "load(function() return nil end)", "text only"},
    {"getmetatable of text", "getmetatable('').__index = nil", "index a string"},
    {"setmetatable of text", "setmetatable('', {})", "table expected"},
    {"metatable of the environment", "setmetatable(_G, {})", "protected metatable"},
    {"metatable of sinew", "assert(getmetatable(sinew) == 'sinew') rawset(sinew, 'x', 1)", "table expected"},
    {"__gc", "setmetatable({}, { __gc = function() end })", "__gc"},
    {"require with a path", "require '../../etc/passwd'", "not a module name"},
    {"require of an absolute path", "require '/etc/passwd'", "not a module name"},
    {"a model by an absolute path", "sinew.model '/etc/passwd'", "outside the folders"},
    {"nothing by an absolute path", "sinew.model '/etc/passwd-not'", "outside the folders"},
    {"a folder outside", "sinew.model '/etc'", "outside the folders"},
    {"clips of a folder outside", "sinew.model('hero.glb', { clips = { '/etc' } })", "outside the folders"},
    {"clips of no folder outside", "sinew.model('hero.glb', { clips = { '/nowhere/x' } })", "outside the folders"},
    {"clips by a pattern outside", "sinew.model('hero.glb', { clips = { '/etc/*' } })", "outside the folders"},
    {"clips by a pattern of nothing", "sinew.model('hero.glb', { clips = { '/nowhere/*' } })", "outside the folders"},
    {"a pose that is nowhere", "sinew.load_pose('/nowhere.pose', sinew.model 'hero.glb')", "outside the folders"},
    {"a model by a way out", "sinew.model '../../../../../../../../etc/passwd'", "outside the folders"},
    {"the environment of load", "load('return io')()", "'io' is not available to scenes"},
    {"__gc that comes late",
     "local m = {} local t = setmetatable({}, m) m.__gc = function() print 'escaped' end t = nil collectgarbage() "
     "error 'stayed'",
     "stayed"},
    {"__gc in a metatable of a metatable",
     "setmetatable({}, setmetatable({}, { __index = { __gc = function() print 'escaped' end } })) collectgarbage() "
     "error 'stayed'",
     "stayed"},
    {"a metatable behind __metatable", "error(type(getmetatable(sinew.vec3(1, 2, 3))))", "string"},
    {"the metatable of an actor's morphs", "setmetatable(sinew.actor('x', 'hero.glb').morphs, {})", "table expected"},
    {"methods of text", "string.rep = nil error(('x'):rep(3))", "xxx"},
    {"another scene's methods of text", "getmetatable('').x = 1", "index a string"},
    {"the registry through coroutines", "error(tostring(coroutine.running().x))", "index a thread"},
    {"bytecode with a mode", "assert(load('\\27Lua', 'x', 'b'))", "attempt to load a binary chunk"},
    {"bytecode of a function", "assert(load(string.dump or function() end))", "text only"},
    {"an environment for load", "load('return print', 'x', 't', {})()('x')", "a value is nil, so it cannot be called"},
    {"require of a folder", "require '.'", "not a module name"},
    {"require with an end of text", "require 'part\\0/../../etc/passwd'", "no file 'part.lua'"},
    {"require through a link upwards", "require '..'", "not a module name"},
    {"require with backslashes", "require '..\\\\..\\\\x'", "not a module name"},
    {"a model from the process", "sinew.model '/proc/self/environ'", "outside the folders"},
    {"a model that is a device", "sinew.model '/dev/zero'", "outside the folders"},
    {"clips from outside", "sinew.model('hero.glb', { clips = { '/etc/passwd' } })", "outside the folders"},
    {"a model with an end of text", "sinew.model 'hero.glb\\0/../../../etc/passwd'", "zero byte"},
    {"try_model from outside", "error(select(2, sinew.try_model '/etc/passwd'))", "outside the folders"},
    {"os.exit", "os.exit(0)", "os.exit is not available to scenes"},
    {"os.remove", "os.remove('scene.lua')", "os.remove is not available to scenes"},
    {"os.tmpname", "os.tmpname()", "os.tmpname is not available to scenes"},
    {"a format in a message", "error('%s%n%x')", "%s%n%x"},
    {"a format in a name", "sinew.actor('%n%s', '%n%s.glb')", "no file '%n%s.glb'"},
    {"many imports at once", "for i = 1, 1000 do sinew.model('brawler.glb', { wait = false, unit = i }) end",
     "models are being imported already"},
    {"more actors than there is room for",
     "local m = sinew.model 'hero.glb' for i = 1, 1e6 do sinew.actor('a' .. i, m) "
     "end",
     "ran too long"},
    {"a faked chunk name", "load('error(1, 1)', '@/etc/passwd')()", "/etc/passwd"},
};

/* The callback fails with the expected words and a traceback, once; a second callback goes on. */
static void attempt(const trial *t, bool counts, int64_t limit) {
  harness h;
  char text[2048];
  sinew_scene_def def = sinew_scene_def_default();
  def.count_instructions = counts;
  def.memory_limit = (size_t)64 << 20;
  def.instruction_limit = limit;
  snprintf(text, sizeof text, "function sinew.update() %s end function sinew.draw() print 'drawn' end", t->code);
  harness_open_host(&h);
  if (!harness_load(&h, text, &def)) fail_msg("%s: %s", t->name, h.error.message);
  harness_step(&h, 3);
  const char *problem = sinew_scene_problem(h.scene);
  if (!problem || !strstr(problem, t->expected)) {
    fail_msg("%s: '%s' is not in: %s", t->name, t->expected, problem ? problem : "(no error)");
  }
  assert_string_equal(h.printed, "drawn\ndrawn\ndrawn\n");
  bool placed = strncmp(problem, h.path, strlen(h.path)) == 0; /* Lua cannot say where memory ran out */
  harness_expect(sinew_host_problem(h.host, 1), placed ? "function sinew.update()" : "");
  assert_null(strstr(sinew_host_problem(h.host, 1), "root:"));
  assert_null(strstr(problem, "root:"));
  assert_true(harness_reload(&h, "function sinew.update() print 'mended' end"));
  harness_step(&h, 1);
  harness_expect(h.printed, "mended");
  assert_null(sinew_host_problem(h.host, 1));
  harness_close(&h);
}

static void test_endless(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
    attempt(&endless[i], true, 2000000);
    attempt(&endless[i], false, 2000000);
  }
}

static void test_hungry(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof hungry / sizeof *hungry; i++) attempt(&hungry[i], true, 5000000);
}

static void test_prying(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof prying / sizeof *prying; i++) attempt(&prying[i], true, 5000000);
}

/* Closing, in a later frame, a coroutine that was stopped does not run its __close, which nothing could stop. */
static void test_stopped_coroutine(void **state) {
  harness h;
  (void)state;
  harness_open(&h, "local co = coroutine.create(function() local x <close> = setmetatable({}, { __close = function() "
                   "while true do end end }) while true do end end)\n"
                   "function sinew.update() coroutine.resume(co) end\n"
                   "function sinew.draw() print(pcall(coroutine.close, co)) end\n");
  harness_step(&h, 2);
  harness_expect(h.printed, "false\tthis coroutine ran too long");
  harness_close(&h);
}

static void test_endless_load(void **state) {
  harness h;
  (void)state;
  harness_open_host(&h);
  assert_false(harness_load(&h, "print 'begun'\nwhile true do end", NULL));
  harness_expect(h.error.message, "ran too long");
  harness_expect(h.error.message, "scene.lua:2");
  harness_expect(h.error.message, "stack traceback");
  harness_close(&h);
}

/* A link in the scene's folder does not lead out of it, and does not tell what is there. */
static void test_links(void **state) {
  static const char *const targets[] = {"/etc/hostname", "/etc/nothing", "/dev/null", "secret.lua"};
  (void)state;
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
    harness h;
    char link[128];
    harness_open(&h, "-- nothing yet");
    snprintf(link, sizeof link, "%s/secret.lua", h.folder);
    assert_int_equal(symlink(targets[i], link), 0);
    assert_false(harness_reload(&h, "require 'secret'"));
    harness_expect(h.error.message, "outside the folders");
    harness_close(&h);
  }
}

/* The ways in which a scene opens a file. `sibling` leads to a folder beside the scene's, and `door` and `link…` are
 * links into it. */
static const char *const siblings[] = {
    "require 'link'",
    "require 'door.secret'",
    "sinew.model(sibling .. 'secret.glb')",
    "sinew.model 'link.glb'",
    "sinew.model 'door/secret.glb'",
    "sinew.model('hero.glb', { clips = { sibling .. 'secret.glb' } })",
    "sinew.model('hero.glb', { clips = { sibling .. '*.glb' } })",
    "sinew.model('hero.glb', { clips = { 'door/*.glb' } })",
    "sinew.model('hero.glb', { clips = { 'door/se*.glb' } })",
    "sinew.load_pose(sibling .. 'secret.pose', sinew.model 'hero.glb')",
    "sinew.load_pose('door/secret.pose', sinew.model 'hero.glb')",
};

/* The ways in which a callback writes one. */
static const char *const written_siblings[] = {
    "man:rest():save(sibling .. 'new.pose')", "man:rest():save 'door/new.pose'",
    "hero:bake(sibling .. 'new.glb')",        "hero:bake 'door/new.glb'",
    "sinew.record(sibling .. 'new.mp4')",     "sinew.record 'door/new.mp4'",
};

static void write_in(const char *folder, const char *name, const char *text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  harness_write(path, text);
}

static void link_in(const char *folder, const char *name, const char *to) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  assert_int_equal(symlink(to, path), 0);
}

/* Makes a folder beside `folder` whose name begins with the same letters, with files, and links that lead from `in` to
 * them. */
static void make_sibling(const char *folder, const char *in, char sibling[128]) {
  char file[192];
  snprintf(sibling, 128, "%sb", folder);
  assert_int_equal(mkdir(sibling, 0700), 0);
  write_in(sibling, "secret.lua", "return 7");
  write_in(sibling, "secret.glb", "glTF");
  write_in(sibling, "secret.pose", "sinew pose ");
  link_in(in, "door", sibling);
  snprintf(file, sizeof file, "%s/secret.lua", sibling);
  link_in(in, "link.lua", file);
  snprintf(file, sizeof file, "%s/secret.glb", sibling);
  link_in(in, "link.glb", file);
}

static void expect_refusal(const char *code, const char *message, const char *reason) {
  if (!message || !strstr(message, reason)) fail_msg("%s: %s", code, message ? message : "not refused");
}

static void expect_sibling_closed(harness *h, const char *sibling) {
  const char *name = strrchr(sibling, '/') + 1;
  char text[512];
  for (size_t i = 0; i < sizeof siblings / sizeof *siblings; i++) {
    snprintf(text, sizeof text, "local sibling = '../%s/'\n%s", name, siblings[i]);
    expect_refusal(siblings[i], harness_reload(h, text) ? NULL : h->error.message, "outside the folders");
  }
  for (size_t i = 0; i < sizeof written_siblings / sizeof *written_siblings; i++) {
    snprintf(text, sizeof text,
             "local sibling, man = '../%s/', sinew.model 'hero.glb'\n"
             "local hero = sinew.actor('hero', man)\n"
             "function sinew.update() %s end",
             name, written_siblings[i]);
    if (!harness_reload(h, text)) fail_msg("%s: %s", written_siblings[i], h->error.message);
    harness_step(h, 1);
    expect_refusal(written_siblings[i], sinew_scene_problem(h->scene), "own folder");
  }
}

/* Of the files that match a pattern in the scene's own folder, those that are links out of it are left out. */
static void expect_links_left_out(harness *h) {
  assert_false(harness_reload(h, "sinew.model('hero.glb', { clips = { 'l*.glb' } })"));
  harness_expect(h->error.message, "no model file matches");
}

static void remove_folder(const char *folder) {
  char command[160];
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  assert_int_equal(system(command), 0);
}

/* A folder whose name continues that of the scene's folder is another folder. */
static void test_sibling_of_the_scene(void **state) {
  harness h;
  char sibling[128];
  (void)state;
  harness_open(&h, "-- nothing yet");
  make_sibling(h.folder, h.folder, sibling);
  expect_sibling_closed(&h, sibling);
  expect_links_left_out(&h);
  write_in(h.folder, "own.lua", "return 7");
  link_in(h.folder, "same.lua", "own.lua");
  assert_true(harness_reload(&h, "assert(require 'same' == 7)"));
  remove_folder(sibling);
  harness_close(&h);
}

static void test_sibling_of_an_allowed_folder(void **state) {
  harness h;
  char folder[] = "/tmp/sinew-allow-XXXXXX", sibling[128];
  const char *allow[] = {folder};
  sinew_scene_def def = sinew_scene_def_default();
  (void)state;
  assert_non_null(mkdtemp(folder));
  def.allow = allow;
  def.allow_count = 1;
  harness_open_host(&h);
  assert_true(harness_load(&h, "-- nothing yet", &def));
  make_sibling(folder, h.folder, sibling);
  expect_sibling_closed(&h, sibling);
  remove_folder(sibling);
  remove_folder(folder);
  harness_close(&h);
}

/* What a scene writes replaces only files of its kind, and no link to one. */
static void test_only_own_files_are_replaced(void **state) {
  static const struct {
    const char *file, *own, *write;
  } kinds[] = {
      {"pose", "sinew pose ", "man:rest():save '%s.pose'"},
      {"glb", "12345678901234567890{\"asset\":{\"version\":\"2.0\",\"generator\":\"Sinew\"}", "hero:bake '%s.glb'"},
      {"mp4", "a film, recorded: Sinew\n", "sinew.record '%s.mp4'"}};
  (void)state;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    static const char *const names[] = {"own", "other", "link", "nowhere", "folder"};
    harness h;
    char file[32], text[512], write[64];
    harness_open(&h, "-- nothing yet");
    snprintf(file, sizeof file, "own.%s", kinds[i].file), write_in(h.folder, file, kinds[i].own);
    snprintf(file, sizeof file, "other.%s", kinds[i].file), write_in(h.folder, file, "of somebody else");
    snprintf(text, sizeof text, "own.%s", kinds[i].file);
    snprintf(file, sizeof file, "link.%s", kinds[i].file), link_in(h.folder, file, text);
    snprintf(file, sizeof file, "nowhere.%s", kinds[i].file), link_in(h.folder, file, "missing");
    snprintf(text, sizeof text, "%s/folder.%s", h.folder, kinds[i].file);
    assert_int_equal(mkdir(text, 0700), 0);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
      snprintf(write, sizeof write, kinds[i].write, names[k]);
      snprintf(text, sizeof text,
               "local man = sinew.model 'hero.glb'\n"
               "local hero = sinew.actor('hero', man)\n"
               "function sinew.update() %s end",
               write);
      if (!harness_reload(&h, text)) fail_msg("%s: %s", write, h.error.message);
      harness_step(&h, 1);
      const char *problem = sinew_scene_problem(h.scene);
      bool refused = problem && strstr(problem, "is not replaced");
      if (refused != (k > 0)) fail_msg("%s: %s", write, problem ? problem : "not refused");
    }
    harness_close(&h);
  }
}

static void test_allowed_folder(void **state) {
  harness h;
  char folder[] = "/tmp/sinew-allow-XXXXXX", module[128];
  const char *allow[] = {folder};
  sinew_scene_def def = sinew_scene_def_default();
  (void)state;
  assert_non_null(mkdtemp(folder));
  snprintf(module, sizeof module, "%s/extra.lua", folder);
  harness_write(module, "return 7");
  def.allow = allow;
  def.allow_count = 1;
  harness_open_host(&h);
  assert_true(harness_load(&h, "assert(require 'extra' == 7)", &def));
  harness_close(&h);
  remove(module);
  rmdir(folder);
}

static void test_trust(void **state) {
  harness h;
  sinew_scene_def def = sinew_scene_def_default();
  (void)state;
  def.trust = true;
  harness_open_host(&h);
  assert_true(harness_load(&h, "assert(io.open and debug.getinfo and os.getenv and require 'string' == string)", &def));
  harness_close(&h);
}

/* The same script prints the same, whatever the process's hash seed; and pairs has its order. */
static void test_pairs(void **state) {
  harness h;
  (void)state;
  harness_open(
      &h,
      "local a, b, f = {}, {}, function() end\n"
      "local t = { zebra = 1, [3] = 1, apple = 1, [1] = 1, [true] = 1, [2.5] = 1, mango = 1, [-7] = 1 }\n"
      "t[b], t[a], t[f] = 'b', 'a', 'f'\n"
      "local keys = {}\n"
      "for k, v in pairs(t) do keys[#keys + 1] = type(v) == 'string' and v or tostring(k) end\n"
      "print(table.concat(keys, ' '))\n"
      "local gone = { x = 1, y = 2, z = 3 } local seen = ''\n"
      "for k in pairs(gone) do seen = seen .. k gone.y = nil gone[k] = nil end print(seen)\n"
      "for k, v in pairs(setmetatable({}, { __pairs = function() return next, { q = 9 } end })) do print(k, v) end\n");
  assert_string_equal(h.printed, "-7 1 2.5 3 apple mango zebra true a b f\nxz\nq\t9\n");
  harness_close(&h);
}

static void test_random_is_repeatable(void **state) {
  harness a, b;
  const char *text = "function sinew.update() print(math.random(1000000), math.random()) end";
  (void)state;
  harness_open(&a, text);
  harness_open(&b, text);
  harness_step(&a, 20);
  harness_step(&b, 10);
  assert_true(harness_reload(
      &b, "local unused = math.random()\n function sinew.update() print(math.random(1000000), math.random()) end"));
  harness_step(&b, 10);
  assert_string_equal(a.printed, b.printed);
  harness_close(&a);
  harness_close(&b);
}

/* Patterns against Lua's own, which a trusted scene has. */
static const char patterns[] =
    "local texts = { '', 'a', 'aaa', 'hello world', '  key = value  ', '[[x]]', 'a.b.c', '2024-11-20', 'f(a(b)c)d', "
    "'THE (quick) fox', 'x\\0y', 'äö', '%d', '...', 'abcabcabc' }\n"
    "local patterns = { '', 'a', 'a*', 'a+', 'a-', 'a?b', '^a', 'a$', '^$', '.', '.-', '%a+', '%s*(.-)%s*$', "
    "'^%s*(%w+)%s*=%s*(%w+)%s*$', '(%d+)-(%d+)-(%d+)', '%b()', '%b[]', '%f[%a]%a+', '%f[%A]', '()', '()ll()', "
    "'[a-c]+', '[^a-c]+', '[]]', '[^]]', '[a-]', '[%a_]+', '(a)(b)(c)%1', '(.)%1', '%.', '[%w.]+', '%z', '%W', '$', "
    "'a.-c', "
    "'((a)b)c', '[%', '%', '(', ')', '%b', '%f', '(()', '%9', 'a**', '[a' }\n"
    "local function show(...) local t = { ... } for i = 1, select('#', ...) do t[i] = tostring(t[i]) end return "
    "table.concat(t, '|') end\n"
    "for _, t in ipairs(texts) do for _, p in ipairs(patterns) do\n"
    "  for _, f in ipairs { 'find', 'match' } do for _, at in ipairs { 1, 2, -2, 9 } do\n"
    "    local r = { pcall(string[f], t, p, at) } if not r[1] then r = { false } end print(f, t, p, at, "
    "show(table.unpack(r, 1, 9)))\n"
    "  end end\n"
    "  for _, r in ipairs { '<%0>', '%%', 'x', { a = 'T' }, function(x) return x == 'a' and 'F' end } do\n"
    "    local ok, s, n = pcall(string.gsub, t, p, r) print(t, p, ok, ok and s, ok and n)\n"
    "  end\n"
    "  local ok, all = pcall(function() local s = '' for a, b in string.gmatch(t, p) do s = s .. show(a, b) .. ';' end "
    "return s end)\n"
    "  print('gmatch', t, p, ok, ok and all)\n"
    "end end\n";

/* Tables, with and without metamethods, against Lua's own. */
static const char tables[] =
    "local function show(...) local t = { ... } local s = '' for i = 1, select('#', ...) do s = s .. '|' .. "
    "tostring(t[i]) end return s end\n"
    "local function make(kind, n)\n"
    "  local held = {} for i = 1, n do held[i] = (i * 7919) % 101 end\n"
    "  if kind == 'plain' then return held, held end\n"
    "  return setmetatable({}, { __len = function() return n end, __index = function(_, k) return held[k] end,\n"
    "    __newindex = function(_, k, v) held[k] = v end }), held\n"
    "end\n"
    "local calls = {\n"
    "  { 'insert', 'v' }, { 'insert', 1, 'v' }, { 'insert', 3, 'v' }, { 'insert', 0, 'v' }, { 'insert', 99, 'v' }, "
    "{ 'insert' },\n"
    "  { 'insert', 1, 2, 3 }, { 'insert', 2.5, 'v' }, { 'insert', 1.0, 'v' }, { 'remove' }, { 'remove', 1 }, { "
    "'remove', 3 },\n"
    "  { 'remove', 0 }, { 'remove', 6 }, { 'remove', 7 }, { 'remove', -1 }, { 'concat' }, { 'concat', ', ' }, { "
    "'concat', ', ', 2 },\n"
    "  { 'concat', ', ', 2, 3 }, { 'concat', ', ', 3, 2 }, { 'concat', ', ', 1, 9 }, { 'concat', 7 }, { 'unpack' }, { "
    "'unpack', 2 },\n"
    "  { 'unpack', 2, 3 }, { 'unpack', 3, 2 }, { 'unpack', -1, 7 }, { 'unpack', math.maxinteger - 1, math.maxinteger "
    "},\n"
    "  { 'move', 1, 3, 2 }, { 'move', 2, 5, 1 }, { 'move', 1, 5, 9 }, { 'move', 3, 1, 1 }, { 'move', 1, 3, 1, {} },\n"
    "  { 'move', 1, 3, math.maxinteger }, { 'sort' }, { 'sort', function(a, b) return a > b end }, { 'sort', 1 },\n"
    "  { 'sort', function(a, b) return a % 10 < b % 10 or a % 10 == b % 10 and a < b end } }\n"
    "for _, kind in ipairs { 'plain', 'proxy' } do for _, n in ipairs { 0, 1, 5, 100 } do for _, c in ipairs(calls) "
    "do\n"
    "  local t, held = make(kind, n)\n"
    "  local r = table.pack(pcall(table[c[1]], t, select(2, table.unpack(c)))) if not r[1] then r = { false, n = 1 } "
    "end\n"
    "  for i = 1, r.n do if type(r[i]) == 'table' then r[i] = 'a table' end end\n"
    "  print(kind, n, c[1], show(table.unpack(r, 1, r.n)), show(table.unpack(held, 0, 110)))\n"
    "end end end\n"
    "for _, f in ipairs { 'insert', 'remove', 'concat', 'unpack', 'sort', 'move' } do print(f, (pcall(table[f], 7)), "
    "(pcall(table[f]))) end\n";

static void hash_print(void *user, const char *line) {
  uint64_t *hash = user;
  for (; *line; line++) *hash = (*hash ^ (uint8_t)*line) * 1099511628211u;
  *hash = (*hash ^ '\n') * 1099511628211u;
}

static uint64_t hash_of(const char *text, bool trust) {
  harness h;
  uint64_t hash = 14695981039346656037u;
  sinew_scene_def def = sinew_scene_def_default();
  harness_open_host(&h);
  harness_write(h.path, text);
  def.trust = trust;
  def.print = hash_print;
  def.print_user = &hash;
  h.scene = sinew_scene_create(h.host, h.path, &def, &h.error);
  if (!h.scene) fail_msg("%s", h.error.message);
  harness_close(&h);
  return hash;
}

static void test_patterns(void **state) {
  (void)state;
  assert_true(hash_of(patterns, false) == hash_of(patterns, true));
}

static void test_tables(void **state) {
  (void)state;
  assert_true(hash_of(tables, false) == hash_of(tables, true));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_endless),
      cmocka_unit_test(test_hungry),
      cmocka_unit_test(test_prying),
      cmocka_unit_test(test_stopped_coroutine),
      cmocka_unit_test(test_endless_load),
      cmocka_unit_test(test_links),
      cmocka_unit_test(test_sibling_of_the_scene),
      cmocka_unit_test(test_only_own_files_are_replaced),
      cmocka_unit_test(test_sibling_of_an_allowed_folder),
      cmocka_unit_test(test_allowed_folder),
      cmocka_unit_test(test_trust),
      cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_random_is_repeatable),
      cmocka_unit_test(test_patterns),
      cmocka_unit_test(test_tables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
