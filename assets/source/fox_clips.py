"""The fox's clips: Idle, and Walk, Trot and Gallop in place and travelling.

Phase 0 is the left hind paw's contact. A gait's rows say when each paw lands.
"""

import numpy as np

from fox_shape import TAIL, TOE
from hero_clips import TAU, keyed, soft, wave
from hero_gait import hermite
from hero_pose import turn_x, turn_y, turn_z
from rig import Pose

FPS = 30
LEGS = ("LeftHind", "LeftFront", "RightHind", "RightFront")
SPINE, TAILS = ("Spine", "Spine1", "Chest"), ["Tail%d" % k for k in range(1, len(TAIL))]


class Gait:
    """`lands`: each paw's contact as a share of the cycle; `reach`: how far ahead of its bind place
    the middle of a paw's stance lies; `lift`: how high paws swing; `kick`:
    whether they leave the ground steeply; lengths in metres."""

    def __init__(self, frames, speed, stance, lands, reach, lift, fold, roll, narrow=0.012,
                 kick=False):
        self.__dict__.update(locals())
        self.stride = speed * frames / FPS

    def planted(self, leg, p):
        """The paw's z, y, pitch and the pastern's pitch while on the ground; the tip stays in its place."""
        late = np.clip((p / self.stance - 0.70) / 0.30, 0, 1)
        pitch = self.roll * late * late
        offset = turn_x(pitch) @ -TOE + TOE
        z = self.stride * (self.stance / 2 - p) + self.reach[leg] + offset[2]
        return np.array([z, offset[1], pitch, self.slant(leg) * (p / self.stance - 0.42) + pitch * 0.8])

    def slant(self, leg):
        """Degrees by which the pastern leans forward over the stance."""
        return 62.0 if leg == "Front" else 44.0

    def swung(self, leg, u):
        length, tiny = 1 - self.stance, 1e-4
        start, end = self.planted(leg, self.stance), self.planted(leg, 0.0)
        out = (start - self.planted(leg, self.stance - tiny)) / tiny * length
        into = (self.planted(leg, tiny) - end) / tiny * length
        way = end[0] - start[0]
        fold = self.fold[leg]
        early = [(0.13, start[0] - 0.045, 0.095, fold * 0.7, fold * 0.8)] if self.kick else []
        keys = [(0.0, *start), *early, (0.30, start[0] + 0.27 * way, self.lift[leg] * 0.95, fold, fold * 1.05),
                (0.60, start[0] + 0.70 * way, self.lift[leg], fold * 0.45, fold * 0.42),
                (0.82, end[0] + 0.06 * way, self.lift[leg] * 0.38, -6.0, end[3] - 3), (1.0, *end)]
        return hermite(keys, u, out, into)

    def paw(self, leg, phase):
        p = phase % 1.0
        return self.planted(leg, p) if p <= self.stance else self.swung(leg, (p - self.stance) / (1 - self.stance))


WALK = Gait(24, 0.65, 0.63, dict(zip(LEGS, (0.0, 0.25, 0.5, 0.75))), {"Front": -0.018, "Hind": 0.016},
            {"Front": 0.060, "Hind": 0.050}, {"Front": 62, "Hind": 48}, 34)
TROT = Gait(16, 1.4, 0.43, dict(zip(LEGS, (0.0, 0.5, 0.5, 0.0))), {"Front": -0.030, "Hind": 0.024},
            {"Front": 0.095, "Hind": 0.080}, {"Front": 92, "Hind": 62}, 44, 0.018)
GALLOP = Gait(14, 3.8, 0.19, dict(zip(LEGS, (0.0, 0.47, 0.10, 0.57))), {"Front": 0.010, "Hind": 0.090},
              {"Front": 0.150, "Hind": 0.165}, {"Front": 104, "Hind": 66}, 48, 0.022, kick=True)


