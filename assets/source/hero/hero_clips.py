"""The clips: each returns one posed Body per frame (30 a second), first to last."""

import numpy as np

from hero_gait import RUN, WALK, hermite
from hero_pose import Arm, Body, MIRROR, turn_x, turn_y, turn_z
from hero_skeleton import BIND
from hero_tail import swing_tail

TAU = 2 * np.pi
FEET = {"Left": 1.0, "Right": -1.0}


def wave(phase, shift=0.0):
    return np.cos(TAU * (phase - shift))


def soft(t, a, b):
    u = np.clip((t - a) / (b - a), 0, 1)
    return u * u * u * (u * (6 * u - 15) + 10)


def keyed(t, keys):
    """A smooth curve through (time, value) keys that rests at every key."""
    value = keys[0][1]
    for (a, x), (b, y) in zip(keys, keys[1:]):
        value = value + (y - x) * soft(t, a, b)
    return value


def gait_legs(body, gait, phase):
    for side, sign in FEET.items():
        flip = np.eye(3) if sign > 0 else MIRROR
        ankle, foot, toe = gait.foot(phase if sign > 0 else phase + 0.5)
        knee = flip @ np.array([np.sin(np.radians(gait.toe_out * 0.8)), 0, 1.0])
        body.leg(side, flip @ ankle, flip @ foot @ flip, flip @ toe @ flip, knee)


def torso(hips, hips_turn, chest, head, left, right):
    """A body down to the hips; its legs come after."""
    body = Body()
    body.hips(hips, hips_turn)
    body.spine(chest, head)
    body.arm("Left", left)
    body.arm("Right", right)
    return body


def walk_pose(phase):
    bob = -0.016 * wave(2 * phase, 0.10)                    # low just after each contact
    sway = 0.020 * np.sin(TAU * (phase - 0.04))             # over the standing foot
    yaw, roll = -6.5 * wave(phase, 0.0), 3.8 * np.sin(TAU * (phase - 0.02))
    pitch = 4.0 + 1.2 * wave(2 * phase, 0.05)
    hips = (sway, -0.036 + bob, 0.012 * wave(2 * phase, 0.3))
    hips_turn = turn_y(yaw) @ turn_z(roll * 0.9) @ turn_x(pitch)
    chest = (turn_y(8.0 * wave(phase, 0.02)) @ turn_z(-2.4 * np.sin(TAU * (phase - 0.05)))
             @ turn_x(2.6 + 0.8 * wave(2 * phase, 0.2)))
    head = turn_y(1.2 * wave(phase, 0.1)) @ turn_z(-0.8 * np.sin(TAU * phase)) @ turn_x(
        1.0 + 0.9 * wave(2 * phase, 0.32))
    arms = {}
    for side, sign in FEET.items():
        swing = -wave(phase if sign > 0 else phase + 0.5, 0.02)
        late = -wave(phase if sign > 0 else phase + 0.5, 0.09)
        arms[side] = Arm(forward=4 + 25 * swing, out=11 + 1.0 * swing, inward=4 + 5 * swing,
                         elbow=24 + 13 * late, pronate=34 + 6 * late, wrist=-4 * late,
                         wrist_side=-4, lift=-1.5 + 1.0 * wave(2 * phase, 0.1),
                         push=3.0 * swing, curl=1.15)
    return dict(hips=hips, hips_turn=hips_turn, chest=chest, head=head,
                left=arms["Left"], right=arms["Right"])


def walk_frame(phase):
    body = torso(**walk_pose(phase))
    gait_legs(body, WALK, phase)
    return body.rest()


def run_pose(phase):
    bob = -0.036 * wave(2 * phase, 0.30)                    # low in the middle of each stance
    sway = 0.012 * np.sin(TAU * (phase + 0.08))
    yaw, roll = -9.0 * wave(phase, 0.0), 4.0 * np.sin(TAU * (phase + 0.06))
    hips = (sway, -0.045 + bob, 0.0)
    hips_turn = turn_y(yaw) @ turn_z(roll) @ turn_x(9.0 + 2.0 * wave(2 * phase, 0.1))
    chest = (turn_y(13.0 * wave(phase, 0.02)) @ turn_z(-2.0 * np.sin(TAU * (phase + 0.05)))
             @ turn_x(13.0 + 1.5 * wave(2 * phase, 0.25)))
    head = turn_y(2.0 * wave(phase, 0.1)) @ turn_x(4.5 + 1.8 * wave(2 * phase, 0.40))
    arms = {}
    for side, sign in FEET.items():
        own = phase if sign > 0 else phase + 0.5
        swing, late = -wave(own, 0.0), -wave(own, 0.06)
        arms[side] = Arm(forward=-8 + 42 * swing, out=17 - 4 * swing, inward=10 + 12 * swing,
                         elbow=92 + 14 * late, pronate=16, wrist=-6 + 5 * late, wrist_side=-4,
                         lift=1.0, push=6.0 * swing, curl=2.5)
    return dict(hips=hips, hips_turn=hips_turn, chest=chest, head=head,
                left=arms["Left"], right=arms["Right"])


