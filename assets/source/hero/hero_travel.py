"""Whole bodies over feet that step: from keyed poses and a path of the Root to frames."""

import numpy as np

from hero_clips import FEET, STANCE_OUT, STANCE_STEP, STANCE_TURN, idle_pose, mix_arm, soft, torso
from hero_gait import ANKLE
from hero_pose import MIRROR, axis_turn, part_turn, turn_x, turn_y
from hero_skeleton import BIND, PARENT, mirror_name
from hero_steps import Stance
from hero_tail import swing_tail

ROOTED = np.array([0, -0.0035, 0.004])              # what stand() of hero_clips adds to the hips
LEG = {s: [np.linalg.norm(BIND[s + b] - BIND[s + a]) for a, b in (("UpLeg", "Leg"), ("Leg", "Foot"))] for s in FEET}
REACH = 0.9985                                      # of a leg's length


def standing():
    pose = idle_pose(0.0)
    pose["hips"] = np.add(pose["hips"], ROOTED)
    return pose


def idle_stance(side, root, land, lift, **changes):
    """Where Idle has the foot, for a Root at (x, z, yaw)."""
    sign = FEET[side]
    place = turn_y(root[2]) @ np.array([sign * (ANKLE[0] + STANCE_OUT), 0, ANKLE[2] - STANCE_STEP * sign])
    return Stance(root[0] + place[0], root[1] + place[2], root[2] + sign * STANCE_TURN, land, lift, **changes)


# ---- poses ----

def mix(a, b, amount):
    pose = {"hips": np.add(np.multiply(a["hips"], 1 - amount), np.multiply(b["hips"], amount))}
    for part in ("hips_turn", "chest", "head"):
        pose[part] = a[part] @ part_turn(a[part].T @ b[part], amount)
    for side in ("left", "right"):
        pose[side] = mix_arm(a[side], b[side], amount)
    return pose


def bump(t, a, b, c, d):
    """Up from a to b, down again from c to d."""
    return soft(t, a, b) * (1 - soft(t, c, d))


def lean(pose, way, degrees, push=0.0):
    """Tilts the body towards a direction (x, z) of the Root's space; the hips go there by `push` metres."""
    axis = np.array([way[1], 0.0, -way[0]])
    for part, share in (("hips_turn", 0.5), ("chest", 1.0), ("head", 0.35)):
        pose[part] = axis_turn(axis, np.radians(degrees * share)) @ pose[part]
    pose["hips"] = np.add(pose["hips"], (way[0] * push, 0, way[1] * push))


def face(pose, hips, chest, head):
    """Turns the parts about the vertical, degrees."""
    for part, degrees in (("hips_turn", hips), ("chest", chest), ("head", head)):
        pose[part] = turn_y(degrees) @ pose[part]


def sink(pose, metres):
    pose["hips"] = np.add(pose["hips"], (0, -metres, 0))


# ---- frames ----

class Travel:
    """`root(t)` gives x, z and yaw in degrees, `pose(t)` the body above the legs in the Root's space.

    `joins` are lists of bodies that the clip continues, and that continue it: the ponytail meets theirs. From `own`
    seconds on it is the gait, which knows itself how high its hips are.
    """

    def __init__(self, frames, root, feet, pose, joins, own=1e9):
        self.frames, self.root, self.feet, self.pose, self.joins, self.own = frames, root, feet, pose, joins, own

    def legs(self, body, t):
        x, z, yaw = self.root(t)
        hips = np.degrees(np.arctan2(*body.turn["Hips"][(0, 2), 2]))
        for side in FEET:
            (*ankle, pitch, turn), toe = self.feet[side].state(t)
            place = turn_y(-yaw) @ (np.array(ankle) - (x, 0, z))
            own = turn - yaw
            knee = turn_y(0.8 * own + 0.25 * (hips - own) * (abs(hips - own) > 25)) @ np.array([0, 0, 1.0])
            body.leg(side, place, turn_y(own) @ turn_x(pitch), turn_y(own) @ turn_x(toe), knee)

    def lack(self, t):
        """How far the hips have to sink so that both legs reach."""
        if t > self.own:
            return 0.0
        body, (x, z, yaw), most = torso(**self.pose(t)), self.root(t), 0.0
        for side in FEET:
            body.put(side + "UpLeg", body.turn["Hips"])
            way = turn_y(-yaw) @ (self.feet[side].state(t)[0][:3] - (x, 0, z)) - body.place[side + "UpLeg"]
            out, reach = np.hypot(way[0], way[2]), REACH * sum(LEG[side])
            most = max(most, -way[1] - np.sqrt(max(reach * reach - out * out, 0)))
        return most

    def drops(self, window=4):
        """Smooth, nowhere less than what lacks, and nothing at both ends."""
        lacks = np.array([0.0] * 2 * window + [self.lack(k / 30) for k in range(self.frames + 1)] + [0.0] * 2 * window)
        wide = np.array([lacks[max(k - window, 0):k + window + 1].max() for k in range(len(lacks))])
        kernel = np.hanning(2 * window + 3)[1:-1]
        return np.convolve(wide, kernel / kernel.sum(), "same")[2 * window:-2 * window]

    def bodies(self):
        made = []
        for k, drop in enumerate(self.drops()):
            pose = self.pose(k / 30)
            sink(pose, drop)
            body = torso(**pose)
            self.legs(body, k / 30)
            made.append(body.rest())
        return self.place(made)

    def place(self, bodies):
        """Into the world and back, where the ponytail swings."""
        own = [body.place["Hips"] for body in bodies]
        for k, body in enumerate(bodies):
            x, z, yaw = self.root(k / 30)
            turn, move = turn_y(yaw), np.array([x, 0, z])
            for joint in body.turn:
                body.turn[joint], body.place[joint] = turn @ body.turn[joint], turn @ body.place[joint] + move
        swing_tail(bodies, loops=False)
        for body, hips in zip(bodies, own):
            body.place["Hips"] = hips                       # Hips moves in the Root's space
        join_tails(bodies, *self.joins)
        return bodies


def join_tails(bodies, before, after, frames=9):
    """Over the first and the last frames the ponytail is that of the neighbours; they end and begin at the same ones."""
    last = len(bodies) - 1
    for k in range(min(frames, last)):
        share = 1 - soft(k, 0, frames)
        tail_to(bodies[k], before[k % (len(before) - 1) if len(before) > 1 else 0], share)
        tail_to(bodies[last - k], after[-1 - k % (len(after) - 1) if len(after) > 1 else 0], share)


def tail_to(body, other, share):
    for k in range(1, 5):
        joint = "Ponytail%d" % k
        parent = PARENT[joint]
        own, theirs = body.local(joint), other.local(joint)
        body.turn[joint + "new"] = own @ part_turn(own.T @ theirs, share)
    for k in range(1, 5):
        joint = "Ponytail%d" % k
        body.turn[joint] = body.turn[PARENT[joint]] @ body.turn.pop(joint + "new")


def mirrored(bodies):
    """Left for right."""
    for body in bodies:
        body.turn = {mirror_name(j): MIRROR @ m @ MIRROR for j, m in body.turn.items()}
        body.place = {mirror_name(j): MIRROR @ p for j, p in body.place.items()}
    return bodies


def carried(bodies, by):
    """Bodies that continue where another one's Root is."""
    turn, place = by.turn["Root"], by.place["Root"]
    for body in bodies:
        for joint in body.turn:
            body.turn[joint] = turn @ body.turn[joint]
        body.place["Root"] = place + turn @ body.place["Root"]
    return bodies
