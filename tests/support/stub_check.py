"""Checks a scene against its editor stubs, as a language server would: unknown fields, names that an alias lacks, values of
another type, too many arguments, names in a list. It knows what the scene writes as literals and what calls return; what it
does not know is any type.

    python3 stub_check.py STUBS.d.lua SCENE.lua
"""
import re
import sys

TOKEN = re.compile(r"""\s+|--\[\[.*?\]\]|--[^\n]*|(?P<name>[A-Za-z_]\w*)|(?P<number>0x[\da-fA-F.]+|\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)
  |(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\[\[.*?\]\])|(?P<sign>\.\.\.|\.\.|==|~=|<=|>=|//|::|<<|>>|.)""", re.X | re.S)
KEYWORDS = set("and break do else elseif end false for function goto if in local nil not or repeat return then true until "
               "while".split())
BINARY = {"or": 1, "and": 2, "<": 3, ">": 3, "<=": 3, ">=": 3, "~=": 3, "==": 3, "..": 8, "+": 9, "-": 9, "*": 10, "/": 10,
          "//": 10, "%": 10, "^": 12, "|": 4, "~": 5, "&": 6, "<<": 7, ">>": 7}
ANY = "any"


class Stubs:
    def __init__(self, text):
        self.aliases, self.fields, self.calls, self.overloads = {}, {}, {}, {}
        params, results, owner, overload = [], [], None, None
        for line in text.split("\n"):
            if m := re.match(r"---@alias (\S+)", line):
                owner = self.aliases.setdefault(m[1], set())
            elif m := re.match(r"---\| (.*)", line):
                owner.add(m[1].replace('\\"', '"').replace("\\\\", "\\"))
            elif m := re.match(r"---@class ([\w.]+)(?:: ([\w.]+))?", line):
                owner = self.fields.setdefault(m[1], dict(self.fields.get(m[2], {})))
                self.last = m[1]
            elif m := re.match(r"---@overload fun\(\w+: ([\w.]+)\): ([\w.]+)", line):
                self.overloads[self.last] = ([("definition", False, m[1])], m[2])
            elif m := re.match(r'---@field (\[[^\]]*\]|\w+)(\??) (\S+)', line):
                owner[m[1].strip('[]"') if m[1].startswith('["') else m[1]] = m[3]
            elif m := re.match(r"---@param (\S+?)(\??) (\S+)", line):
                params.append((m[1], bool(m[2]), m[3]))
            elif m := re.match(r"---@return (\S+)", line):
                results.append(m[1])
            elif m := re.match(r"local (\w+) = {}|(sinew[\w.]*) = {}", line):
                self.calls[m[1] or m[2]] = self.last
            elif m := re.match(r"function ([\w.]+)[.:](\w+)\(", line):
                cls = m[1] if m[1].startswith("sinew") else self.calls[m[1]]
                self.fields[cls][m[2]] = (params, results[0] if results else "nil", ":" in line.split("(")[0])
                params, results = [], []
        self.aliases.pop("", None)


