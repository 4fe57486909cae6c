"""Values for arguments and fields: what their type asks for, and what nobody should give."""

NASTY_NUMBERS = """0/0 1/0 -1/0 2^63 -2^63 math.maxinteger math.mininteger 1e308 -1e308 1e20 -1e20 5e-324 2^53 1<<53 2^31
-(1<<31) 1<<32 65536 -1 0 -0.0 1e9 1000000 100000 3.5 (1<<31)-1 1<<62""".split()
NUMBERS = "0 1 1 2 3 1.0 2.0 0.5 0.25 1.5 10 0.016 7 40 0.1 5".split()
EXTREMES = "1e20 1e9 1000000 5e-324 1e38 -1e20 100000 1e-9".split() # right for most types
NASTY_STRINGS = ['""', r'"\0"', r'"Walk\0"', '("x"):rep(100000)', '("/**"):rep(50)', '"%s%n%d%99999d"', r'"\255\254"',
                 '"../notes.txt"', '"/dev/zero"', '"."', '"*"', '"a/b"', '("("):rep(300)', '("a?"):rep(50)', '"c999999"',
                 '("[a-z]*"):rep(30)', '"j1/**"', '"nan"', '"1e400"', '"-"']
NASTY_OTHERS = ["nil", "true", "false", "{}", "{1,2}", "{nonsense=1}", "big()", "deep()", "circle()", "_G", "sinew",
                "chain()", "setmetatable({}, {__mode='kv'})", "names('/**', 1)", "names('', 0.5)"]

CLIPS = ["Walk", "Run", "Idle", "Wave", "Jump", "WalkRoot"]
JOINTS = ["Hips", "Head", "RightHand", "LeftHand", "LeftFoot", "RightFoot", "Spine2", "Root", "Neck", "Ponytail1"]
NEW_FILES = ["new.pose", "new.glb", "new.gltf", "new.gif", "family.mp4", "own.pose"]
FILES = ["hero.glb", "fox.glb", "many.pose", "bad.glb", "own.pose", "new.pose", "new.glb", "new.gif", "family.mp4",
         "hero_extra.glb", "missing.glb", "notes.txt"]
NAMES = ["hero", "rider", "friend", "ghost", "crowd", "over", "add", "base", "speed", "turn", "a", "b", "look", "feet",
         "lean", "finish", "loop", "step", "go", "*", "Smile", "x", "y", "z", "xz yaw"]
NAMED = {"sinew.ClipName": CLIPS, "sinew.JointName": JOINTS, "sinew.LayerName": ["base", "over", "add", "new"],
         "sinew.ActorName": ["hero", "rider", "friend", "ghost", "new"]}

