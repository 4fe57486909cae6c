"""Evaluates an FBX scene in doubles, straight from the definitions: keys, layers, transforms of nodes, inherited scale.

It shares nothing with the reader but the file's meaning: matrices where that has quaternions, bisection where that has
Newton's method, every moment by itself."""
import bisect
import math

from imported import IDENTITY, moved, product, scaled, turned

CONSTANT, NEXT, LINEAR, CUBIC = 0x2, 0x102, 0x4, 0x8
AUTO, TCB, USER, BREAK = 0x100, 0x200, 0x400, 0x800
CLAMP, INDEPENDENT, PROGRESSIVE = 0x1000, 0x2000, 0x4000
WEIGHTED_RIGHT, WEIGHTED_NEXT_LEFT = 0x1000000, 0x2000000
ORDERS = ["XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX"]


# ---- curves ----

class Key:
    """`data`: slope right and slope left of the next key; or tension, continuity, bias. `weights`: right, next left."""

    def __init__(self, time, value, flags, data=(0, 0, 0), weights=(1 / 3, 1 / 3)):
        self.time, self.value, self.flags, self.data, self.weights = time, value, flags, data, weights

    @property
    def is_cubic(self):
        return bool(self.flags & CUBIC)

    @property
    def is_tcb(self):
        return self.is_cubic and bool(self.flags & TCB)


class Curve:
    """Times in the file's ticks; `before` and `after`: (letter, count)."""

    def __init__(self, keys, ticks, before=("C", -1), after=("C", -1)):
        self.keys, self.ticks, self.before, self.after = keys, ticks, before, after
        self.times = [key.time for key in keys]

    def chord(self, i):
        """From key i to the next, a second."""
        a, b = self.keys[i], self.keys[i + 1]
        return (b.value - a.value) * self.ticks / (b.time - a.time)

    def tcb(self, i):
        t, c, b = self.keys[i].data
        inner = 0 < i < len(self.keys) - 1
        before = self.chord(i - 1) if i else 0
        after = self.chord(i) if i + 1 < len(self.keys) else 0
        half = 0.5 if inner else 1
        return [half * (1 - t) * ((1 + b) * (1 + s * c) * before + (1 - b) * (1 - s * c) * after) for s in (-1, 1)]

    def auto(self, i):
        key, last = self.keys[i], len(self.keys) - 1
        if i in (0, last):
            if last == 0 or key.flags & PROGRESSIVE:
                return 0
            return self.chord(0 if i == 0 else last - 1)
        a, b, before, after = self.keys[i - 1], self.keys[i + 1], self.chord(i - 1), self.chord(i)
        if key.flags & CLAMP and key.value in (a.value, b.value):
            return 0
        slope = (b.value - a.value) * self.ticks / (b.time - a.time)
        if not key.flags & INDEPENDENT:
            part = (key.time - a.time) / (b.time - a.time)
            slope = (slope + before * (1 - part) + after * part) / 2
        if key.flags & PROGRESSIVE:
            for chord, weight in ((before, self.weight_left(i)), (after, self.weight_right(i))):
                most = max(0, chord * math.copysign(1, slope)) / weight
                slope = math.copysign(min(abs(slope), most), slope)
        return slope

    def weight_right(self, i):
        key = self.keys[i]
        return key.weights[0] if key.is_cubic and key.flags & WEIGHTED_RIGHT else 1 / 3

    def weight_left(self, i):
        """Written with the key before."""
        before = self.keys[i - 1] if i else None
        told = before and before.is_cubic and before.flags & WEIGHTED_NEXT_LEFT and not before.is_tcb
        return before.weights[1] if told else 1 / 3

    def slope(self, i, right):
        key, before = self.keys[i], self.keys[i - 1] if i else None
        if key.is_tcb:
            return self.tcb(i)[right]
        if key.is_cubic and key.flags & AUTO and not key.flags & USER:
            return self.auto(i)
        if right:
            return key.data[0] if key.is_cubic else self.chord(i) if not key.flags & CONSTANT and i + 1 < len(self.keys) else 0
        if not before or before.flags & CONSTANT or before.is_tcb:
            return 0
        return before.data[1] if before.is_cubic else self.chord(i - 1)

    def inside(self, time):
        i = min(bisect.bisect_right(self.times, time) - 1, len(self.keys) - 1)
        key = self.keys[i]
        if i + 1 == len(self.keys) or time == key.time:
            return key.value
        following = self.keys[i + 1]
        if key.flags & CONSTANT:
            return following.value if key.flags & AUTO else key.value
        x = (time - key.time) / (following.time - key.time)
        if not key.is_cubic:
            return key.value + x * (following.value - key.value)
        length = (following.time - key.time) / self.ticks
        right, left = self.weight_right(i), self.weight_left(i + 1)
        points = (key.value, key.value + self.slope(i, True) * right * length,
                  following.value - self.slope(i + 1, False) * left * length, following.value)
        low, high = 0.0, 1.0
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if bernstein((0, right, 1 - left, 1), middle) < x else (low, middle)
        return bernstein(points, low)

    def value(self, time):
        first, last = self.keys[0], self.keys[-1]
        if first.time <= time < last.time:
            return self.inside(time)
        after = time >= last.time
        (letter, count), end, length = self.after if after else self.before, last if after else first, last.time - first.time
        away = abs(time - end.time)
        if letter == "K" and length:
            return end.value + self.slope(len(self.keys) - 1 if after else 0, not after) * (time - end.time) / self.ticks
        if letter in "CK" or count == 0 or length == 0:
            return end.value
        cycle, rest = divmod(away, length)
        if 0 < count <= cycle:
            cycle, rest = count - 1, length
        if letter == "M" and cycle % 2 == 0:
            rest = length - rest
        at = first.time + rest if after else last.time - rest
        value = self.inside(at)
        shift = (cycle + 1) * (last.value - first.value) if letter == "A" else 0
        return value + (shift if after else -shift)


