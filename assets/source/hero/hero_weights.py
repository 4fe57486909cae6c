"""Skin weights: blends along chains of joints, then smoothed over the mesh.

The joints called ...Half turn half as far as their namesake. A ring of the mesh that
follows one of them halfway round a bend keeps its area, where the plain mean of the
two sides would lose 1 - cos(half the angle) of it.
"""

import numpy as np

from hero_skeleton import BIND, INDEX, NAMES, FOREARM, UPPER_ARM, finger_tail

MOST_INFLUENCES = 6


def smooth_step(x, low, high):
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


class Weights:
    def __init__(self, mesh):
        self.mesh = mesh
        self.points = mesh.positions()
        self.table = np.zeros((len(self.points), len(NAMES)))

    def add(self, joint, amount):
        self.table[:, INDEX[joint]] += amount

    def chain(self, coordinate, stops, amount=1.0):
        """Each stop is (joint, coordinate where it alone counts), in rising order."""
        places = [place for _, place in stops]
        for i, (joint, place) in enumerate(stops):
            rise = smooth_step(coordinate, places[i - 1], place) if i else 1.0
            fall = smooth_step(coordinate, place, places[i + 1]) if i + 1 < len(stops) else 0.0
            self.add(joint, amount * rise * (1 - fall))

    def pull(self, joint, share):
        """Gives one joint a share of whatever the others had."""
        share = np.broadcast_to(share, (len(self.points),))
        self.table *= (1 - share)[:, None]
        self.add(joint, share)

    def smooth(self, rounds, strength=0.5):
        near = self.mesh.neighbours()
        starts = np.cumsum([0] + [len(n) for n in near])
        flat = np.concatenate([sorted(n) for n in near]).astype(int)
        counts = np.maximum(np.diff(starts), 1)[:, None]
        for _ in range(rounds):
            mean = np.add.reduceat(self.table[flat], starts[:-1], axis=0) / counts
            self.table += (mean - self.table) * strength
        return self

    def symmetric(self):
        """The mean with the mirrored other side: pulling left first favours the right."""
        place = {key(p): i for i, p in enumerate(self.points)}
        twin = [place.get(key(p * (-1, 1, 1)), i) for i, p in enumerate(self.points)]
        self.table = (self.table + mirrored(self.table)[twin]) / 2
        return self

    def finish(self):
        """Keeps the largest few influences and makes the sums one."""
        table = np.where(self.table < 0.004, 0, self.table)
        limit = -np.sort(-table, axis=1)[:, MOST_INFLUENCES - 1:MOST_INFLUENCES]
        table = np.where(table < limit, 0, table)
        return table / table.sum(axis=1, keepdims=True)


def key(point):
    return tuple(np.round(point, 5) + 0.0)


def sides():
    return (("Left", 1), ("Right", -1))


SPINE_STOPS = [("Hips", 0.955), ("Spine", 1.065), ("Spine1", 1.165), ("Spine2", 1.290)]


def jacket(mesh):
    w = Weights(mesh)
    x, y, z = w.points.T
    along = mesh.extras()
    w.chain(y, SPINE_STOPS + [("Neck", 1.490)])
    for side, sign in sides():
        shoulder = smooth_step(sign * x, 0.045, 0.135) * smooth_step(y, 1.29, 1.40)
        w.pull(side + "Shoulder", 0.85 * shoulder * (along < -0.01))
        thigh = smooth_step(-y, -1.02, -0.93) * smooth_step(sign * x, -0.05, 0.09)
        w.pull(side + "UpLegHalf", 0.34 * thigh * smooth_step(z, -0.14, 0.06))
    w.smooth(6)
    for side, sign in sides():
        sleeve(w, side, np.where(sign * x > 0, along, -1.0))
    return w.smooth(3, 0.4).symmetric().finish()


def sleeve(w, side, along):
    """The armhole blends into the half joint, the sleeve from there on along the arm."""
    w.pull(side + "ArmHalf", 0.86 * smooth_step(along, -0.105, 0.035))
    w.pull(side + "Arm", smooth_step(along, 0.015, 0.150))
    w.pull(side + "ForeArmHalf", smooth_step(along, UPPER_ARM - 0.085, UPPER_ARM))
    w.pull(side + "ForeArm", smooth_step(along, UPPER_ARM, UPPER_ARM + 0.085))
    twist = smooth_step(along, UPPER_ARM + 0.05, UPPER_ARM + FOREARM / 2 + 0.02)
    end = smooth_step(along, UPPER_ARM + FOREARM * 0.62, UPPER_ARM + FOREARM + 0.03)
    w.pull(side + "ForeArmTwist", twist)
    w.pull(side + "Hand", 0.62 * end)


