"""The description of the API, as the program has it; nothing of it is written down here."""
import re
import subprocess

# Lua's own functions: the description has none of their types. What is not here gets anything.
LIBRARY = {
    "table.insert": "list: table, at: number, value: any", "table.remove": "list: table, at?: number",
    "table.sort": "list: table, less?: function", "table.concat": "list: table, by?: string, i?: number, j?: number",
    "table.unpack": "list: table, i?: number, j?: number", "table.move": "list: table, i: number, j: number, k: number, list?: table",
    "string.rep": "s: string, n: number, by?: string", "string.gsub": "s: string, p: string, r: function|table|string",
    "string.find": "s: string, p: string, i?: number", "string.match": "s: string, p: string, i?: number",
    "string.gmatch": "s: string, p: string", "string.format": "s: string, a?: any, b?: any",
    "string.byte": "s: string, i?: number, j?: number", "string.sub": "s: string, i: number, j?: number",
    "_G.setmetatable": "list: table, m?: table", "_G.pairs": "list: table", "_G.ipairs": "list: table",
    "_G.next": "list: table, k?: any", "_G.select": "n: number, a?: any", "_G.pcall": "f: function, a?: any",
    "_G.xpcall": "f: function, h: function", "_G.tostring": "v: any", "_G.load": "s: string|function, name?: any",
    "coroutine.wrap": "f: function", "coroutine.create": "f: function", "coroutine.resume": "co: thread, a?: any",
    "coroutine.close": "co: thread", "coroutine.status": "co: thread", "_G.require": "name: string",
}


class Entry:
    def __init__(self, owner, name, kind, spec, result, writable):
        self.owner, self.name, self.kind, self.spec, self.result = owner, name, kind, spec, result
        self.writable = writable == "1"
        self.full = owner + (":" if kind == "method" else ".") + name

    def arguments(self):
        """(name, types, optional) of each; a rest is ("...", "any", True)."""
        out = []
        for part in filter(None, (p.strip() for p in self.spec.split(","))):
            if part == "...":
                out.append(("...", "any", True))
            else:
                name, types = part.split(":", 1)
                out.append((name.rstrip("?").strip(), types.strip(), name.endswith("?")))
        return out


class Description:
    def __init__(self, runner, environment):
        lines = subprocess.run([runner, "table"], check=True, capture_output=True, text=True).stdout.splitlines()
        rows = [line.split("\t") for line in lines]
        self.types = {row[1]: row[2] for row in rows if row[0] == "type"}
        entries = [Entry(*row[1:]) for row in rows if row[0] == "entry"]
        self.options = {}
        for entry in entries:
            if entry.kind == "option":
                self.options.setdefault(entry.owner, []).append(entry)
        self.callbacks = [e for e in entries if e.kind == "callback"]
        self.functions = [e for e in entries if e.kind in ("function", "method")]
        # Commands that need nothing: what they take away is what somebody else may stand on.
        self.rugs = [e for e in self.functions if not e.result and all(optional for _, _, optional in e.arguments())]
        self.fields = [e for e in entries if e.kind == "field"]
        self.library = [Entry(*name.rsplit(".", 1), "function", LIBRARY.get(name, "..."), "", "0")
                        for name in environment for _ in range(3 if name in LIBRARY else 1)]
        owners = [e.owner for e in entries if e.kind in ("method", "field") and not e.owner.startswith("sinew")]
        self.kinds = sorted(set(owners)) + ["table", "function", "thread", "vec3", "params", "modifiers", "morphs"]
        self.makers = {}
        for entry in self.functions:
            for kind in entry.result.split(",")[0].split("|"):
                self.makers.setdefault(kind.strip(), []).append(entry)
        for common in ("number", "string", "boolean", "table"):
            self.makers.pop(common, None)
        self.churns = [(maker, rug) for rug in self.rugs for maker in self.makers.get(rug.owner, [])]
        # What their work grows with may be large: a model's joints, a table, a file.
        self.sized = [e for e in self.functions if e.owner == "model" or re.search(r": (table|model|mask)\b|file: ", e.spec)]
