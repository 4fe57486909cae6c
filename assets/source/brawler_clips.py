"""The brawler's only clip of its own: it stands with its feet apart and breathes. The rest it borrows."""

import numpy as np

from brawler_shape import THIGH
from hero_clips import TAU, wave
from hero_pose import turn_x, turn_y, turn_z
from rig import Pose

FRAMES = 120
MIRROR = np.diag([-1.0, 1.0, 1.0])


def arm(pose, side, flip, breath, sway):
    down = turn_z(-64 + 1.5 * breath) @ turn_y(-10)
    pose.bend("clavicle" + side, flip @ turn_z(-4 + 2.0 * breath) @ flip)
    pose.put("upperarm" + side, flip @ turn_y(-14 + sway) @ down @ flip)
    fore = turn_x(-34 - 2 * breath) @ turn_y(-22 + sway) @ down
    pose.put("lowerarm" + side, flip @ fore @ flip)
    pose.put("hand" + side, flip @ turn_x(-6) @ fore @ flip)


def leg(pose, side, flip):
    foot = flip @ (np.array(THIGH[2]) + (0.030, 0, 0.0))
    pose.limb("thigh" + side, "calf" + side, "foot" + side, foot, flip @ np.array([0.25, 0, 1.0]))
    pose.put("foot" + side, flip @ turn_y(12) @ flip)
    pose.put("ball" + side, flip @ turn_y(12) @ flip)


def idle_frame(rig, p):
    pose = Pose(rig)
    breath, shift = wave(2 * p, 0.5), np.sin(TAU * p)
    pose.move("pelvis", np.array([0.014 * shift, -0.022 - 0.003 * breath, 0.0]), turn_z(1.4 * shift) @ turn_x(2))
    pose.spread(("spine_01", "spine_02", "spine_03"), turn_z(-1.2 * shift) @ turn_y(2.0 * np.sin(TAU * (p - 0.1))) @ turn_x(
        5.0 - 1.6 * breath))
    pose.bend("neck_01", turn_x(1.0))
    pose.put("head", turn_y(4.0 * np.sin(TAU * (p - 0.16))) @ turn_x(3.0 + 0.8 * wave(2 * p, 0.6)))
    for side, flip in (("_l", np.eye(3)), ("_r", MIRROR)):
        arm(pose, side, flip, breath, 2.0 * np.sin(TAU * (p - 0.08)) * flip[0, 0])
        leg(pose, side, flip)
    return pose.rest()


def all_clips(rig):
    return {"Idle": [idle_frame(rig, k / FRAMES) for k in range(FRAMES + 1)]}