def trousers(mesh):
    w = Weights(mesh)
    x, y, z = w.points.T
    w.chain(-y, [("Hips", -1.0)])
    w.pull("Spine", 0.4 * smooth_step(y, 0.95, 1.02))
    for side, sign in sides():
        own = smooth_step(sign * x, -0.035, 0.035)
        front = np.clip(z / 0.1, -1, 1)                 # the seat follows later than the groin
        w.pull(side + "UpLegHalf", own * 0.9 * smooth_step(-y, -0.955 - 0.02 * front, -0.865))
    for side, sign in sides():
        own = smooth_step(sign * x, -0.028, 0.028)
        front = np.clip(z / 0.1, -1, 1)
        w.pull(side + "UpLeg", own * smooth_step(-y, -0.900 + 0.02 * front, -0.760))
    for side, sign in sides():
        leg(w, side, (sign * x > 0) * 1.0, y)
    return w.smooth(3, 0.4).symmetric().finish()


def leg(w, side, own, y):
    knee = BIND["LeftLeg"][1]
    w.pull(side + "LegHalf", own * smooth_step(-y, -knee - 0.100, -knee))
    w.pull(side + "Leg", own * smooth_step(-y, -knee, -knee + 0.100))
    w.pull(side + "Foot", own * 0.35 * smooth_step(-y, -0.15, -0.10))


def shoe(mesh):
    """The sole bends in a narrow band just behind the toe joint, the upper in a wider one."""
    w = Weights(mesh)
    _, y, z = w.points.T
    w.add("LeftFoot", 1.0)
    joint = BIND["LeftToeBase"][2]
    reach = 0.022 + 0.9 * y
    w.pull("LeftToeBase", smooth_step(z, joint - reach, joint - 0.001 + 0.35 * y))
    w.pull("LeftLeg", 0.55 * smooth_step(y, 0.085, 0.150))
    return w.finish()


def hand(mesh):
    w = Weights(mesh)
    bones = [n for n in NAMES if n.startswith("LeftHand") and n[-1] in "123"]
    near = {n: segment_distance(w.points, BIND[n], finger_tail(n)) for n in bones}
    palm = segment_distance(w.points, BIND["LeftHand"] + (0, 0, 0), palm_end()) - 0.017
    near["LeftHand"] = np.maximum(palm, 0.002)
    for name, distance in near.items():
        w.add(name, 1.0 / (distance ** 2 + 1e-6) ** 3)
    w.table /= w.table.sum(axis=1, keepdims=True)
    w.table[w.table < 0.06] = 0
    w.smooth(2)
    fore = arm_coordinate(w.points)
    w.pull("LeftForeArmTwist", 1 - smooth_step(fore, -0.050, 0.022))
    return w.smooth(1).finish()


def palm_end():
    return (BIND["LeftHandMiddle1"] + BIND["LeftHandRing1"]) / 2 * 0.85 + BIND["LeftHand"] * 0.15


def arm_coordinate(points):
    axis = BIND["LeftHand"] - BIND["LeftForeArm"]
    return (points - BIND["LeftHand"]) @ (axis / np.linalg.norm(axis))


def segment_distance(points, a, b):
    ab = b - a
    t = np.clip((points - a) @ ab / (ab @ ab), 0, 1)
    return np.linalg.norm(points - a - t[:, None] * ab, axis=1)


def head(mesh):
    """The extra column is the place in the stack of rings: the neck ends at about 0.2."""
    w = Weights(mesh)
    t = mesh.extras()
    w.add("Spine2", 1.0)
    w.pull("Neck", smooth_step(t, -0.06, 0.07))
    w.pull("Head", smooth_step(t, 0.08, 0.26))
    return w.finish()


def rigid(mesh, joint):
    w = Weights(mesh)
    w.add(joint, 1.0)
    return w.finish()


def ponytail(mesh):
    w = Weights(mesh)
    stops = [("Head", -0.4)] + [("Ponytail%d" % k, k - 0.5) for k in (1, 2, 3, 4)]
    w.chain(mesh.extras(), stops)
    return w.smooth(4).finish()


def mirrored(table):
    """The same weights for the mirrored mesh: left and right joints swap."""
    order = [INDEX["Right" + n[4:] if n.startswith("Left") else
                   "Left" + n[5:] if n.startswith("Right") else n] for n in NAMES]
    return table[:, order]
