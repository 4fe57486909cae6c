"""A skeleton by a table of joints, poses of it, and weights from the distance to its bones."""

import numpy as np

from hero_pose import axis_turn, frame, part_turn
from hero_skeleton import unit

INFLUENCES = 4


class Rig:
    """Rows of (name, parent, place, where its bone ends, how thick the flesh is around it).

    Rows named Left... are mirrored. `axes` gives a joint's own axes in the bind pose.
    """

    def __init__(self, rows, swap, axes=None):
        rows = rows + [(swap(n), swap(p), np.multiply(a, (-1, 1, 1)), np.multiply(b, (-1, 1, 1)), r)
                       for n, p, a, b, r in rows if swap(n) != n]
        self.names = [row[0] for row in rows]
        self.parent = {row[0]: row[1] for row in rows}
        self.place = {row[0]: np.array(row[2], float) for row in rows}
        self.end = {row[0]: np.array(row[3], float) for row in rows}
        self.flesh = {row[0]: row[4] for row in rows}
        self.axes = {name: axes(self, name) if axes else np.eye(3) for name in self.names}

    def rigid(self, joint, count):
        """Of so many points that follow one joint."""
        return np.eye(len(self.names))[np.full(count, self.names.index(joint))]

    def weights(self, points, triangles, only=None, rounds=8):
        """The nearer a bone's flesh, the more of it; a side's limbs keep to their side."""
        only = self.names[1:] if only is None else only
        table = np.zeros((len(points), len(self.names)))
        for k, name in enumerate(self.names):
            if name in only:
                far = segment_distance(points, self.place[name], self.end[name]) - self.flesh[name]
                side = np.sign(self.place[name][0])
                over = np.clip(-side * points[:, 0], 0, None) * 3
                table[:, k] = 1 / (np.maximum(far, 0.0) + over + 0.008) ** 4
        table /= table.sum(axis=1, keepdims=True)
        near = neighbours(len(points), triangles)
        for _ in range(rounds):
            table = table / 2 + near @ table / 2
        return kept(table)


def neighbours(count, triangles):
    """The matrix that takes the mean over the neighbours."""
    matrix = np.zeros((count, count), np.float32)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        matrix[triangles[:, a], triangles[:, b]] = matrix[triangles[:, b], triangles[:, a]] = 1
    return matrix / np.maximum(matrix.sum(axis=1, keepdims=True), 1)


def kept(table):
    """The largest few, as bytes' shares that sum to one."""
    limit = -np.sort(-table, axis=1)[:, INFLUENCES - 1:INFLUENCES]
    table = np.where((table < limit) | (table < 0.01), 0, table)
    return table / table.sum(axis=1, keepdims=True)


def segment_distance(points, a, b):
    way = b - a
    t = np.clip((points - a) @ way / max(way @ way, 1e-12), 0, 1)
    return np.linalg.norm(points - a - t[:, None] * way, axis=1)


class Pose:
    """Rotations in the model's axes against the bind pose, and places, as in hero_pose."""

    def __init__(self, rig):
        self.rig = rig
        root = rig.names[0]
        self.turn, self.place = {root: np.eye(3)}, {root: rig.place[root].copy()}

    def put(self, joint, turn):
        up = self.rig.parent[joint]
        self.place[joint] = self.place[up] + self.turn[up] @ (self.rig.place[joint] - self.rig.place[up])
        self.turn[joint] = turn

    def bend(self, joint, local):
        self.put(joint, self.turn[self.rig.parent[joint]] @ local)

    def move(self, joint, offset, turn):
        self.put(joint, turn)
        self.place[joint] = self.place[joint] + offset

    def spread(self, joints, turn):
        """Reaches `turn` at the last joint, in equal parts."""
        part = part_turn(self.turn[self.rig.parent[joints[0]]].T @ turn, 1 / len(joints))
        for joint in joints:
            self.bend(joint, part)

    def limb(self, upper, lower, end, target, toward):
        """Two bones that bring `end` to `target`; the middle joint points `toward`."""
        place = self.rig.place
        self.bend(upper, np.eye(3))
        start = self.place[upper]
        u0, l0 = place[lower] - place[upper], place[end] - place[lower]
        a, b = np.linalg.norm(u0), np.linalg.norm(l0)
        way = np.asarray(target, float) - start
        far = np.clip(np.linalg.norm(way), abs(a - b) + 1e-4, (a + b) * 0.9995)
        hinge = unit(np.cross(toward, way))
        first = axis_turn(hinge, -np.arccos((a * a + far * far - b * b) / (2 * a * far))) @ unit(way)
        rest = unit(np.cross(toward, u0 + l0))
        self.put(upper, frame(first, hinge) @ frame(u0, rest).T)
        self.put(lower, frame(unit(way) * far - first * a, hinge) @ frame(l0, rest).T)

    def rest(self):
        for name in self.rig.names:
            if name not in self.turn:
                self.put(name, self.turn[self.rig.parent[name]])
        return self