def bernstein(p, t):
    u = 1 - t
    return u * u * u * p[0] + 3 * u * u * t * p[1] + 3 * u * t * t * p[2] + t * t * t * p[3]


# ---- rotations ----

def rotation(degrees, order="XYZ"):
    """The first letter's axis turns first."""
    return product(*(turned("XYZ".index(axis), degrees["XYZ".index(axis)]) for axis in reversed(order)))


def transpose(m):
    return [[m[c][r] for c in range(4)] for r in range(4)]


def axis_angle(m):
    """Of a rotation by less than half a circle."""
    cosine = max(-1.0, min(1.0, (m[0][0] + m[1][1] + m[2][2] - 1) / 2))
    axis = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]]
    length = math.hypot(*axis)
    return ([v / length for v in axis] if length > 1e-12 else [1, 0, 0]), math.atan2(length / 2, cosine)


def about(axis, angle):
    """Rodrigues."""
    x, y, z = axis
    k = [[0, -z, y, 0], [z, 0, -x, 0], [-y, x, 0, 0], [0, 0, 0, 0]]
    square = product(k, k)
    return [[IDENTITY[r][c] + math.sin(angle) * k[r][c] + (1 - math.cos(angle)) * square[r][c] for c in range(4)]
            for r in range(4)]


def part_of(m, part):
    axis, angle = axis_angle(m)
    return about(axis, part * angle)


def angles(m):
    """Of Rz·Ry·Rx."""
    return [math.degrees(math.atan2(m[2][1], m[2][2])), math.degrees(math.asin(max(-1, min(1, -m[2][0])))),
            math.degrees(math.atan2(m[1][0], m[0][0]))]


# ---- layers ----

def power(value, part):
    return math.copysign(abs(value) ** part, value)