def run_frame(phase):
    body = torso(**run_pose(phase))
    gait_legs(body, RUN, phase)
    return body.rest()


def cycle(frame, gait):
    bodies = [frame(k / gait.frames) for k in range(gait.frames + 1)]
    return swing_tail(bodies, wind=0.5 * gait.speed)


def travelling(bodies, gait):
    """The same motion with the Root moving at the ground's speed."""
    for k, body in enumerate(bodies):
        body.place["Root"] = np.array([0, 0, gait.speed * k / 30])
    return bodies


def stand(hips=(0, 0, 0), hips_turn=None, chest=None, head=None, left=None, right=None,
          lift=0.0, feet=None):
    """Standing with both feet planted a little apart and turned out."""
    body = Body()
    hips_turn = np.eye(3) if hips_turn is None else hips_turn
    body.hips(np.array([0, -0.0035, 0.004]) + hips, hips_turn)
    body.spine(np.eye(3) if chest is None else chest, np.eye(3) if head is None else head)
    body.arm("Left", left or Arm())
    body.arm("Right", right or Arm())
    for side, sign in FEET.items():
        foot_plant(body, side, sign, lift, *(feet or (0.0, 0.0)))
    return body


STANCE_OUT, STANCE_TURN, STANCE_STEP = 0.012, 9.0, 0.018


def foot_plant(body, side, sign, lift, pitch, toe):
    """`pitch` raises the heel about the ball; `lift` takes the whole foot up."""
    flip = np.eye(3) if sign > 0 else MIRROR
    ball, ankle = BIND["LeftToeBase"], BIND["LeftFoot"]
    yaw = turn_y(STANCE_TURN)
    place = ball + turn_x(pitch) @ (ankle - ball)
    place = ankle + yaw @ (place - ankle) + (STANCE_OUT, lift, -STANCE_STEP * sign)
    knee = flip @ np.array([0.14, 0, 1.0])
    body.leg(side, flip @ place, flip @ yaw @ turn_x(pitch) @ flip,
             flip @ yaw @ turn_x(toe) @ flip, knee)


def idle_pose(t, seconds=6.0):
    """Two breaths and one shift of weight in a cycle."""
    p = t / seconds
    shift, breath = np.sin(TAU * p), wave(2 * p, 0.5)
    hips = (0.020 * shift, -0.003 * (1 - wave(2 * p)) - 0.001 * breath, 0.0)
    hips_turn = turn_y(1.8 * np.sin(TAU * (p - 0.05))) @ turn_z(2.2 * shift) @ turn_x(1.0)
    chest = turn_y(-1.2 * np.sin(TAU * (p - 0.1))) @ turn_z(-1.4 * shift) @ turn_x(
        1.5 - 1.4 * breath)
    head = turn_y(5.0 * np.sin(TAU * (p - 0.16))) @ turn_z(-1.2 * shift) @ turn_x(
        1.5 + 1.2 * np.sin(TAU * (2 * p - 0.1)))
    arms = {}
    for side, sign in FEET.items():
        drift = np.sin(TAU * (p - 0.08)) * sign
        arms[side] = Arm(forward=2 + 1.5 * drift + 1.2 * breath, out=11 + 1.0 * breath - drift,
                         inward=12, elbow=17 + 2.0 * breath, pronate=30 + 2 * drift,
                         wrist=3 + 1.5 * np.sin(TAU * (2 * p - 0.2)), lift=1.2 * breath - 1.0,
                         curl=1.25 + 0.06 * breath)
    return dict(hips=hips, hips_turn=hips_turn, chest=chest, head=head,
                left=arms["Left"], right=arms["Right"])


def idle():
    return swing_tail([stand(**idle_pose(k / 30)).rest() for k in range(181)])


