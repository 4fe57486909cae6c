"""Cases: a scene, its saves and what happens to them, all from one number."""
import os
import random

from values import Values

SUPPORT = open(os.path.join(os.path.dirname(__file__), "support.lua"), encoding="utf-8").read()
LAST = 'require("sinew").update = function() print "alive" end\n'

# The lines of scenes; each may fail without the others. @name is a callback with a body of its own.
FURNITURE = [
    'keep(sinew.model "hero.glb") keep(sinew.model "fox.glb")',
    'keep(sinew.actor("hero", "hero.glb", { params = { speed = 0.7, turn = 0 } }))',
    'for i = 1, 3 do keep(P("actor", 0):play("Walk", { weight = 1 })) end',
    'keep(P("actor", 0):layer("over", { mask = { ["RightShoulder/**"] = 1 } })):play "Wave"',
    'keep(P("actor", 0):layer("add", { mode = "additive" })):play "Breath"',
    'keep(sinew.actor("rider", P("model", 0))) P("actor", 1):play "Walk" '
    'P("actor", 1):root_motion { joint = "Root", feet = { "LeftFoot", "RightFoot" } }',
    'P("actor", 0):attach("RightHand", P("actor", 1))',
    'keep(P("actor", 1):attach("Head", P("model", 1), { name = "friend" }))',
    'keep(sinew.actor("ghost", P("model", 0), { position = { 1, 0, 0 } })) P("actor", 3):play "Run"',
    'P("actor", 0):set_graph(keep(sinew.state_machine { start = "a", states = { a = sinew.blend_space_1d { '
    'param = "speed", { 0, "Idle" }, { @space_1d_node, "Walk" } }, b = "Run", c = sinew.blend_space_2d { '
    'param_x = "speed", param_y = "turn", { 0, 0, "Idle" }, { 1, @space_2d_node, "Walk" }, { 0, 1, "Run" } } }, '
    'transitions = { { "a", "b", when = @transition.when }, { "b", "c", when = @transition.when }, '
    '{ "*", "a", when = @transition.when, restart = true } } }))',
    'P("actor", 1):set_graph(sinew.state_machine { states = { a = "Walk", b = "Run" }, transitions = { '
    '{ "a", "b", when = @transition.when }, { "b", "a", when = @transition.when } } })',
    'P("actor", 0):set_modifiers { sinew.modifier { "lean", @modifier }, sinew.modifier { "twist", @modifier }, '
    'sinew.look_at { "look", chain = { "Neck", "Head" }, target = { 0, 1.6, 4 } }, sinew.ik { "reach", tip = '
    '"LeftHand", target = { 0.4, 1.2, 0.4 } }, sinew.plant { "feet", pelvis = "Hips", feet = { "LeftFoot", '
    '"RightFoot" }, ground = @plant_modifier.ground }, sinew.warp { "stride" }, sinew.spring { "hair", joints = { "Ponytail1/**" } } }',
    'P("actor", 1):set_modifiers { sinew.modifier { "lean", @modifier } }',
    'P("model", 0):markers("Walk", { { 0.05, "step" }, { 0.3, "step" } })',
    'P("actor", 0):on("*", @event) P("actor", 0):on("step", @event) P("actor", 0):on("*", @event)',
    'P("actor", 1):on("*", @event) P("actor", 3):on("step", @event) P("actor", 3):on("step", @event)',
    'keep(sinew.crowd(P("model", 0), 9, { name = "crowd", params = { speed = 1 }, graph = sinew.blend_space_1d { '
    'param = "speed", { 0, "Idle" }, { 1, "Walk" } } })) keep(P("crowd", 0).x) keep(P("crowd", 0).params.speed)',
    'keep(sinew.crowd(P("model", 1), 3, { name = "other" }))',
    'keep(sinew.crowd(P("model", 0), 5, { name = "states", params = { speed = 1 }, graph = sinew.state_machine { '
    'states = { a = "Walk", b = "Run" }, transitions = { { "a", "b", when = "speed > 0" }, { "b", "a", when = '
    '"state_time > 0.02" } } } })) keep(P("crowd", 2).params.speed)',
    'P("model", 0):curve("Walk", "grip", { { 0, 1 }, { 0.4, 0 } })',
    'keep(P("actor", 3):motor {})',
    'keep(P("model", 0):rest()) keep(P("model", 0):sample("Walk", 0.2)) keep(P("model", 0):mask { Head = 1 })',
    'local task = require "sinew.task" task.run(@task) task.run(function() for i = 1, 9 do t(0, 0, 9, @task) '
    'task.wait(0.02) end end)',
    'local k = keep(sinew.keep("kept", { a = 1, b = { 2 } }))',
    'sinew.test = @test',
]
# In the frames.
FRAME = [
    'sinew.ui.panel("p", @panel) sinew.ui.tree("t", @tree, true) sinew.ui.tabs("x", { { "a", @tabs }, { "b", @tabs } })',
    'if sinew.frame == 2 then P("actor", 0):measure { ground = @measure_options.ground } end',
    'if sinew.frame == 3 then P("actor", 3):measure { ground = @measure_options.ground } end',
    'if sinew.frame == 4 then P("actor", 3):remove() end',
    'if sinew.frame == 5 then P("crowd", 1):remove() end',
    'if sinew.frame == 2 then P("actor", 0):bake("new.glb", { seconds = 0.2 }) end',
    'coroutine.wrap(@coroutine)()',
    'if sinew.frame == 3 then local c <close> = @hostile local n = #c .. tostring(c) end',
    'for k, v in pairs(P("actor", 0):events()) do keep(v) end',
    'P("actor", 0):send "go"',
]
OPERATORS = ["tostring(%s)", "#%s", "%s == %s", "%s < %s", "%s .. %s", "-%s", "next(%s)", "%s()", "%s + %s", "%s[%s]",
             "(function() for k, v in pairs(%s) do keep(k) keep(v) end end)()", "select('#', %s)", "type(%s)",
             "(function() local c <close> = %s end)()", "(function() local x = %s; x[%s] = %s end)()",
             "(function() for k, v in ipairs(%s) do keep(v) end end)()"]