class Layer:
    """`curves`: by (object, property) three curves or numbers. `weight`: a curve in percent, or a number."""

    def __init__(self, curves, weight=100, mode=0, by_channel=False, adds_scale=False):
        self.curves, self.weight, self.mode = curves, weight, mode
        self.by_channel, self.adds_scale = by_channel, adds_scale

    def blend(self, name, below, above, time):
        w = max(0, min(1, (self.weight.value(time) if isinstance(self.weight, Curve) else self.weight) / 100))
        if self.mode == 1:
            return above
        if name == "R" and not self.by_channel:
            low, high = rotation(below), rotation(above)
            if self.mode == 0:
                return angles(product(low, part_of(high, w) if w < 1 else high))
            return angles(product(low, part_of(product(transpose(low), high), w)))
        if name == "S" and not self.adds_scale:
            return [(b if self.mode == 0 else power(b, 1 - w)) * power(a, w) for b, a in zip(below, above)]
        return [b * (1 if self.mode == 0 else 1 - w) + w * a for b, a in zip(below, above)]


def read(value, time):
    return value.value(time) if isinstance(value, Curve) else value


def blended(layers, node, name, rest, time):
    result = rest
    for i, layer in enumerate(layers):
        given = layer.curves.get((node, name))
        if given:
            own = [read(value, time) for value in given]
            result = layer.blend(name, result, own, time) if i else own
    return result


# ---- nodes ----

class Node:
    """`told`: the properties by their names in the file, but T, R and S for those of "Lcl"."""

    def __init__(self, parent, **told):
        self.parent, self.told = parent, told

    def get(self, name, otherwise=(0, 0, 0)):
        return self.told.get(name, otherwise)

    def local(self, t, r, s):
        """With the scale and without."""
        active = self.get("RotationActive", 1)
        order = ORDERS[self.get("RotationOrder", 0)] if active else "XYZ"
        pre = rotation(self.get("PreRotation")) if active else IDENTITY
        post = transpose(rotation(self.get("PostRotation"))) if active else IDENTITY
        pivot, scale_pivot = self.get("RotationPivot"), self.get("ScalingPivot")
        rest = [moved(*t), moved(*self.get("RotationOffset")), moved(*pivot), pre, rotation(r, order), post,
                moved(*(-v for v in pivot)), moved(*self.get("ScalingOffset")), moved(*scale_pivot)]
        whole = product(*rest, scaled(*s), moved(*(-v for v in scale_pivot)))
        bare = product(pre, rotation(r, order), post)
        return whole, bare


class Placed:
    """`whole`: to the world; `bare`: the same without the scale of its own; `scale`: that scale."""

    def __init__(self, whole, bare, scale, source):
        self.whole, self.bare, self.scale, self.source = whole, bare, scale, source


def place(nodes, layers=(), time=None):
    """Each node's matrix in the world. InheritType 1 multiplies matrices. Types 0 and 2 turn with their parents, without
    the parents' scale. They move with it, though, and scale along their own axes: type 0 by what their parents scale by,
    type 2 by what those take from above."""
    placed = []
    for i, node in enumerate(nodes):
        t, r, s = (blended(layers, i, name, node.get(name, (1, 1, 1) if name == "S" else (0, 0, 0)), time) for name in "TRS")
        whole, bare = node.local(t, r, s)
        at = moved(*(whole[row][3] for row in range(3)))
        kind, parent = node.get("InheritType", 1), placed[node.parent] if node.parent is not None else None
        if not parent or kind == 1:
            above = parent.whole if parent else IDENTITY
            placed.append(Placed(product(above, whole), product(above, at, bare), s, None))
            continue
        source = parent if kind == 0 else parent.source
        scale = [a * b for a, b in zip(s, source.scale)] if source else s
        at = moved(*(whole[row][3] * parent.scale[row] for row in range(3)))
        turn = product(parent.bare, at, bare)
        placed.append(Placed(product(turn, scaled(*scale)), turn, scale, source))
    return [p.whole for p in placed]