def breath():
    """Meant to be added to other clips: its first frame is the bind pose."""
    bodies = []
    for k in range(121):
        amount = (1 - wave(k / 120)) / 2
        amount *= 1 - 0.12 * np.sin(TAU * k / 120)
        body = Body()
        body.put("Hips", np.eye(3))
        for joint, degrees in (("Spine", 0.2), ("Spine1", -1.0), ("Spine2", -1.6),
                               ("Neck", 1.0), ("Head", 1.1)):
            body.bend(joint, turn_x(degrees * amount))
        for side, sign in FEET.items():
            body.bend(side + "Shoulder", turn_z(3.2 * sign * amount))
            body.bend(side + "Arm", turn_z(-1.8 * sign * amount))
            body.half(side + "Arm")
        bodies.append(body.rest())
    return bodies


def mix_arm(a, b, amount):
    """An arm between two others, angle by angle."""
    names = [n for n in a.__dict__ if n != "self"]
    return Arm(**{n: getattr(a, n) + (getattr(b, n) - getattr(a, n)) * amount for n in names})


def wave_clip():
    """The right arm goes up, the hand waves three times, the arm comes down."""
    bodies, frames = [], 84
    raised = Arm(forward=12, out=104, inward=-96, elbow=80, pronate=-8, wrist=0, lift=24,
                 push=-4, curl=0.25, spread=5)
    for k in range(frames + 1):
        t = k / 30
        pose = idle_pose(0.0)
        up = soft(t, 0.10, 0.75) * (1 - soft(t, 2.10, 2.72))
        lead = soft(t, 0.0, 0.6) * (1 - soft(t, 2.2, 2.8))
        beat = soft(t, 0.55, 0.8) * (1 - soft(t, 2.0, 2.25))
        side = np.sin(TAU * (t - 0.62) / 0.50) * beat
        late = np.sin(TAU * (t - 0.70) / 0.50) * beat
        high = mix_arm(raised, raised, 0)
        high.elbow += 24 * side
        high.wrist_side += 16 * late
        high.out += 3 * side
        low, pose["right"] = pose["right"], mix_arm(pose["right"], high, up)
        pose["right"].elbow = low.elbow + (high.elbow - low.elbow) * up ** 0.55
        pose["hips"] = np.add(pose["hips"], (0.016 * lead, -0.003 * lead, 0))
        pose["hips_turn"] = pose["hips_turn"] @ turn_z(1.5 * lead)
        pose["chest"] = pose["chest"] @ turn_z(2.0 * lead + 0.6 * side) @ turn_y(-3 * lead)
        pose["head"] = pose["head"] @ turn_z(-5.0 * lead + 0.8 * late) @ turn_y(-4 * lead)
        bodies.append(stand(**pose).rest())
    return swing_tail(bodies, loops=False)


TAKE_OFF, LAND, JUMP_END = 0.60, 1.06, 1.80


RISE, LAND_RISE, CROUCH, ABSORB = 0.075, 0.045, 0.20, 0.15     # of the hips, in metres


def jump_height(t):
    """Free fall between take-off and landing."""
    air = np.clip(t, TAKE_OFF, LAND)
    return 0.5 * 9.81 * (air - TAKE_OFF) * (LAND - air)


def jump_hips(t):
    """Height of the hips: the push and the landing meet the fall at its own speed."""
    drift = (LAND_RISE - RISE) / (LAND - TAKE_OFF)
    speed = 0.5 * 9.81 * (LAND - TAKE_OFF)
    if t < 0.36:
        return -CROUCH * soft(t, 0.0, 0.36)
    if t < TAKE_OFF:
        keys = [(0.36, -CROUCH), (TAKE_OFF, RISE)]
        return hermite(keys, t, 0.0, speed + drift)[0]
    if t < LAND:
        return RISE + drift * (t - TAKE_OFF) + jump_height(t)
    if t < 1.24:
        return hermite([(LAND, LAND_RISE), (1.24, -ABSORB)], t, drift - speed, 0.0)[0]
    return -ABSORB * (1 - soft(t, 1.24, 1.74))


def jump():
    bodies = []
    for k in range(int(JUMP_END * 30) + 1):
        bodies.append(jump_frame(k / 30))
    return swing_tail(bodies, loops=False)


