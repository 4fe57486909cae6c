"""A scene as a tree, for test_tellings.py: it writes itself as Lua, knows in which line each of its things stands, and edits
itself at random."""
import re

CLIPS = ["Idle", "Walk", "Run", "Jump", "Wave"]
JOINTS = ["Head", "LeftHand", "RightHand", "LeftFoot", "RightFoot"]


MARK = re.compile("\x01(.*?)\x02")


def mark(kind, name):
    """Where something begins that knows its line: it is taken out of the text again."""
    return f"\x01{kind} {name}\x02"


def take_marks(text):
    """The text without marks, and for each mark the lines that it stood in."""
    lines, clean, number = {}, "", 1
    for at, part in enumerate(MARK.split(text)):
        if at % 2:
            lines.setdefault(part, set()).add(number)
        else:
            clean, number = clean + part, number + part.count("\n")
    return clean, lines


class Node:
    """Of a graph, with what its parent says of it: the weight, the place or the key."""

    def __init__(self, kind, children=(), **options):
        self.kind, self.children, self.options, self.clip = kind, list(children), options, None
        self.key, self.place, self.transitions, self.start = None, None, [], None
        self.gap = " "

    def mark(self):
        return mark("clip base", self.clip) if self.kind == "clip" else ""

    def name(self):
        return self.key or (self.clip if self.kind == "clip" else self.kind)

    def all(self):
        return [self] + [below for child in self.children for below in child.all()]

    def lua(self):
        options = "".join(f", {name} = {value}" for name, value in self.options.items())
        if self.kind == "clip":
            return f"sinew.clip {{ '{self.clip}'{options} }}"
        between = f",{self.gap}"
        if self.kind == "state_machine":
            states = between.join(f"{child.mark()}{child.key} = {child.lua()}" for child in self.children)
            ways = ",\n    ".join(mark("way", f"{way.origin.key} -> {way.target.key}") + way.lua() for way in self.transitions)
            return (f"sinew.state_machine {{ start = '{self.start.key}', states = {{ {states} }},\n"
                    f"    transitions = {{ {ways} }}{options} }}")
        places = between.join(child.mark() + (f"{{ {child.place}, {child.lua()} }}" if self.kind == "blend_space_1d" else
                                              f"{{ {child.lua()}, {child.place} }}") for child in self.children)
        return f"sinew.{self.kind} {{ {places}{options} }}"


class Way:
    def __init__(self, origin, target, **options):
        self.origin, self.target, self.options = origin, target, options

    def name(self):
        return f"{self.origin.key} → {self.target.key}"

    def lua(self):
        options = "".join(f", {name} = {value}" for name, value in self.options.items())
        return f"{{ '{self.origin.key}', '{self.target.key}'{options} }}"


# Events of its own lead through the states; what acts on the head tells where it stands.
WHY = """function sinew.draw()
  if sinew.frame % 7 == 0 then hero:send(({ 'go', 'up', 'in', 'x' })[sinew.frame // 7 % 4 + 1]) end
  for _, cause in ipairs(hero:explain 'Head') do
    if cause.line then print('why', cause.kind .. ' ' .. tostring(cause.layer) .. ' ' .. cause.name, cause.line,
                             cause.transition, cause.transition_line) end
  end
  print 'whole'
end"""


def clip(name, **options):
    node = Node("clip", **options)
    node.clip = name
    return node


def bare(value):
    return str(value).strip("'")


