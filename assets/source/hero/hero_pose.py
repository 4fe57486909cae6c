"""Posing the skeleton: rotations, two-bone legs, arms by angles, fingers, helper joints.

`turn[j]` is joint j's rotation in the model's axes against its bind pose, so a bind pose
is all identities, and a joint's local rotation is turn[parent]ᵀ · turn[j].
"""

import numpy as np

from hero_skeleton import (BIND, FOREARM_BEND, NAMES, PARENT, THUMB_DIRECTION, arm_frame,
                           hand_direction, unit)

MIRROR = np.diag([-1.0, 1.0, 1.0])


def axis_turn(axis, angle):
    """Rodrigues' formula."""
    x, y, z = unit(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)


def turn_x(degrees):
    return axis_turn((1, 0, 0), np.radians(degrees))


def turn_y(degrees):
    return axis_turn((0, 1, 0), np.radians(degrees))


def turn_z(degrees):
    return axis_turn((0, 0, 1), np.radians(degrees))


def rotation_vector(m):
    angle = np.arccos(np.clip((np.trace(m) - 1) / 2, -1, 1))
    if angle < 1e-7:
        return np.zeros(3)
    axis = np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
    return axis / (2 * np.sin(angle)) * angle


def part_turn(m, share):
    v = rotation_vector(m)
    angle = np.linalg.norm(v)
    return axis_turn(v, angle * share) if angle > 1e-7 else np.eye(3)


def between(a, b):
    """The smallest rotation that takes direction a to direction b."""
    axis = np.cross(a, b)
    sine = np.linalg.norm(axis)
    return axis_turn(axis, np.arctan2(sine, a @ b)) if sine > 1e-9 else np.eye(3)


def frame(direction, hinge):
    x = unit(direction)
    y = unit(hinge - x * (hinge @ x))
    return np.column_stack([x, y, np.cross(x, y)])


UPPER, FORE, HAND_UP, HAND_THUMB = arm_frame()
ELBOW_HINGE = -HAND_UP          # turning about it bends the elbow
# Takes the bind pose's left arm to one that hangs straight down, thumb forwards.
HANGING = frame(np.array([0, -1.0, 0]), np.array([-1.0, 0, 0])) @ frame(UPPER, ELBOW_HINGE).T
THUMB_STEP = hand_direction(*THUMB_DIRECTION)
THUMB_HINGE = np.cross(THUMB_STEP, hand_direction(0.35, -0.55, -0.75))


class Arm:
    """Angles in degrees. From hanging down: out, then forwards, then turned inwards."""

    def __init__(self, forward=0.0, out=12.0, inward=20.0, elbow=18.0, pronate=22.0,
                 wrist=0.0, wrist_side=0.0, lift=0.0, push=0.0, curl=1.0, spread=0.0, point=0.0):
        self.__dict__.update(locals())

    def rotation(self):
        return turn_z(self.out) @ turn_x(-self.forward) @ turn_y(-self.inward)