def place_leg(pose, name, z, y, pitch, slant, narrow, shoulder=0.0, turn=0.0):
    """Puts the paw `z` ahead of its bind place and `y` above it; `turn` yaws the whole foot."""
    rig, leg = pose.rig, name.replace("Left", "").replace("Right", "")
    side = 1 if name.startswith("Left") else -1
    if leg == "Front":
        pose.bend(name.replace("Front", "Scapula"), turn_x(shoulder))
    paw, joint = rig.place[name + "Paw"], rig.place[name + "Pastern"]
    paw_at = paw + (-narrow * side, y, z)
    ankle = paw_at + turn_x(slant) @ (joint - paw)
    toward = (0.10 * side, 0, 1) if leg == "Hind" else (0.16 * side, 0, -1)
    pose.limb(name + "Upper", name + "Lower", name + "Pastern", ankle, np.array(toward, float))
    pose.put(name + "Pastern", turn_x(slant))
    pose.put(name + "Paw", turn_y(turn) @ turn_x(pitch))


def legs(pose, gait, phase):
    for name in LEGS:
        leg = name.replace("Left", "").replace("Right", "")
        z, y, pitch, slant = gait.paw(leg, phase - gait.lands[name])
        place_leg(pose, name, z, y, pitch, slant, gait.narrow, shoulder=-105 * (z - 0.01))


def trunk(pose, hips, hips_turn, chest, neck, head):
    pose.move("Hips", np.array(hips, float), hips_turn)
    pose.spread(SPINE, chest)
    pose.spread(("Neck", "Neck1"), neck)
    pose.put("Head", head)


def tail(pose, phase, side, up, droop, lag=0.11, beats=1):
    """A wave that runs from root to tip; later joints follow later and further."""
    for k, joint in enumerate(TAILS):
        yaw = side * (0.5 + 0.25 * k) * np.sin(TAU * (beats * phase - lag * k))
        pitch = droop * (1.0 if k == 0 else -0.22) + up * (0.5 + 0.2 * k) * wave(2 * phase, 0.15 + lag * k)
        pose.bend(joint, turn_y(yaw) @ turn_x(pitch))


def ears(pose, back, out):
    for side, sign in (("Left", 1), ("Right", -1)):
        pose.bend(side + "Ear", turn_x(-back) @ turn_z(-sign * out))


def walk_frame(rig, phase):
    pose = Pose(rig)
    bob, nod = wave(2 * phase, 0.30), wave(2 * phase, 0.44)
    sway = np.sin(TAU * (phase - 0.02))                     # over the hind leg that stands
    yaw = wave(phase, 0.02)
    trunk(pose, (0.010 * sway, -0.022 + 0.005 * bob, 0), turn_y(4.0 * -yaw) @ turn_z(3.5 * sway) @ turn_x(-0.6 * nod),
          turn_y(-3.5 * wave(phase, 0.30)) @ turn_z(3.0 * np.sin(TAU * (phase - 0.27))) @ turn_x(1.0 + 1.2 * nod),
          turn_y(1.0 * wave(phase, 0.35)) @ turn_x(9 + 2.6 * nod), turn_x(5 + 1.2 * wave(2 * phase, 0.52)))
    legs(pose, WALK, phase)
    tail(pose, phase - 0.1, 7.0, 1.2, 9)
    ears(pose, 2 + 2 * wave(2 * phase, 0.6), 1)
    return pose.rest()


def trot_frame(rig, phase):
    pose = Pose(rig)
    bob = wave(2 * phase, 0.46)                             # highest between two diagonals
    sway, yaw = np.sin(TAU * (phase + 0.03)), wave(phase)
    trunk(pose, (0.004 * sway, -0.022 + 0.015 * bob, 0), turn_y(-3.0 * yaw) @ turn_z(2.4 * sway) @ turn_x(0.8 * bob),
          turn_y(2.6 * yaw) @ turn_z(-2.0 * sway) @ turn_x(-0.5 + 1.0 * wave(2 * phase, 0.56)),
          turn_x(4 + 1.8 * wave(2 * phase, 0.60)), turn_x(5 + 1.2 * wave(2 * phase, 0.70)))
    legs(pose, TROT, phase)
    tail(pose, phase, 5.0, 3.0, -6)
    ears(pose, 6 + 5 * wave(2 * phase, 0.72), 1)
    return pose.rest()