class Checker:
    def __init__(self, stubs, text):
        self.stubs, self.found, self.scope = stubs, [], [{"sinew": "sinew"}]
        self.tokens, line, at = [], 1, 0
        if text.startswith("#"):
            text = "--" + text
        while at < len(text):
            m = TOKEN.match(text, at)
            if m.lastgroup:
                self.tokens.append((m.lastgroup, m.group(), line))
            line += m.group().count("\n")
            at = m.end()
        self.tokens.append(("end", "", line))
        self.at = 0
        self.block(())

    # ---- tokens ----
    def text(self, ahead=0):
        kind, text, _ = self.tokens[min(self.at + ahead, len(self.tokens) - 1)]
        return "" if kind == "string" else text

    def take(self, text=None):
        token = self.tokens[self.at]
        if text and self.text() != text:
            raise SyntaxError(f"line {token[2]}: '{text}' expected at '{token[1]}'")
        self.at += 1
        return token

    def accept(self, text):
        if self.text() != text:
            return False
        self.at += 1
        return True

    def say(self, line, words):
        self.found.append((line, words))

    # ---- statements ----
    def block(self, ends):
        self.scope.append({})
        while self.tokens[self.at][0] != "end" and self.text() not in ends:
            self.statement()
        self.scope.pop()

    def statement(self):
        word = self.text()
        if self.accept(";"):
            return
        if word == "local":
            self.take()
            if self.accept("function"):
                self.take()
                return self.function()
            names = [self.take()[1]]
            while self.accept(","):
                names.append(self.take()[1])
            if self.accept("<"):
                self.take(), self.take(">")
            values = self.expressions() if self.accept("=") else []
            for name, value in zip(names, values + [ANY] * len(names)):
                self.scope[-1][name] = value
        elif word == "function":
            line = self.take()[2]
            kind = self.lookup(self.take()[1])
            while self.text() in ".:":
                self.take()
                self.field(kind, self.take()[1], line)
                kind = ANY
            self.function()
        elif word in ("if", "while"):
            self.take(), self.expression(), self.take("then" if word == "if" else "do")
            self.block(("elseif", "else", "end"))
            while self.accept("elseif"):
                self.expression(), self.take("then"), self.block(("elseif", "else", "end"))
            if self.accept("else"):
                self.block(("end",))
            self.take("end")
        elif word == "for":
            self.take()
            names = [self.take()[1]]
            while self.accept(","):
                names.append(self.take()[1])
            self.take(), self.expressions(), self.take("do")
            self.scope.append(dict.fromkeys(names, ANY))
            self.block(("end",))
            self.scope.pop(), self.take("end")
        elif word == "do":
            self.take(), self.block(("end",)), self.take("end")
        elif word == "repeat":
            self.take(), self.block(("until",)), self.take("until"), self.expression()
        elif word == "return":
            self.take()
            if self.text() not in ("end", "else", "elseif", "until", "") or self.tokens[self.at][0] == "string":
                self.expressions()
        elif word in ("break", "goto"):
            self.take()
        else:
            line = self.tokens[self.at][2]
            targets = [self.suffixed()]
            while self.accept(","):
                targets.append(self.suffixed())
            if self.accept("="):
                for target, value in zip(targets, self.expressions()):
                    if target != ANY and not isinstance(target, tuple) and not self.fits(value, target):
                        self.say(line, f"{target} is given {self.name(value)}")

    def function(self):
        self.take("(")
        names = {}
        while not self.accept(")"):
            names[self.take()[1]] = ANY
            self.accept(",")
        self.scope.append(names)
        self.block(("end",))
        self.scope.pop(), self.take("end")
        return "function"

    # ---- expressions: a type as text, ("literal", text) or ("table", items, names) ----
    def expressions(self):
        found = [self.expression()]
        while self.accept(","):
            found.append(self.expression())
        return found

    def expression(self, least=0):
        left = self.unary()
        while self.text() in BINARY and BINARY[self.text()] > least:
            word = self.take()[1]
            right = self.expression(BINARY[word])
            left = "boolean" if BINARY[word] == 3 else "string" if word == ".." else ANY if left != right else left
        return left

    def unary(self):
        kind, text, _ = self.tokens[self.at]
        if text in ("-", "not", "#", "~") and kind != "string":
            self.take()
            inner = self.expression(11)
            return "boolean" if text == "not" else "number" if text == "#" else inner
        if kind == "string":
            return ("literal", self.take()[1][1:-1])
        if kind == "number":
            self.take()
            return "integer" if re.fullmatch(r"\d+", text) else "number"
        if text in ("true", "false", "nil", "..."):
            self.take()
            return {"true": "boolean", "false": "boolean", "nil": "nil"}.get(text, ANY)
        if text == "function":
            self.take()
            return self.function()
        if text == "{":
            return self.table()
        return self.suffixed()

    def table(self):
        self.take("{")
        items, names, keyed = [], {}, False
        while not self.accept("}"):
            if self.tokens[self.at][0] == "name" and self.text(1) == "=" and self.text() not in KEYWORDS:
                name = self.take()[1]
                self.take("=")
                names[name] = self.expression()
            elif self.accept("["):
                key = self.expression()
                self.take("]"), self.take("=")
                value = self.expression()
                keyed = True
                if isinstance(key, tuple) and key[0] == "literal":
                    names[key[1]] = value
            else:
                items.append(self.expression())
            if not self.accept(","):
                self.accept(";")
        return ("table", items, names, keyed)

    def lookup(self, name):
        for level in reversed(self.scope):
            if name in level:
                return level[name]
        return ANY

    def suffixed(self):
        kind, text, line = self.tokens[self.at]
        if self.accept("("):
            value = self.expression()
            self.take(")")
        elif text == "require" and self.tokens[self.at + 1][0] == "string":
            self.at += 2
            module = self.tokens[self.at - 1][1][1:-1]
            value = "sinew" if module == "sinew" else self.stubs.calls.get(module.replace("sinew.", ""), ANY)
        else:
            value = self.lookup(self.take()[1])
        while True:
            kind, text, line = self.tokens[self.at]
            if kind == "string" or text in ("(", "{"):
                value = self.call(value, line, False)
            elif kind == "sign" and text in ".:" and len(text) == 1:
                self.take()
                member = self.field(value, self.take()[1], line)
                if text == ":":
                    value = self.call(member, line, True)
                else:
                    value = member
            elif kind == "sign" and text == "[":
                self.take()
                self.expression()
                self.take("]")
                value = ANY
            else:
                return value

    def field(self, value, name, line):
        fields = self.stubs.fields.get(value) if isinstance(value, str) else None
        if not fields or not (value.startswith("sinew")):
            return ANY
        if name in fields:
            return fields[name]
        if any(key.startswith("[") or key in ("string", "integer") for key in fields):
            return ANY
        self.say(line, f"{value} has no field '{name}'")
        return ANY

    def call(self, called, line, method):
        kind = self.tokens[self.at][0]
        if kind == "string":
            given = [("literal", self.take()[1][1:-1])]
        elif self.text() == "{":
            given = [self.table()]
        else:
            self.take("(")
            given = [] if self.text() == ")" else self.expressions()
            self.take(")")
        if isinstance(called, str) and called in self.stubs.overloads:
            called = (*self.stubs.overloads[called], False)
        if not isinstance(called, tuple) or called[0] in ("literal", "table"):
            return ANY
        params, result, is_method = called
        if is_method and not method:
            self.say(line, "a method is called with a dot")
            return result.rstrip("?")
        rest = any(p[0] == "..." for p in params)
        if len(given) > len(params) and not rest:
            self.say(line, f"{len(given)} arguments where {len(params)} are taken")
        for (name, optional, wanted), value in zip(params, given):
            if not (optional and value == "nil") and not self.fits(value, wanted):
                self.say(line, f"'{name}' is {self.name(value)}, not {wanted}")
        for name, optional, wanted in params[len(given):]:
            if not optional and name != "..." and "nil" not in wanted and wanted != "any":
                self.say(line, f"'{name}' is missing")
        return result.rstrip("?") if "|" not in result else ANY

    # ---- types ----
    @staticmethod
    def name(value):
        return f"'{value[1]}'" if isinstance(value, tuple) and value[0] == "literal" else "a table" if isinstance(
            value, tuple) and value[0] == "table" else str(value)

    def fits(self, value, wanted):
        return any(self.fits_one(value, one) for one in wanted.rstrip("?").split("|"))

    def fits_one(self, value, wanted):
        if value == ANY or wanted == "any" or isinstance(wanted, tuple):
            return True
        if wanted in self.stubs.aliases:
            words = self.stubs.aliases[wanted]
            literal = isinstance(value, tuple) and value[0] == "literal"
            return "string" in words and (literal or value == "string") or literal and f'"{value[1]}"' in words or value == "string"
        if wanted.startswith('"'):
            return value == "string" or isinstance(value, tuple) and value[0] == "literal" and f'"{value[1]}"' == wanted
        if isinstance(value, tuple) and value[0] == "literal":
            return wanted == "string"
        if isinstance(value, tuple) and value[0] == "table":
            return self.table_fits(value, wanted)
        if isinstance(value, tuple):
            return wanted == "function"
        if value == "integer" and wanted == "number" or value.endswith("[]") and wanted == "any[]":
            return True
        return value == wanted or value == "sinew.Quat" and wanted == "sinew.Vec3" or "|" in value

    def table_fits(self, value, wanted):
        _, items, names, keyed = value
        if wanted.endswith("[]"):
            return not names and not keyed and all(self.fits(item, wanted[:-2]) for item in items)
        if wanted == "table":
            return True
        fields = self.stubs.fields.get(wanted)
        if fields is None or wanted in self.stubs.calls.values():
            return False
        if "sinew.Node" == wanted or wanted == "sinew.Modifier" or wanted == "sinew.Mask":
            return False
        if wanted == "sinew.Vec3":
            return len(items) >= 3 or set(names) == {"x", "y", "z"}
        known = all(name in fields and self.fits(item, fields[name]) for name, item in names.items())
        return known and (not items or "integer" in fields or "[integer]" in fields)


def check(stubs, scene):
    """A list of (line, words)."""
    return Checker(Stubs(stubs), scene).found


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as a, open(sys.argv[2], encoding="utf-8") as b:
        faults = check(a.read(), b.read())
    for fault in faults:
        print(f"{sys.argv[2]}:{fault[0]}: {fault[1]}")
    sys.exit(bool(faults))