class Body:
    def __init__(self):
        self.turn = {"Root": np.eye(3)}
        self.place = {"Root": np.zeros(3)}
        self.reach = {}                     # leg extension, for checking

    def put(self, joint, turn):
        """Sets a joint's rotation in the model's axes; its place follows its parent."""
        parent = PARENT[joint]
        arm = BIND[joint] - BIND[parent]
        self.place[joint] = self.place[parent] + self.turn[parent] @ arm
        self.turn[joint] = turn

    def bend(self, joint, local):
        self.put(joint, self.turn[PARENT[joint]] @ local)

    def half(self, joint):
        """The helper joint that turns half as far as `joint`."""
        base = self.turn[PARENT[joint]]
        self.put(joint + "Half", base @ part_turn(base.T @ self.turn[joint], 0.5))

    def hips(self, offset, turn):
        self.put("Hips", turn)
        self.place["Hips"] = BIND["Hips"] + np.asarray(offset, float)

    def spine(self, turn_of_chest, head_turn):
        """Spreads the chest's rotation over three joints and the head's over two."""
        local = self.turn["Hips"].T @ turn_of_chest
        third = part_turn(local, 1 / 3)
        for joint in ("Spine", "Spine1", "Spine2"):
            self.bend(joint, third)
        neck = part_turn(self.turn["Spine2"].T @ head_turn, 0.45)
        self.bend("Neck", neck)
        self.put("Head", head_turn)

    def arm(self, side, arm, base=None):
        """`base`: the rotation the arm's angles are measured from (the chest's)."""
        flip = np.eye(3) if side == "Left" else MIRROR
        base = flip @ (self.turn["Spine2"] if base is None else base) @ flip
        shoulder = turn_z(arm.lift) @ turn_y(-arm.push)
        self.bend(side + "Shoulder", flip @ shoulder @ flip)
        upper = base @ arm.rotation() @ HANGING
        self.put(side + "Arm", flip @ upper @ flip)
        self.half(side + "Arm")
        elbow = axis_turn(ELBOW_HINGE, np.radians(arm.elbow) - FOREARM_BEND)
        self.bend(side + "ForeArm", flip @ elbow @ flip)
        self.half(side + "ForeArm")
        twist = axis_turn(FORE, np.radians(arm.pronate))
        half = axis_turn(FORE, np.radians(arm.pronate) / 2)
        self.bend(side + "ForeArmTwist", flip @ half @ flip)
        wrist = (axis_turn(HAND_THUMB, np.radians(-arm.wrist))
                 @ axis_turn(HAND_UP, np.radians(arm.wrist_side)))
        self.bend(side + "Hand", flip @ twist @ wrist @ flip)
        self.fingers(side, arm, flip)

    def fingers(self, side, arm, flip):
        for rank, name in enumerate(("Index", "Middle", "Ring", "Pinky")):
            more = (1 + 0.16 * rank) * arm.curl * (1 - arm.point * (name == "Index"))
            spread = axis_turn(HAND_UP, np.radians(arm.spread * (1.2, 0.2, -0.8, -1.8)[rank]))
            for joint, degrees in zip("123", (17, 25, 17)):
                local = axis_turn(-HAND_THUMB, np.radians(degrees * more))
                local = spread @ local if joint == "1" else local
                self.bend(side + "Hand" + name + joint, flip @ local @ flip)
        for joint, degrees in zip("123", (8, 14, 16)):
            local = axis_turn(THUMB_HINGE, np.radians(degrees * arm.curl))
            self.bend(side + "HandThumb" + joint, flip @ local @ flip)

    def leg(self, side, ankle, foot_turn, toe_turn, knee_way=(0, 0, 1.0)):
        """Places the ankle by a two-bone solution whose knee points along `knee_way`."""
        thigh, shin, foot = side + "UpLeg", side + "Leg", side + "Foot"
        self.put(thigh, self.turn["Hips"])
        hip = self.place[thigh]
        u0, f0 = BIND[shin] - BIND[thigh], BIND[foot] - BIND[shin]
        a, b = np.linalg.norm(u0), np.linalg.norm(f0)
        way = np.asarray(ankle, float) - hip
        far = np.linalg.norm(way)
        self.reach[side] = far / (a + b)
        far = min(far, (a + b) * 0.9995)
        hinge = unit(np.cross(knee_way, way))
        angle = np.arccos((a * a + far * far - b * b) / (2 * a * far))
        upper = axis_turn(hinge, -angle) @ unit(way)
        lower = unit(way) * far - upper * a
        x = np.array([1.0, 0, 0])
        self.put(thigh, frame(upper, hinge) @ frame(u0, x).T)
        self.put(shin, frame(lower, hinge) @ frame(f0, x).T)
        self.half(thigh)
        self.half(shin)
        self.put(foot, foot_turn)
        self.put(side + "ToeBase", toe_turn)

    def rest(self):
        """Joints that nobody posed follow their parents."""
        for name in NAMES:
            if name not in self.turn:
                self.put(name, self.turn[PARENT[name]])
        return self

    def local(self, joint):
        parent = PARENT[joint]
        return self.turn[joint] if parent is None else self.turn[parent].T @ self.turn[joint]