# The content of tables whose type in the description is only "table", by the name of the argument or option.
TABLES = {
    "list": ["big()", "big()", "@hostile", "@hostile", "{ 1, 2, 3 }", "P('table', 1)"],
    "weights": ['{ ["Spine2/**"] = 1, Head = 0.5 }', "names('/**', 1)", "{}"],
    "mask": ['{ ["RightShoulder/**"] = 1 }', "{ Head = 1 }", "names('/**', 1)"],
    "feet": ['{ "LeftFoot", "RightFoot" }', '{ LeftFoot = "left", RightFoot = "right" }'],
    "joints": ['{ "Ponytail1/**" }', '{ { name = "a" }, { name = "b", parent = 1 } }'],
    "chain": ['{ "Spine2", "Neck", "Head" }', "{ 2, 3 }"],
    "params": ["{ speed = 1, turn = 0 }"],
    "markers": ['{ { 0.1, "step" }, { 0.5, "step", sync = true } }', '{ { 0.2, "x", data = circle() } }'],
    "marks": ['{ { 0.4, "step" } }'],
    "items": ['{ "Idle", "Walk" }'],
    "clips": ['{ "hero_extra.glb" }', '{ { name = "c", tracks = { { joint = "a", times = { 0, @number }, '
              'rotations = { { 0, 0, 0, 1 }, { 0, @number, 0, 1 } } } } } }'],
    "tracks": ['{ { joint = 1, times = { 0, 1 }, positions = { { 0, 0, 0 }, { 0, @number, 0 } } } }'],
    "times": ["{ 0, 0.5, 1 }", "{ 0, @number }"],
    "spine": ['{ "Spine1", "Spine2" }'],
    "positions": ["{ { 0, 0, 0 }, { 1, 0, 0 }, { 0, @number, 0 } }", "{ 0, 0, 0, 1, 0, 0, 0, 1, 0 }"],
    "indices": ["{ { 1, 2, 3 } }", "{ 1, 2, @number }"],
    "map": ['{ Hips = "Hips", Head = false }'],
    "edits": ['{ { clip = "Walk", reverse = true } }'],
    "target": ['{ P("actor", 1), "Head" }'],
    "keys": ['{ { 0, "+w" }, { 0.1, "space" } }', "{ { 0, 1 }, { 0.4, 0 } }", "{ { 0.2, @number }, { 0.2, @number } }"],
    "mouse": ['{ { 0, 1, 2 }, { 0.1, "+left" } }'],
    "buffer": ["P('table', 1)", "P('table', 2)", "{}"],
    "values": ["{ 1, 2, 3 }", "P('table', 1)"],
    "tabs": ['{ { "Body", @function }, { "Face", @function } }'],
    "states": ['{ a = "Walk", b = "Idle" }', '{ a = @node, b = @node }'],
    "transitions": ['{ { "a", "b", on = "go" }, { "b", "a", when = @function, fade = @seconds } }',
                    '{ { "*", "b", when = @function, blend = @transition_kind } }'],
    "modifiers": ["{ @modifier }", "{ @modifier, @modifier }", "{ P('modifier', 1) }"],
    "meshes": ["{ { positions = { {0,0,0}, {1,0,0}, {0,1,0} }, indices = { {1, 2, 3} } } }"],
}
LARGEST = ("big(", "names(")
# The content of option sets without a name.
POSITIONAL = {
    "clip_node": ['"Walk"', '"Idle"', "@clip"],
    "blend_node": ['{ "Walk", @number }, { "Idle", "speed" }', "{ @node, @number }"],
    "space_1d_node": ['{ 0, "Idle" }, { @function, "Walk" }', '{ @number, @node }, { 3, "Run" }'],
    "space_2d_node": ['{ 0, 0, "Idle" }, { 1, @function, "Walk" }, { @function, 1, "Run" }'],
    "switch_node": ['"Walk", "Run"', "@node, @node"],
    "transition": ['"a", "b"'], "marker": ['0.1, "step"'],
    "modifier_modifier": ['"lean", @function'],
}