def jump_frame(t):
    pose = idle_pose(0.0)
    height = jump_height(t)
    bend = keyed(t, [(0.0, 0), (0.36, 1.0), (0.62, -0.12), (LAND, 0.22), (1.24, 0.75), (1.75, 0)])
    pose["hips"] = np.add(pose["hips"], (0, jump_hips(t), -0.07 * bend))
    pose["hips_turn"] = pose["hips_turn"] @ turn_x(26 * bend)
    pose["chest"] = pose["chest"] @ turn_x(36 * bend)
    look_up = soft(t, 0.45, 0.7) * (1 - soft(t, 0.9, 1.2))
    pose["head"] = pose["head"] @ turn_x(12 * bend - 6 * look_up)
    for side in ("left", "right"):
        a = pose[side]
        a.forward = keyed(t, [(0, a.forward), (0.36, -52), (0.70, 100), (1.02, 52), (1.32, -6),
                              (1.74, a.forward)])
        a.out = keyed(t, [(0, a.out), (0.4, 16), (0.70, 4), (1.02, 22), (1.3, 22), (1.74, a.out)])
        a.inward = keyed(t, [(0.36, a.inward), (0.68, -8), (1.0, -6), (1.3, a.inward)])
        a.elbow = keyed(t, [(0, a.elbow), (0.36, 26), (0.66, 26), (1.0, 30), (1.3, 42),
                            (1.74, a.elbow)])
        a.push = keyed(t, [(0.4, a.push), (0.68, 16), (1.05, 4), (1.3, a.push)])
        a.lift = keyed(t, [(0, a.lift), (0.4, -2), (0.66, 12), (1.05, 5), (1.3, 0), (1.7, a.lift)])
    heel = keyed(t, [(0.36, 0), (TAKE_OFF, 48), (0.84, 42), (LAND, 22), (1.14, 0)])
    toe = 0.0 if height <= 0 else heel * soft(t, TAKE_OFF, TAKE_OFF + 0.10) * (
        1 - soft(t, LAND - 0.12, LAND))
    tuck = 0.08 * soft(t, 0.62, 0.80) * (1 - soft(t, 0.86, LAND))
    return stand(**pose, lift=height + tuck, feet=(heel, toe)).rest()


def look_around():
    bodies = []
    for k in range(121):
        t = k / 30
        pose = idle_pose(0.0)
        yaw = keyed(t, [(0.1, 0), (0.75, 52), (1.35, 52), (2.25, -56), (2.95, -56), (3.8, 0)])
        chest = keyed(t, [(0.2, 0), (0.95, 14), (1.5, 14), (2.45, -15), (3.05, -15), (3.9, 0)])
        dip = keyed(t, [(0.1, 0), (0.45, 6), (0.8, -3), (1.5, -3), (1.8, 7), (2.3, -2), (3.8, 0)])
        pose["hips_turn"] = turn_y(chest * 0.3) @ pose["hips_turn"]
        pose["chest"] = turn_y(chest) @ pose["chest"]
        pose["head"] = turn_y(yaw) @ turn_x(dip) @ pose["head"]
        bodies.append(stand(**pose).rest())
    return swing_tail(bodies, loops=False)


def cheer():
    """Both fists up, three bounces on the toes."""
    bodies = []
    top = Arm(forward=24, out=128, inward=-62, elbow=56, pronate=10, lift=28, push=0, curl=3.4)
    for k in range(79):
        t = k / 30
        pose = idle_pose(0.0)
        up = soft(t, 0.12, 0.55) * (1 - soft(t, 1.95, 2.5))
        beat = soft(t, 0.4, 0.6) * (1 - soft(t, 1.8, 2.05))
        hop = 0.5 - 0.5 * np.cos(TAU * (t - 0.45) / 0.5)
        dip = keyed(t, [(0, 0), (0.25, 1), (0.5, 0)])
        for side in ("left", "right"):
            arm = mix_arm(top, top, 0)
            arm.elbow += 34 * (1 - hop) * beat
            arm.out -= 10 * (1 - hop) * beat
            pose[side] = mix_arm(pose[side], arm, up)
        heel = 24 * hop * beat
        pose["hips"] = np.add(pose["hips"], (0, 0.050 * hop * beat - 0.05 * dip
                                             - 0.02 * (1 - hop) * beat, 0.01 * up))
        pose["chest"] = pose["chest"] @ turn_x(-7 * up + 8 * dip)
        pose["head"] = pose["head"] @ turn_x(-9 * up + 4 * dip)
        bodies.append(stand(**pose, feet=(heel, 0.0)).rest())
    return swing_tail(bodies, loops=False)


def main_clips():
    """Breath is last, so that what lies on top at frame 0 is the bind pose: FBX keeps that."""
    return {
        "Idle": idle(), "Walk": cycle(walk_frame, WALK), "Run": cycle(run_frame, RUN),
        "Jump": jump(), "Wave": wave_clip(),
        "WalkRoot": travelling(cycle(walk_frame, WALK), WALK),
        "RunRoot": travelling(cycle(run_frame, RUN), RUN),
        "Breath": breath(),
    }


def extra_clips():
    return {"LookAround": look_around(), "Cheer": cheer()}
