"""Turns a text of write_fbx.py into the binary container, in every way that it comes in."""
import re
import struct
import zlib

TOKEN = re.compile(r'\s*(?:;[^\n]*\n\s*)*("[^"]*"|\*\d+|[{},:]|[^\s{},:"]+)')
WHOLE = {"Vertices": "d", "Normals": "d", "Weights": "d", "Transform": "d", "TransformLink": "d", "FullWeights": "d",
         "KeyValueFloat": "f", "KeyTime": "l", "KeyAttrDataFloat": "f"}  # others are of 32-bit integers


def parse(text):
    """[(name, values, children)]; an array is a list of numbers among the values."""
    tokens, at = TOKEN.findall(text + "\n"), 0

    def is_name(i):
        return i + 1 < len(tokens) and tokens[i + 1] == ":" and tokens[i] not in "{},"

    def records():
        nonlocal at
        found = []
        while at < len(tokens) and tokens[at] != "}":
            name, values, children = tokens[at].strip('"'), [], []
            at += 2
            while at < len(tokens) and tokens[at] not in "{}" and not is_name(at):
                token = tokens[at]
                at += 1
                if token.startswith("*"):
                    at += 3  # { a :
                    numbers = []
                    while tokens[at] != "}":
                        numbers += [float(tokens[at])] if tokens[at] != "," else []
                        at += 1
                    at += 1
                    values.append(numbers)
                elif token != ",":
                    values.append(token[1:-1] if token[0] == '"' else float(token) if "." in token or "e" in token
                                  else int(token))
            if at < len(tokens) and tokens[at] == "{":
                at += 1
                children = records()
                at += 1
            found.append((name, values, children))
        return found

    return records()


class Writer:
    def __init__(self, version, big=False, deflated=False, nulls=True):
        self.version, self.wide, self.deflated, self.nulls = version, version >= 7500, deflated, nulls
        self.order = ">" if big else "<"
        self.big = big

    def pack(self, form, *values):
        return struct.pack(self.order + form, *values)

    def array(self, name, numbers):
        kind = WHOLE.get(name, "i")
        if name == "KeyAttrDataFloat":  # the text has the bits
            data = self.pack(f"{len(numbers)}i", *map(int, numbers))
        elif kind in "il":
            data = self.pack(f"{len(numbers)}{'i' if kind == 'i' else 'q'}", *map(int, numbers))
        else:
            data = self.pack(f"{len(numbers)}{kind}", *numbers)
        stored = zlib.compress(data) if self.deflated else data
        return kind.encode() + self.pack("III", len(numbers), int(self.deflated), len(stored)) + stored

    def value(self, name, value):
        if isinstance(value, list):
            return self.array(name, value)
        if isinstance(value, str):
            parts = value.split("::", 1)
            data = (parts[1] + "\0\1" + parts[0] if len(parts) == 2 else value).encode()
            return b"S" + self.pack("I", len(data)) + data
        if isinstance(value, float):
            return b"D" + self.pack("d", value)
        return b"L" + self.pack("q", value)

    def record(self, at, name, values, children):
        number = "Q" if self.wide else "I"
        head = 3 * struct.calcsize(number) + 1
        body = b"".join(self.value(name, value) for value in values)
        inside = self.records(at + head + len(name) + len(body), children) if children else b""
        end = at + head + len(name) + len(body) + len(inside)
        return self.pack(3 * number, end, len(values), len(body)) + bytes([len(name)]) + name.encode() + body + inside

    def records(self, at, records):
        out = b""
        for record in records:
            out += self.record(at + len(out), *record)
        return out + (bytes(25 if self.wide else 13) if self.nulls else b"")

    def file(self, records):
        head = b"Kaydara FBX Binary  \0\x1a" + bytes([self.big]) + self.pack("I", self.version)
        return head + self.records(len(head), records)


def binary(text, version=7400, **ways):
    return Writer(version, **ways).file(parse(text))
