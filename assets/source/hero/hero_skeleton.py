"""The hero's joints: names, parents and bind positions.

Everything in these scripts uses the axes of glTF: metres, y up, the hero looks
along +z, and its left hand is at +x. Only hero_blender.py knows Blender's axes.
"""

import numpy as np

ARM_SLOPE = np.radians(42.0)        # how far the arms hang below the horizontal
FOREARM_BEND = np.radians(9.0)      # the elbows are slightly bent forwards
UPPER_ARM, FOREARM = 0.262, 0.240

FINGERS = {                         # along, across (towards the thumb), lengths
    "Index": (0.086, 0.0300, (0.038, 0.025, 0.021)),
    "Middle": (0.091, 0.0095, (0.042, 0.028, 0.022)),
    "Ring": (0.087, -0.0110, (0.039, 0.026, 0.021)),
    "Pinky": (0.078, -0.0300, (0.031, 0.020, 0.018)),
}
FINGER_SPREAD = {"Index": 0.10, "Middle": 0.02, "Ring": -0.06, "Pinky": -0.15}
THUMB_BASE = (0.022, 0.024, -0.008)     # along, across, up
THUMB_DIRECTION = (0.70, 0.62, -0.30)
THUMB_LENGTHS = (0.040, 0.031, 0.027)

PONYTAIL = [(0.0, 1.665, -0.122), (0.0, 1.632, -0.190), (0.0, 1.545, -0.220),
            (0.0, 1.450, -0.216), (0.0, 1.355, -0.195)]

SPINE = [
    ("Root", None, (0.0, 0.0, 0.0)),
    ("Hips", "Root", (0.0, 0.940, -0.005)),
    ("Spine", "Hips", (0.0, 1.020, -0.012)),
    ("Spine1", "Spine", (0.0, 1.125, -0.016)),
    ("Spine2", "Spine1", (0.0, 1.235, -0.022)),
    ("Neck", "Spine2", (0.0, 1.420, -0.022)),
    ("Head", "Neck", (0.0, 1.500, -0.008)),
]


def unit(v):
    v = np.asarray(v, float)
    return v / np.linalg.norm(v)


def arm_frame():
    """Directions of the left upper arm, forearm, back of the hand and thumb side."""
    upper = np.array([np.cos(ARM_SLOPE), -np.sin(ARM_SLOPE), 0.0])
    up = np.array([np.sin(ARM_SLOPE), np.cos(ARM_SLOPE), 0.0])
    fore = unit(upper * np.cos(FOREARM_BEND) + np.array([0, 0, np.sin(FOREARM_BEND)]))
    return upper, fore, up, np.cross(fore, up)


def hand_point(wrist, along, across, up):
    _, fore, normal, thumb = arm_frame()
    return wrist + fore * along + thumb * across + normal * up


def hand_direction(along, across, up):
    return unit(hand_point(np.zeros(3), along, across, up))


def finger_joints(wrist):
    rows = []
    for name, (along, across, lengths) in FINGERS.items():
        point = hand_point(wrist, along, across, 0.003)
        spread = FINGER_SPREAD[name]
        step = hand_direction(np.cos(spread), np.sin(spread), -0.06)
        rows += chain("LeftHand" + name, "LeftHand", point, step, lengths)
    base = hand_point(wrist, *THUMB_BASE)
    step = hand_direction(*THUMB_DIRECTION)
    return rows + chain("LeftHandThumb", "LeftHand", base, step, THUMB_LENGTHS)


def chain(stem, parent, point, step, lengths):
    rows = []
    for index, length in enumerate(lengths, 1):
        name = stem + str(index)
        rows.append((name, parent, tuple(point)))
        parent, point = name, point + step * length
    return rows


def left_side():
    upper, fore, _, _ = arm_frame()
    shoulder = np.array([0.158, 1.380, -0.020])
    elbow = shoulder + upper * UPPER_ARM
    wrist = elbow + fore * FOREARM
    hip, knee = (0.092, 0.905, -0.004), (0.098, 0.490, 0.008)
    rows = [
        ("LeftShoulder", "Spine2", (0.024, 1.392, -0.012)),
        ("LeftArm", "LeftShoulder", tuple(shoulder)),
        ("LeftArmHalf", "LeftShoulder", tuple(shoulder)),
        ("LeftForeArm", "LeftArm", tuple(elbow)),
        ("LeftForeArmHalf", "LeftArm", tuple(elbow)),
        ("LeftHand", "LeftForeArm", tuple(wrist)),
        ("LeftForeArmTwist", "LeftForeArm", tuple((elbow + wrist) / 2)),
    ]
    rows += finger_joints(wrist)
    rows += [
        ("LeftUpLeg", "Hips", hip),
        ("LeftUpLegHalf", "Hips", hip),
        ("LeftLeg", "LeftUpLeg", knee),
        ("LeftLegHalf", "LeftUpLeg", knee),
        ("LeftFoot", "LeftLeg", (0.103, 0.092, -0.026)),
        ("LeftToeBase", "LeftFoot", (0.108, 0.001, 0.112)),
    ]
    return rows


def mirror_name(name):
    if name.startswith("Left"):
        return "Right" + name[4:]
    return "Left" + name[5:] if name.startswith("Right") else name


def all_joints():
    left = left_side()
    right = [(mirror_name(n), mirror_name(p), (-x, y, z)) for n, p, (x, y, z) in left]
    tail, parent = [], "Head"
    for index, point in enumerate(PONYTAIL[:-1], 1):
        tail.append(("Ponytail%d" % index, parent, point))
        parent = "Ponytail%d" % index
    return SPINE + left + right + tail


JOINTS = all_joints()
NAMES = [name for name, _, _ in JOINTS]
INDEX = {name: index for index, name in enumerate(NAMES)}
PARENT = {name: parent for name, parent, _ in JOINTS}
BIND = {name: np.array(point, float) for name, _, point in JOINTS}

_NEXT = {"Hips": "Spine", "Spine": "Spine1", "Spine1": "Spine2", "Spine2": "Neck",
         "Neck": "Head", "LeftShoulder": "LeftArm", "LeftArm": "LeftForeArm",
         "LeftForeArm": "LeftHand", "LeftUpLeg": "LeftLeg", "LeftLeg": "LeftFoot",
         "LeftFoot": "LeftToeBase"}


def tail(name):
    """Where the joint's bone ends; leaf bones get an end of their own."""
    if name.startswith("Right"):
        return tail(mirror_name(name)) * (-1, 1, 1)
    if name in _NEXT:
        return BIND[_NEXT[name]]
    if name == "LeftHand":
        return hand_point(BIND[name], 0.09, 0, 0)
    if name.endswith("Half") or name.endswith("Twist"):
        main = name.replace("Half", "").replace("Twist", "")
        return BIND[name] + (tail(main) - BIND[main]) * 0.4
    if name.startswith("LeftHand"):
        return finger_tail(name)
    if name.startswith("Ponytail"):
        return np.array(PONYTAIL[int(name[-1])])
    ends = {"Root": (0, 0.15, 0), "Head": (0, 0.22, 0), "LeftToeBase": (0, 0.0, 0.085)}
    return BIND[name] + ends[name]


def finger_tail(name):
    stem, number = name[:-1], int(name[-1])
    if number < 3:
        return BIND[stem + str(number + 1)]
    short = stem.replace("LeftHand", "")
    length = (THUMB_LENGTHS if short == "Thumb" else FINGERS[short][2])[2]
    return BIND[name] + unit(BIND[name] - BIND[stem + "2"]) * length