HUGE = ["1e20", "-1e20", "1e38", "1e9", "5e-324"]
INTERRUPTIONS = ["error(%s)", "coroutine.yield(%s)", "collectgarbage(%s)", "assert(false, %s)",
                 "coroutine.wrap(%s)()", "pcall(%s)", "setmetatable(%s, %s)"]


class Piece:
    """A part that may be left out; its text has other pieces in it, as "\0number\0"."""

    def __init__(self, number, text, optional=True):
        self.number, self.text, self.optional = number, text, optional


class Case:
    def __init__(self, api, seed, large=0.25):
        """`large`: how many of all cases have things as large as they may be, which takes its time."""
        self.api, self.seed = api, seed
        self.random = random.Random(seed)
        self.pieces, self.told, self.callbacks, self.hostiles = {}, {}, 0, 0
        self.nasty = self.pick([0.02, 0.1, 0.3])
        self.large = self.random.random() < large
        self.values = Values(api, self.random, self.nasty, self.large, self.callback, self.hostile)
        self.choose_vocabulary()
        self.scenes = [self.scene() for _ in range(self.pick([1, 1, 1, 2]))]
        self.schedule = [self.piece(line) for line in self.make_schedule()]
        texts = [piece.text for piece in self.pieces.values()]
        self.shake = not any(slow in text for text in texts for slow in ("i = 1, 300", "chain()", "big()", "view.speed"))

    def pick(self, items):
        return items[self.random.randrange(len(items))]

    def piece(self, text, optional=True):
        number = len(self.pieces) + 1
        self.pieces[number] = Piece(number, text, optional)
        return number

    # ---- which entries and which callbacks this case is about: few of them meet more often ----

    def choose_vocabulary(self):
        commands = [e for e in self.api.functions if not e.result] # they change something
        entries = self.api.functions * 2 + commands * 4 + self.api.fields + self.api.callbacks
        size = self.pick([4, 8, 20, len(entries)])
        self.entries = entries if size == len(entries) else [self.pick(entries) for _ in range(size)]
        if self.large:
            self.entries = [self.pick(self.api.sized) for _ in range(6)]
        self.library = [self.pick(self.api.library) for _ in range(6)]
        self.busy = self.pick([0.1, 0.3, 0.8])

    # ---- callbacks ----

    def callback(self, label):
        self.callbacks += 1
        number = self.callbacks
        self.bodies.append((number, label))
        return 'C(%d, "%s")' % (number, label)

    def hostile(self):
        if self.hostiles < 3 or self.random.random() < 0.2:
            self.hostiles += 1
            self.callbacks += 1
            self.last_hostile = self.callbacks
            self.bodies.append((self.callbacks, "metamethod"))
        only = self.pick(["", "", "", ', "len"', ', "len"', ', "tostring"', ', "index"', ', "pairs"', ', "eq"'])
        return "H(%d, %d%s)" % (self.last_hostile, self.random.randrange(9), only)

    def body(self, number, label):
        count = 0
        if self.random.random() < (0.5 if label == "metamethod" else self.busy):
            count = 1 + self.random.randrange(5)
        lines = [self.statement(label) for _ in range(count)]
        answer = self.answer(label)
        if not lines and not answer:
            return None
        head = "B[%d] = function(a, b, c) -- %s\n" % (number, label)
        return self.piece(head + "".join("  \0%d\0" % n for n in lines) + answer + "end\n")

    def answer(self, label):
        if label.endswith("when"):
            return "  return %s\n" % self.pick(["true", "false", "sinew.frame % 3 == 0", "nil"])
        if self.random.random() < 0.5:
            return ""
        return "  return %s\n" % self.values.pick(["0", "0.3", "0.1, {0, 1, 0}", self.values.bad(), self.values.any()])

    # ---- statements ----

    def statement(self, label, action=None):
        told, code = action or self.action(label)
        often = told.startswith(("table.", "string.", "_G."))
        repeat = self.pick([1, 1, 1, 40, 3000] if often else [1] * 24 + [2, 2, 3, 10, 40, 300, 3000])
        if repeat > 1:
            code = "for i = 1, %d do %s end" % (repeat, code)
        piece = self.piece("", True)
        self.told[piece] = told
        how = "u" if self.random.random() < 0.1 else "t"
        skip, times = self.pick([0, 0, 0, 1, 2, 5]), self.pick([1, 1, 2, 20])
        if repeat >= 300:
            times = 1
        self.pieces[piece].text = "%s(%d, %d, %d, function() %s end)\n" % (how, piece, skip, times, code)
        return piece

    def action(self, label):
        """What is told of it, and its code."""
        roll = self.random.random()
        if roll < 0.06:
            return "operator", "keep(%s)" % self.operator()
        if roll < 0.09:
            text = self.pick(INTERRUPTIONS)
            return "interruption", "keep(%s)" % (text % tuple(self.values.any() for _ in range(text.count("%s"))))
        if roll < 0.15:
            return "element", self.element()
        if roll < 0.22:
            return "trap", self.trap()
        if roll < 0.24:
            return "churn", self.churn()
        if self.random.random() < (0.35 if label == "metamethod" else 0.1):
            entry = self.pick(self.api.rugs)
        else:
            entry = self.pick(self.library if roll < 0.3 else self.entries)
        if entry.kind in ("function", "method"):
            call = self.values.call(entry)  # of an action that leads already, the same play returns that one
            is_new = entry.result == "action" and "restart = true" in call
            return entry.full, ("new(keep(%s))" if is_new else "keep(%s)") % call
        return entry.full, self.field(entry)

    def field(self, entry):
        owner = entry.owner if entry.owner.startswith("sinew") else self.values.object(entry.owner)
        if entry.writable and self.random.random() < 0.7:
            return "%s.%s = %s" % (owner, entry.name, self.values.of(entry.spec, entry.name, entry.full))
        return "keep(%s.%s)" % (owner, entry.name)

    def operator(self):
        text = self.pick(OPERATORS)
        return text % tuple(self.operand() for _ in range(text.count("%s")))

    def operand(self):
        if self.random.random() < 0.5:
            return self.values.object(self.pick(self.api.kinds))
        return "(%s)" % self.values.any()

    def element(self):
        owner = self.values.object(self.pick(self.api.kinds))
        if self.random.random() < 0.5:
            array = 'P("crowd_array", %d)' % self.random.randrange(8)
            owner = self.pick([array, 'P("crowd_array", %d)' % self.random.randrange(2), 'P("actor", 0).params',
                               'P("actor", 0).morphs', 'P("actor", 0).modifiers'])
        key = self.pick(["1", "2", "0", "9", "speed", "Smile", "look", self.values.any()])
        key = '"%s"' % key if key.isalpha() and key not in ("nil", "true", "false", "sinew") else key
        if self.random.random() < 0.7:
            value = self.hostile() if self.random.random() < 0.3 else self.values.any()
            return "local o = %s o[%s] = %s" % (owner, key, value)
        return "keep((%s)[%s])" % (owner, key)

    def trap(self):
        """A value that, when it is looked at, takes away or changes the thing that it is given to."""
        rug = self.pick([e for e in self.api.rugs if e.kind == "method"])
        owner = self.values.object(rug.owner)
        event = self.pick(["tostring", "tostring", "len", "len", "index", "newindex", "pairs", "eq", "call"])
        trap = 'X(function() %s:%s() end, "%s", %d)' % (owner, rug.name, event, self.random.randrange(9))
        fields = [e.name for e in self.api.fields if e.owner == rug.owner]
        methods = [e for e in self.api.functions if e.kind == "method" and e.owner == rug.owner]
        if self.random.random() < 0.2 or not fields:
            return self.pick(["table.insert(%s, 1, 0)", "table.remove(%s, 1)", "table.concat(%s)", "table.sort(%s)",
                              "table.move(%s, 1, 3, 2)", "keep(table.unpack(%s))", "keep(tostring(%s))"]) % trap
        if self.random.random() < 0.3:
            return "%s:%s(%s)" % (owner, *self.call_with(self.pick(methods), trap))
        field = "%s.%s" % (owner, self.pick(fields))
        return self.pick(["local o = %s o[1] = %s", "%s = %s", "local o = %s o[%s] = 1"]) % (field, trap)

    def churn(self):
        """Things of a kind come and go by the thousand: none may be one of before."""
        maker, rug = self.pick(self.api.churns)
        now = "0" if rug.arguments() else ""
        return "for i = 1, 3000 do local x = new(%s) keep(x) if x then x:%s(%s) end end" % (
            self.values.call(maker), rug.name, now)

    def call_with(self, entry, value):
        """Its name, and its arguments with that value for one of them."""
        arguments = [self.values.of(types, name, "") for name, types, _ in entry.arguments() if name != "..."]
        if arguments:
            arguments[self.random.randrange(len(arguments))] = value
        return entry.name, ", ".join(arguments)

    # ---- scenes ----

    def furniture(self, text):
        parts = text.split("@")
        out = parts[0]
        for part in parts[1:]:
            size = 0
            while size < len(part) and (part[size].isalnum() or part[size] in "_."):
                size += 1
            name = part[:size]
            out += (self.hostile() if name == "hostile" else self.callback(name)) + part[size:]
        return out

    def scene(self):
        """The numbers of its pieces in order."""
        self.bodies = []
        share = self.pick([0.6, 0.8, 1])
        some = lambda items: [i for i in items if self.random.random() < share]
        top = [self.piece("pcall(function() %s end)\n" % self.furniture(text)) for text in FURNITURE[:2] + some(FURNITURE[2:])]
        frame = [self.piece("  pcall(function() %s end)\n" % self.furniture(text)) for text in some(FRAME)]
        frame += [self.statement("update", ("trap", self.trap())) for _ in range(self.pick([0, 2, 4]))]
        if self.random.random() < 0.25:
            frame.append(self.piece("  if sinew.frame == 3 then sinew.view.speed = %s end\n" % self.pick(HUGE)))
        callbacks = [self.piece("sinew.on(%r, %s)\n" % (e.name, self.callback(e.name)))
                     for e in self.api.callbacks for _ in range(self.pick([0, 1, 1, 2]))]
        load = [self.statement("load") for _ in range(self.pick([0, 0, 2, 6]))]
        head = self.piece("sinew.on('update', function() depth, here = 0, 'update'\n" +
                          "".join("\0%d\0" % n for n in frame) + "end)\n")
        bodies, done = [], 0
        while done < len(self.bodies) and done < 80: # a body may need further callbacks
            number, label = self.bodies[done]
            done += 1
            piece = self.body(number, label)
            if piece:
                bodies.append(piece)
        return bodies + top + [head] + callbacks + load

    def make_schedule(self):
        lines = ["frames 8"]
        names = ["save%d.lua" % (i + 1) for i in range(len(self.scenes))]
        for _ in range(2 + self.random.randrange(5)):
            lines.append(self.pick(["key space", "key w", "mouse 1", "drop notes.txt", "save %s" % self.pick(names),
                                    "restart", "test", "key a", "save %s" % names[-1], self.console()]))
            lines.append("frames %d" % self.pick([1, 2, 5, 12]))
        return lines

    def console(self):
        """Somebody looks on: names and values of the scene are shown, completed and written."""
        return self.pick(["console P('actor', 0), P('crowd', 1), B", "console P('actor', %d):remove()" % self.random.randrange(4),
                          "console H(1, 1)", "complete P('actor', 0).", "complete sinew.actor('hero').params.", "complete B.",
                          "complete H(1, 1).", "stubs", "bake hero", "end_bakes"])

    # ---- text ----

    def text(self, piece, without):
        p = self.pieces[piece]
        if piece in without:
            return ""
        parts = p.text.split("\0")
        for i in range(1, len(parts), 2):
            parts[i] = self.text(int(parts[i]), without)
        return "".join(parts)

    def files(self, without=frozenset()):
        out = {"save%d.lua" % (i + 1): SUPPORT + "".join(self.text(n, without) for n in scene)
               for i, scene in enumerate(self.scenes)}
        out["schedule"] = "".join(self.text(n, without) + "\n" for n in self.schedule if n not in without)
        out["last.lua"] = LAST
        if self.shake:
            out["shake"] = ""
        return out

    def write(self, folder, without=frozenset()):
        for name, text in self.files(without).items():
            with open(os.path.join(folder, name), "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