def gallop_frame(rig, phase):
    """Gathered with a round back before the hind paws land, stretched out after they push off."""
    pose = Pose(rig)
    arch = wave(phase, 0.90)                                # 1 gathered, -1 stretched
    rise = wave(2 * phase, 0.385)                           # highest in both suspensions
    rock = wave(phase, 0.66)                                # 1: hind end high, nose down
    trunk(pose, (0.004 * wave(phase, 0.3), -0.030 + 0.022 * rise + 0.012 * rock, -0.020 + 0.030 * -arch * 0.5),
          turn_y(2.0 * wave(phase, 0.1)) @ turn_x(7.0 * rock - 11.0 * arch),
          turn_x(5.0 * rock + 10.0 * arch), turn_x(16 + 6.0 * rock + 4.0 * arch - 3 * rise),
          turn_x(9 + 3.5 * wave(phase, 0.74)))
    legs(pose, GALLOP, phase)
    for k, joint in enumerate(TAILS):
        lift = -12 if k == 0 else 3
        pose.bend(joint, turn_y(2.0 * np.sin(TAU * (phase - 0.1 * k))) @ turn_x(
            lift + 7.0 * wave(phase, 0.55 + 0.10 * k)))
    ears(pose, 26 + 6 * wave(phase, 0.8), 3)
    return pose.rest()


def idle_frame(rig, t, seconds=5.0):
    """Two breaths, a look to one side, a flick of the ear, and a slow tail."""
    pose, p = Pose(rig), t / seconds
    breath, shift = wave(2 * p, 0.5), np.sin(TAU * p)
    look = keyed(t, [(0.5, 0), (1.1, 24), (2.1, 24), (2.7, -10), (3.5, -10), (4.4, 0)])
    tilt = keyed(t, [(1.0, 0), (1.5, 7), (2.1, 7), (2.8, 0)])
    dip = keyed(t, [(0.5, 0), (0.8, 3), (1.2, 0), (2.1, 0), (2.4, 5), (2.8, 0)])
    trunk(pose, (0.008 * shift, -0.004 - 0.0015 * breath, 0), turn_z(1.6 * shift) @ turn_y(1.5 * shift),
          turn_y(0.08 * look) @ turn_z(-1.0 * shift) @ turn_x(-0.7 * breath),
          turn_y(0.45 * look) @ turn_x(1.0 + 0.9 * breath + 0.3 * dip),
          turn_y(look) @ turn_z(tilt) @ turn_x(2.0 + dip - 0.5 * breath))
    for name, z in zip(LEGS, (-0.018, 0.010, 0.014, -0.008)):
        place_leg(pose, name, z, 0.0, 0.0, 0.0, 0.004)
    tail(pose, p, 13.0, 0.6, 15, beats=2, lag=0.13)
    flick = keyed(t, [(3.0, 0), (3.08, 22), (3.18, -6), (3.30, 12), (3.45, 0)])
    pose.bend("LeftEar", turn_y(0.25 * look) @ turn_x(-flick))
    pose.bend("RightEar", turn_y(0.35 * look) @ turn_x(-soft(t, 1.0, 1.3) * (1 - soft(t, 2.2, 2.6)) * 8))
    return pose.rest()


def cycle(rig, frame, gait, travel):
    poses = [frame(rig, k / gait.frames) for k in range(gait.frames + 1)]
    for k, pose in enumerate(poses if travel else ()):
        along = np.array([0, 0, gait.speed * k / FPS])
        pose.place = {name: place + along for name, place in pose.place.items()}
    return poses


def all_clips(rig):
    clips = {"Idle": [idle_frame(rig, k / FPS) for k in range(151)]}
    for name, frame, gait in (("Walk", walk_frame, WALK), ("Trot", trot_frame, TROT), ("Gallop", gallop_frame, GALLOP)):
        clips[name] = cycle(rig, frame, gait, False)
        clips[name + "Root"] = cycle(rig, frame, gait, True)
    return clips