class Scene:
    def __init__(self, dice):
        self.dice, self.count = dice, 0
        self.locals = {"pace": 1, "limit": "'far'", "lively": "true"}
        self.module = 1
        self.noise = []
        self.params = {"speed": 2, "turn": 0}
        self.layers = []
        self.modifiers = []
        self.graph = self.machine()
        for _ in range(2):
            self.layers.append(self.layer())
            self.modifiers.append(self.modifier())

    def fresh(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def layer(self):
        name = self.fresh("layer")
        return {"name": name, "options": {"weight": 0.5}, "clip": self.dice.choice(CLIPS), "play": {"speed": 1}}

    def modifier(self):
        return {"name": self.fresh("mod"), "options": {"swing": 1, "twist_max": 1}, "joint": self.dice.choice(JOINTS)}

    def space(self):
        walk, run = clip("Walk"), clip("Run")
        walk.place, run.place = 1, 4
        return Node("blend_space_1d", [walk, run], param="'speed'", smooth=0.1)

    def machine(self):
        idle, move, jump = clip("Idle"), self.space(), clip("Jump")
        for state in (idle, move, jump):
            state.key = self.fresh("state")
        inner = Node("state_machine", [clip("Wave"), clip("Idle")])
        for state in inner.children:
            state.key = self.fresh("state")
        inner.key, inner.start = self.fresh("state"), inner.children[0]
        inner.transitions = [Way(*inner.children, on="'in'", fade=0.3)]
        whole = Node("state_machine", [idle, move, jump, inner])
        whole.start = idle
        whole.transitions = [Way(idle, move, on="'go'", fade=0.2), Way(move, jump, on="'up'", when="'speed>1'"),
                             Way(jump, inner, on="'in'", fade=0.2)]
        return whole

    def lua(self):
        lines = ["local sinew = require 'sinew'", "local part = require 'part'",
                 "local man = sinew.model('hero.glb', { wait = true })"]
        lines += [f"local {name} = {value}" for name, value in self.locals.items()]
        params = ", ".join(f"{name} = {value}" for name, value in self.params.items())
        lines.append(f"local hero = sinew.actor('hero', man, {{ visible = false, params = {{ {params} }} }})")
        for layer in self.layers:
            options = ", ".join(f"{name} = {value}" for name, value in layer["options"].items())
            play = ", ".join(f"{name} = {value}" for name, value in layer["play"].items())
            lines.append(f"{mark('layer ' + layer['name'], layer['name'])}{mark('clip ' + layer['name'], layer['clip'])}"
                         f"hero:layer('{layer['name']}', {{ {options} }}):play('{layer['clip']}', {{ {play} }})")
        lines.append(f"hero:set_graph({self.graph.lua()})")
        parts = []
        for mod in self.modifiers:
            options = ", ".join(f"{name} = {value}" for name, value in mod["options"].items())
            parts.append(f"{mark('modifier nil', mod['name'])}sinew.limit {{ '{mod['name']}', joint = '{mod['joint']}', {options} }}")
        lines.append("hero:set_modifiers {\n  " + ",\n  ".join(parts) + " }")
        lines.append(f"function sinew.update() print(\"frame\\t\", {', '.join(self.locals)}, part) end")
        lines.append(WHY)
        for at, text in self.noise:
            lines.insert(at % len(lines), text)
        text, self.lines = take_marks("\n".join(lines) + "\n")
        return text

    # ---- edits: each does one thing, and gives (the thing, what changes in it) or nothing where it cannot ----

    def value(self, options, name):
        before = options[name]
        choices = {"fade": [0.1, 0.2, 0.3, 0.6], "on": ["'go'", "'up'", "'in'", "'x'"], "weight": [0.25, 0.5, 1],
                   "speed": [1, 1.5, 2], "smooth": [0.1, 0.2, 0.4], "swing": [0.5, 1, 1.5], "twist_max": [0.5, 1, 1.5],
                   "when": ["'speed>1'", "'speed>2'", "'turn<1'"], "loop": ["'once'", "'forever'"]}[name]
        options[name] = self.dice.choice([choice for choice in choices if choice != str(before).replace(" ", "")
                                                and choice != before])
        return f"{name} {bare(before)} → {bare(options[name])}"

    def edit_one(self, things):
        if not things:
            return None
        thing, options = self.dice.choice(things)
        return thing, self.value(options, self.dice.choice([name for name in options if name != "param"]))

    def edit_layer(self):
        layer = self.dice.choice(self.layers)
        return self.edit_one([(f"hero {layer['name']}", layer["options"]),
                              (f'hero {layer["name"]} "{layer["clip"]}"', layer["play"])])

    def edit_modifier(self):
        return self.edit_one([(f"hero {mod['name']}", mod["options"]) for mod in self.modifiers])

    def edit_graph(self):
        nodes, ways = self.graph.all(), [way for node in self.graph.all() for way in node.transitions]
        return self.edit_one([(f"hero graph, {node.name()}", node.options) for node in nodes if "smooth" in node.options]
                             + [(f"hero graph, {way.name()}", way.options) for way in ways])

    def edit_param(self):
        name = self.dice.choice(list(self.params))
        before, self.params[name] = self.params[name], self.params[name] + 1
        return None, f"hero.{name} {before} → {self.params[name]}"

    def add_layer(self):
        if len(self.layers) > 4:
            return None
        layer = self.layer()
        self.layers.append(layer)
        name = layer["name"]
        return None, [f"hero: layer {name} joins", f'hero {name} "{layer["clip"]}" plays']

    def remove_layer(self):
        if len(self.layers) < 2:
            return None
        layer = self.layers.pop(self.dice.randrange(len(self.layers)))
        return None, [f"hero: layer {layer['name']} is gone", f'hero {layer["name"]} "{layer["clip"]}" is gone']

    def rename_layer(self):
        layer = self.dice.choice(self.layers)
        before, layer["name"] = layer["name"], self.fresh("layer")
        return None, f"hero: layer {before} is called {layer['name']} now"

    def reorder_layers(self):
        at = self.dice.randrange(len(self.layers) - 1) if len(self.layers) > 1 else -1
        if at < 0:
            return None
        self.layers[at:at + 2] = self.layers[at + 1], self.layers[at]
        return None, f"hero layer order: {self.layers[at + 1]['name']} above {self.layers[at]['name']}"

    def add_modifier(self):
        if len(self.modifiers) > 4:
            return None
        self.modifiers.append(self.modifier())
        return None, f"hero: modifier {self.modifiers[-1]['name']} joins"

    def remove_modifier(self):
        if len(self.modifiers) < 2:
            return None
        mod = self.modifiers.pop(self.dice.randrange(len(self.modifiers)))
        return None, f"hero: modifier {mod['name']} is gone"

    def machines(self):
        return [node for node in self.graph.all() if node.kind == "state_machine"]

    def rename_state(self):
        state = self.dice.choice([child for node in self.machines() for child in node.children])
        before, state.key = state.key, self.fresh("state")
        return None, f"hero graph, {before}: key {before} → {state.key}"

    def add_state(self):
        machine = self.dice.choice(self.machines())
        if len(machine.children) > 5:
            return None
        state = clip(self.dice.choice(CLIPS))
        state.key = self.fresh("state")
        machine.children.append(state)
        return None, f"hero graph: {state.key} joins"

    def remove_state(self):
        machine = self.dice.choice(self.machines())
        used = [end for way in machine.transitions for end in (way.origin, way.target)] + [machine.start]
        free = [child for child in machine.children if child not in used]
        if not free:
            return None
        state = self.dice.choice(free)
        machine.children.remove(state)
        return None, f"hero graph: {state.key} is gone"

    def add_way(self):
        machine = self.dice.choice(self.machines())
        origin, target = self.dice.sample(machine.children, 2)
        if any(way.origin is origin and way.target is target for way in machine.transitions):
            return None
        machine.transitions.append(Way(origin, target, on="'x'", fade=0.2))
        return None, f"hero graph: {origin.key} → {target.key} joins"

    def remove_way(self):
        machine = self.dice.choice(self.machines())
        if len(machine.transitions) < 2:
            return None
        way = machine.transitions.pop(self.dice.randrange(len(machine.transitions)))
        return None, f"hero graph: {way.name()} is gone"

    def change_start(self):
        machine = self.dice.choice(self.machines())
        before = machine.start
        machine.start = self.dice.choice([child for child in machine.children if child is not before])
        return None, f"hero graph: start {before.key} → {machine.start.key}"

    def move_sample(self):
        spaces = [node for node in self.graph.all() if node.kind == "blend_space_1d"]
        sample = self.dice.choice(spaces).children[-1] if spaces else None
        if not sample:
            return None
        before, sample.place = sample.place, sample.place + 1
        return None, f"hero graph, {sample.name()}: x {before} → {sample.place}"

    def wrap(self):
        """A state's node, or all of the graph, in a blend: the key stays where it was."""
        inner = self.dice.choice([self.graph, *[child for node in self.machines() for child in node.children]])
        if inner.kind == "blend":
            return None
        outer = Node("blend", [inner])
        outer.key, inner.key, inner.place = inner.key, None, 1
        self.replace(inner, outer)
        return None, f"hero graph{', ' + outer.key if outer.key else ''}: {inner.kind} → blend"

    def unwrap(self):
        blends = [node for node in self.graph.all() if node.kind == "blend"]
        if not blends:
            return None
        outer = self.dice.choice(blends)
        inner = outer.children[0]
        inner.key, inner.place = outer.key, outer.place
        self.replace(outer, inner)
        return None, f"hero graph{', ' + outer.key if outer.key else ''}: blend → {inner.kind}"

    def replace(self, before, after):
        if self.graph is before:
            self.graph = after
        for node in self.graph.all():
            if node is not after:
                node.children = [after if child is before else child for child in node.children]
            node.start = after if node.start is before else node.start
            for way in node.transitions:
                way.origin = after if way.origin is before else way.origin
                way.target = after if way.target is before else way.target

    def nest(self):
        """A few states of a machine, with the ways between them, become a machine of their own inside of it."""
        outer = self.dice.choice(self.machines())
        if len(outer.children) < 4 or len(self.machines()) > 3:
            return None
        moved = [child for child in outer.children if child is not outer.start][:2]
        ways = [way for way in outer.transitions if (way.origin in moved) != (way.target in moved)]
        inner = Node("state_machine", moved)
        inner.key, inner.start = self.fresh("state"), moved[0]
        inner.transitions = [way for way in outer.transitions if way.origin in moved and way.target in moved]
        outer.children = [child for child in outer.children if child not in moved] + [inner]
        outer.transitions = [way for way in outer.transitions if way not in ways + inner.transitions]
        return None, [f"hero graph: {inner.key} joins", *[f"hero graph: {way.name()} is gone" for way in ways],
                      *[f"hero graph: {state.key} is in {inner.key} now" for state in moved]]

    def flatten(self):
        """The other way round."""
        pairs = [(outer, inner) for outer in self.machines() for inner in outer.children
                 if inner.kind == "state_machine" and inner is not outer.start]
        if not pairs:
            return None
        outer, inner = self.dice.choice(pairs)
        ways = [way for way in outer.transitions if inner in (way.origin, way.target)]
        outer.children = [child for child in outer.children if child is not inner] + inner.children
        outer.transitions = [way for way in outer.transitions if way not in ways] + inner.transitions
        return None, [f"hero graph: {inner.key} is gone", *[f"hero graph: {way.name()} is gone" for way in ways],
                      *[f"hero graph: {state.key} is in {outer.name()} now" for state in inner.children]]

    def rename_modifier(self):
        mod = self.dice.choice(self.modifiers)
        if sum(other["joint"] == mod["joint"] for other in self.modifiers) > 1:
            return None
        before, mod["name"] = mod["name"], self.fresh("mod")
        return None, f"hero {mod['name']}: name {before} → {mod['name']}"

    def reorder_modifiers(self):
        at = self.dice.randrange(len(self.modifiers) - 1) if len(self.modifiers) > 1 else -1
        if at < 0:
            return None
        self.modifiers[at:at + 2] = self.modifiers[at + 1], self.modifiers[at]
        return None, f"hero modifier order: {self.modifiers[at + 1]['name']} after {self.modifiers[at]['name']}"

    def add_sample(self):
        spaces = [node for node in self.graph.all() if node.kind == "blend_space_1d"]
        space = self.dice.choice(spaces) if spaces else None
        missing = [name for name in CLIPS if space and all(name != child.clip for child in space.children)]
        if not missing:
            return None
        sample = clip(self.dice.choice(missing))
        sample.place = -len(space.children)
        space.children.insert(self.dice.randrange(len(space.children) + 1), sample)
        return None, f"hero graph: {sample.clip} joins"

    def remove_sample(self):
        spaces = [node for node in self.graph.all() if node.kind == "blend_space_1d" and len(node.children) > 2]
        if not spaces:
            return None
        space = self.dice.choice(spaces)
        sample = space.children.pop(self.dice.randrange(len(space.children)))
        return None, f"hero graph: {sample.clip} is gone"

    def reword(self):
        """Spaces in a condition that separate nothing, and the order of params and options, mean nothing."""
        for node in self.graph.all():
            for way in node.transitions:
                when = way.options.get("when", "")
                for sign in "<>":
                    when = when.replace(f" {sign} ", sign) if f" {sign} " in when else when.replace(sign, f" {sign} ")
                if when:
                    way.options["when"] = when
                way.options = dict(reversed(way.options.items()))
        self.params = dict(reversed(self.params.items()))
        return None, []

    def edit_local(self):
        before, self.locals["pace"] = self.locals["pace"], self.locals["pace"] + 1
        return None, f"pace {before} → {self.locals['pace']}"

    def respace(self):
        """States and samples stand in lines of their own, or side by side."""
        node = self.dice.choice(self.graph.all())
        node.gap = "\n    " if node.gap == " " else " "
        return None, []

    def comment(self):
        self.noise.append((self.dice.randrange(100), self.dice.choice(["", "-- a comment", "  ", "-- x = 1, y → 2"])))
        self.noise = self.noise[-5:]
        return None, []


# One save may have an edit of each line: those of one line can mean something else together.
EDITS = [
    [Scene.add_layer, Scene.remove_layer, Scene.rename_layer, Scene.reorder_layers, Scene.edit_layer],
    [Scene.rename_state, Scene.add_state, Scene.remove_state, Scene.add_way, Scene.remove_way, Scene.change_start,
     Scene.move_sample, Scene.add_sample, Scene.remove_sample, Scene.wrap, Scene.unwrap, Scene.nest, Scene.flatten,
     Scene.edit_graph, Scene.edit_graph, Scene.edit_graph],
    [Scene.add_modifier, Scene.remove_modifier, Scene.rename_modifier, Scene.reorder_modifiers, Scene.edit_modifier],
    [Scene.edit_param, Scene.edit_local],
    [Scene.comment, Scene.reword, Scene.respace],
]