class Values:
    """Writes expressions. `api` is the description, `random` decides, `callback(label)` makes a function's text. Where
    `large` is true it is mostly the largest of all things that are given: what takes their product takes too long."""

    def __init__(self, api, random, nasty, large, callback, hostile):
        self.api, self.random, self.nasty, self.callback, self.hostile = api, random, nasty, callback, hostile
        self.large = large
        self.depth, self.focus = 0, {}

    def pick(self, items):
        return items[self.random.randrange(len(items))]

    def of(self, spec, name="", label=""):
        """An expression for "actor|model", mostly a right one."""
        if self.random.random() < self.nasty or self.depth > 4:
            return self.bad()
        self.depth += 1
        text = self.right(self.pick(spec.split("|")), name, label)
        self.depth -= 1
        return text

    def bad(self):
        roll = self.random.random()
        if roll < 0.35:
            return self.pick(NASTY_NUMBERS)
        if roll < 0.5:
            return self.pick(NASTY_STRINGS)
        if roll < 0.65:
            return self.hostile()
        if roll < 0.75:
            return self.object(self.pick(self.api.kinds))
        if roll < 0.8:
            return self.callback("function value")
        if roll < 0.83:
            return "coroutine.create(%s)" % self.callback("coroutine")
        return self.pick(NASTY_OTHERS)

    def object(self, kind):
        """One of a kind: every other time the one that the case is about."""
        if self.large and kind == "model" and self.random.random() < 0.8:
            return "chain()"
        if self.random.random() < 0.5:
            return 'P("%s", %d)' % (kind, self.focus.setdefault(kind, self.pick([0, 0, 1, 2, 3])))
        return 'P("%s", %d)' % (kind, self.random.randrange(8))

    def right(self, kind, name, label):
        if kind in self.api.options:
            return self.options(kind)
        if kind in self.api.types:
            kind_stub = self.pick(split_stub(self.api.types[kind]))
        else:
            kind_stub = kind
        return self.by_stub(kind, kind_stub, name, label)

    def by_stub(self, kind, stub, name, label):
        if stub.startswith('"'):
            return stub
        if stub in NAMED:
            return '"%s"' % self.pick(NAMED[stub])
        simple = {"any": self.any, "number": self.number, "integer": self.number, "string": lambda: self.string(name),
                  "boolean": lambda: self.pick(["true", "false"]), "nil": lambda: "nil",
                  "function": lambda: self.callback(label or "function value"), "table": lambda: self.table(name),
                  "number[]": self.numbers, "sinew.Vec3": self.numbers, "sinew.Quat": lambda: "{0, 0, 0, 1}"}
        if stub in simple:
            return simple[stub]()
        makers = self.api.makers.get(kind)
        if makers and self.random.random() < 0.5:
            return self.call(self.pick(makers))
        return self.object(kind)

    def any(self):
        if self.random.random() < 0.15:
            return self.hostile()
        return self.pick([self.number, lambda: self.string(""), lambda: self.object(self.pick(self.api.kinds)),
                          lambda: self.table(""), self.bad])()

    def number(self):
        return self.pick(EXTREMES if self.random.random() < 0.15 else NUMBERS)

    def numbers(self):
        return "{%s, %s, %s}" % (self.number(), self.number(), self.number())

    def string(self, name):
        if name in ("file", "path") and self.large and self.random.random() < 0.8:
            return '"many.pose"'
        if name in ("file", "path") or self.random.random() < 0.1:
            return '"%s"' % self.pick(self.pick([FILES, NEW_FILES]))
        return '"%s"' % self.pick(NAMES + CLIPS + JOINTS)

    def table(self, name):
        if name in TABLES:
            largest = [text for text in TABLES[name] if text.startswith(LARGEST)]
            return self.fill(self.pick(largest if self.large and largest else TABLES[name]))
        return self.pick(["{}", "{ %s }" % self.number(), "{ a = %s, speed = 2 }" % self.number(), "P('table', 1)",
                          "big()", self.hostile()])

    def fill(self, text):
        """Replaces @type by an expression of that type."""
        parts = text.split("@")
        out = parts[0]
        for part in parts[1:]:
            size = len(part) - len(part.lstrip("abcdefghijklmnopqrstuvwxyz_"))
            out += (self.hostile() if part.startswith("hostile") else self.of(part[:size])) + part[size:]
        return out

    def options(self, owner):
        """A set of options: some of those that there are."""
        entries = self.api.options[owner]
        items = []
        share = self.pick([0.15, 0.4, 0.8])
        for entry in entries:
            needed = entry.name == "..."
            if needed and owner in POSITIONAL:
                items.insert(0, self.fill(self.pick(POSITIONAL[owner])))
            elif needed:
                items.insert(0, self.of(entry.spec))
            elif self.random.random() < share:
                items.append("%s = %s" % (entry.name, self.of(entry.spec, entry.name, owner + "." + entry.name)))
        return "{ %s }" % ", ".join(items)

    def arguments(self, entry):
        """The arguments of a function, sometimes fewer or more."""
        out = []
        for name, types, optional in entry.arguments():
            if optional and self.random.random() < 0.4:
                break
            if name == "...":
                out += [self.any() for _ in range(self.pick([0, 1, 1, 2, 2, 3, 3, 4]))]
            else:
                out.append(self.of(types, name, "%s(%s)" % (entry.full, name)))
        if self.random.random() < self.nasty / 4:
            out = out[:-1] if out and self.random.random() < 0.5 else out + [self.bad()]
        return ", ".join(out)

    def call(self, entry):
        if entry.kind == "method":
            receiver = self.object(entry.owner) if self.random.random() > self.nasty / 10 else self.bad()
            if receiver.startswith("P(") or receiver == "chain()":
                return "%s:%s(%s)" % (receiver, entry.name, self.arguments(entry))
            return "%s.%s(%s)" % (self.object(entry.owner), entry.name,
                                  ", ".join(filter(None, [receiver, self.arguments(entry)])))
        return "%s[%r](%s)" % (entry.owner, entry.name, self.arguments(entry)) if not entry.name.isidentifier() or \
            entry.name in LUA_WORDS else "%s.%s(%s)" % (entry.owner, entry.name, self.arguments(entry))


LUA_WORDS = {"end", "in", "repeat", "then", "until", "do", "local", "function", "goto", "nil", "or", "and", "not"}


def split_stub(stub):
    return [part for part in stub.split("|") if part]
