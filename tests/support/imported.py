"""For the tests that write a small model file and look at what the program makes of it."""
import json
import math
import struct

import program

IDENTITY = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]


def product(*matrices):
    result = IDENTITY
    for m in matrices:
        result = [[sum(result[r][k] * m[k][c] for k in range(4)) for c in range(4)] for r in range(4)]
    return result


def moved(x, y, z):
    return [[1, 0, 0, x], [0, 1, 0, y], [0, 0, 1, z], [0, 0, 0, 1]]


def scaled(x, y, z):
    return [[x, 0, 0, 0], [0, y, 0, 0], [0, 0, z, 0], [0, 0, 0, 1]]


def turned(axis, degrees):
    """About one of the axes 0, 1, 2."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    m = [list(row) for row in IDENTITY]
    a, b = (axis + 1) % 3, (axis + 2) % 3
    m[a][a] = m[b][b] = c
    m[a][b], m[b][a] = -s, s
    return m


def euler(x, y, z):
    """x first, then y, then z."""
    return product(turned(2, z), turned(1, y), turned(0, x))


def inverse(m):
    """Of a matrix without scale."""
    turn = [[m[c][r] for c in range(3)] + [0] for r in range(3)] + [[0, 0, 0, 1]]
    return product(turn, moved(-m[0][3], -m[1][3], -m[2][3]))


def at(m, point):
    return [sum(m[r][k] * v for k, v in enumerate((*point, 1))) for r in range(3)]


def read_glb(path):
    data = path.read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20:20 + size]), data[20 + size:]


def write_glb(path, told, rest):
    text = json.dumps(told).encode()
    text += b" " * (-len(text) % 4)
    path.write_bytes(struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest)
    return path


class Case(program.Case):
    def info(self, path):
        result = program.sinew("info", path, "--json", SINEW_CACHE="off")
        self.assertEqual(result.status, 0, result)
        return json.loads(result.out)

    def refused(self, path, *words):
        self.assert_says(program.sinew("info", path, SINEW_CACHE="off"), 1, path, *words)

    def pose(self, path, clip=None, times=(), *words):
        """In the file's own units and axes, unless `words` say otherwise."""
        clips = ["--clip", clip, "--time", ",".join(map(repr, times))] if clip else []
        result = program.sinew("pose", path, "--json", *(words or ["--raw", "--vertices"]), *clips, SINEW_CACHE="off")
        self.assertEqual(result.status, 0, result)
        return json.loads(result.out)

    def node(self, dump, name):
        return [node["name"] for node in dump["nodes"]].index(name)

    def assert_near(self, found, expected, delta=1e-4, message=None):
        self.assertEqual(len(found), len(expected), message)
        for a, b in zip(found, expected):
            self.assertAlmostEqual(a, b, delta=delta, msg=message or f"{found} is not {expected}")

    def assert_world(self, dump, frame, name, matrix, delta=1e-4):
        """The node's matrix in a frame (None: at rest)."""
        worlds = (dump["rest"] if frame is None else dump["clips"][0]["frames"][frame])["world"]
        columns = [matrix[r][c] for c in range(4) for r in range(4)]
        self.assert_near(worlds[self.node(dump, name)], columns, delta, f"{name} in frame {frame}")

    def assert_points(self, found, points, delta=1e-4):
        """The vertices, in any order."""
        found = [tuple(found[i:i + 3]) for i in range(0, len(found), 3)]
        self.assertEqual(len(found), len(points))
        for point in points:
            self.assertLess(min(math.dist(point, other) for other in found), delta, f"{point} is not in {found}")

    def assert_noted(self, told, *words):
        self.assertTrue(any(all(word in note for word in words) for note in told["notes"]), (words, told["notes"]))

    def assert_not_noted(self, told, word):
        self.assertFalse(any(word in note for note in told["notes"]), told["notes"])
