"""Further clips of the hero: steps to the sides and back, a turn on the spot, pointing, being hit."""

import numpy as np

from hero_clips import (FEET, STANCE_OUT, STANCE_STEP, STANCE_TURN, TAU, idle_pose, keyed, mix_arm, soft,
                        stand, wave)
from hero_gait import Gait, hermite
from hero_pose import Arm, Body, MIRROR, turn_x, turn_y, turn_z
from hero_skeleton import BIND
from hero_tail import swing_tail


class BackGait(Gait):
    """Toes first: the heel comes down over the ball, and at the end the toes rise over the heel."""

    def stance_pitch(self, p):
        if p < self.flat:
            return self.push * (1 - p / self.flat) ** 2
        if p > self.heel_off:
            return -self.strike * ((p - self.heel_off) / (self.stance - self.heel_off)) ** 2
        return 0.0

    def toe_pitch(self, p, pitch):
        return min(pitch, 0.0)


BACK = BackGait(frames=30, speed=-1.0, stance=0.62, ahead=-0.330, strike=12.0, flat=0.20, heel_off=0.50,
                push=30.0, swing=[(0.12, 0.132, 0.288, -15.0), (0.36, 0.150, 0.130, -6.0), (0.62, 0.170, -0.210, 12.0)], narrow=0.02)


def back_frame(phase):
    body = Body()
    sway, step = np.sin(TAU * (phase - 0.05)), wave(phase, 0.02)
    body.hips((0.022 * sway, -0.048 - 0.012 * wave(2 * phase, 0.10), -0.015),
              turn_y(4.5 * step) @ turn_z(3.0 * sway) @ turn_x(5.0 + wave(2 * phase, 0.05)))
    body.spine(turn_y(-4.0 * step) @ turn_z(-2.0 * sway) @ turn_x(5.5 + 0.8 * wave(2 * phase, 0.2)),
               turn_y(-1.0 * step) @ turn_x(2.0 + 0.8 * wave(2 * phase, 0.3)))
    for side, sign in FEET.items():
        own = phase if sign > 0 else phase + 0.5
        swing, late = wave(own, 0.04), wave(own, 0.12)
        body.arm(side, Arm(forward=5 + 13 * swing, out=15 + swing, inward=8 + 3 * swing, elbow=32 + 7 * late,
                           pronate=34, wrist=-3 * late, wrist_side=-4, push=2 * swing, curl=1.2))
        flip = np.eye(3) if sign > 0 else MIRROR
        ankle, foot, toe = BACK.foot(own)
        body.leg(side, flip @ ankle, flip @ foot @ flip, flip @ toe @ flip, flip @ np.array([0.08, 0, 1.0]))
    return body.rest()


class SideGait:
    """One foot of steps to the left; phase 0 is its contact. The feet come close and never cross."""

    frames, speed, stance, apart = 20, 0.8, 0.60, 0.226
    seconds = frames / 30
    stride = speed * seconds

    def foot(self, side, phase):
        """Ankle's x in the body's space, height, and pitch, on the side whose sign is given."""
        p, base = phase % 1.0, self.apart * side
        if p <= self.stance:
            return base + self.stride * (0.3 - p), 0.0, 0.0
        u = (p - self.stance) / (1 - self.stance)
        slope = -self.stride * (1 - self.stance)
        ends = base + self.stride * (0.3 - self.stance), base + self.stride * 0.3
        x = hermite([(0.0, ends[0]), (0.5, (ends[0] + ends[1]) / 2), (1.0, ends[1])], u, slope, slope)[0]
        arc = np.sin(np.pi * u) ** 2
        return x, 0.085 * arc, 20 * arc * (1 - u)


def side_frame(phase, way):
    """`way` is 1 to the left and -1 to the right, whose steps are the mirrored ones half a cycle on."""
    body, gait = Body(), SideGait()
    own = phase if way > 0 else phase + 0.5
    flip = np.eye(3) if way > 0 else MIRROR
    beat = wave(2 * own, 0.18)
    # Wide at the leading foot's contact, close at the other's: low, and high.
    hips = np.array([0.012 * np.sin(TAU * own), -0.072 - 0.020 * wave(own, 0.05) - 0.008 * beat, -0.01])
    lean = turn_z(-2.5 + 2.0 * np.sin(TAU * (own + 0.05)))
    body.hips(flip @ hips, flip @ lean @ turn_y(4 * wave(own)) @ turn_x(6.0) @ flip)
    chest = turn_z(-2.0 - 1.5 * np.sin(TAU * own)) @ turn_y(7 - 3 * wave(own)) @ turn_x(8.0 + beat)
    head = turn_z(-1.0) @ turn_y(10) @ turn_x(2.0 + 0.8 * wave(2 * own, 0.3))
    body.spine(flip @ chest @ flip, flip @ head @ flip)
    for side, sign in FEET.items():
        lead = sign * way
        swing = wave(own if lead > 0 else own + 0.5, 0.12)
        body.arm(side, Arm(forward=12 - 3 * lead + 4 * swing, out=20 + 6 * swing * lead, inward=16,
                           elbow=52 + 6 * swing, pronate=24, wrist_side=-4, lift=1 + beat, curl=1.6))
        x, lift, pitch = gait.foot(lead, own if lead > 0 else own + 0.5)
        mirror = np.eye(3) if sign > 0 else MIRROR
        ball, ankle = BIND["LeftToeBase"], BIND["LeftFoot"]
        place = ball + turn_x(pitch) @ (ankle - ball) + (0, lift, 0)
        place = ankle + turn_y(6.0) @ (place - ankle)
        place[0] += way * sign * x - ankle[0]
        turn = mirror @ turn_y(6.0) @ turn_x(pitch) @ mirror
        body.leg(side, mirror @ place, turn, turn, mirror @ np.array([0.18, 0, 1.0]))
    return body.rest()


def cycle(frame, frames, velocity):
    """One loop in place, and the same with the Root travelling."""
    def bodies():
        return swing_tail([frame(k / frames) for k in range(frames + 1)], wind=0.5 * velocity[2])

    travelling = bodies()
    for k, body in enumerate(travelling):
        body.place["Root"] = np.array(velocity) * k / 30
    return bodies(), travelling


# Turn90: seconds of the Root's turn, and of the feet's steps.
TURN_FRAMES, ROOT_TURN = 36, (0.10, 0.95)
STEPS = {"Left": (0.12, 0.50), "Right": (0.52, 0.92)}


def turning_foot(body, side, sign, root, t):
    """A foot that stands in the world, steps once, and stands turned by 90 degrees."""
    start, end = STEPS[side]
    angle, u = 90 * soft(t, start, end - 0.06), np.clip((t - start) / (end - start), 0, 1)
    arc = np.sin(np.pi * u) ** 2
    flip = np.eye(3) if sign > 0 else MIRROR
    ball, ankle = BIND["LeftToeBase"], BIND["LeftFoot"]
    pitch = 24 * arc * (1 - 0.6 * u)
    place = ankle + turn_y(STANCE_TURN) @ (ball + turn_x(pitch) @ (ankle - ball) - ankle)
    place = place + (STANCE_OUT, 0.075 * arc, -STANCE_STEP * sign)
    way = turn_y(angle - root)
    foot = way @ flip @ turn_y(STANCE_TURN) @ turn_x(pitch) @ flip
    knee = turn_y((angle - root) * 0.7) @ flip @ np.array([0.14, 0, 1.0])
    body.leg(side, way @ flip @ place, foot, foot, knee)


def turn_frame(t):
    root = 90 * soft(t, *ROOT_TURN)
    pose = idle_pose(0.0)
    lead = 90 * soft(t, 0.0, 0.75) - root                   # the head goes first
    chest = 90 * soft(t, 0.06, 0.88) - root
    hips = 90 * soft(t, 0.14, 0.98) - root
    on_right = soft(t, 0.04, 0.20) * (1 - soft(t, 0.40, 0.56))
    on_left = soft(t, 0.42, 0.58) * (1 - soft(t, 0.85, 1.1))
    busy = soft(t, 0.05, 0.3) * (1 - soft(t, 0.8, 1.15))
    # The weight goes over the standing foot: first the right one, then the left.
    shift = turn_y(-root) @ np.array([-0.045, 0, 0]) * on_right + turn_y(90 - root) @ np.array(
        [0.040, 0, 0]) * on_left
    body = Body()
    body.hips(np.array([0, -0.0035 - 0.030 * busy, 0.004]) + shift + pose["hips"],
              turn_y(hips) @ turn_z(2.5 * (on_left - on_right)) @ pose["hips_turn"] @ turn_x(3 * busy))
    body.spine(turn_y(chest) @ turn_z(2.0 * busy) @ pose["chest"] @ turn_x(3 * busy),
               turn_y(lead * 1.2) @ pose["head"] @ turn_x(5 * busy))
    drag = 16 * (soft(t, 0.10, 0.45) - soft(t, 0.45, 1.15))
    for side, sign in FEET.items():
        arm = pose[side.lower()]
        arm.forward -= sign * drag
        arm.out += 5 * busy
        arm.elbow += 9 * busy
        body.arm(side, arm)
        turning_foot(body, side, sign, root, t)
    return body.rest(), root


def turn90():
    frames = [turn_frame(k / 30) for k in range(TURN_FRAMES + 1)]
    for body, root in frames:
        turn_whole(body, turn_y(root))
    bodies = swing_tail([body for body, _ in frames], loops=False)
    for body, root in frames:                               # Hips moves in the Root's space
        body.place["Hips"] = turn_y(-root) @ body.place["Hips"]
    return bodies


def turn_whole(body, turn):
    for joint in body.turn:
        body.turn[joint] = turn @ body.turn[joint]
        body.place[joint] = turn @ body.place[joint]


def point():
    """The right hand points ahead and stays there; the eyes follow it."""
    aim = Arm(forward=86, out=9, inward=4, elbow=7, pronate=48, wrist=0, wrist_side=0, lift=5, push=10,
              curl=3.3, point=1.0)
    bodies = []
    for k in range(73):
        t = k / 30
        pose = idle_pose(0.0)
        up = soft(t, 0.12, 0.58) * (1 - soft(t, 1.70, 2.30))
        lead = soft(t, 0.0, 0.50) * (1 - soft(t, 1.75, 2.40))
        jab = keyed(t, [(0.40, 0), (0.62, 1), (0.90, 0)])
        arm = mix_arm(pose["right"], aim, up)
        arm.elbow += 46 * up * (1 - soft(t, 0.30, 0.62)) + 34 * up * soft(t, 1.65, 1.95) - 3 * jab
        arm.forward += 4 * jab
        arm.push += 5 * jab
        pose["right"] = arm
        pose["left"].forward -= 5 * lead
        pose["hips"] = np.add(pose["hips"], (0.010 * lead, -0.004 * lead, 0.020 * lead))
        pose["hips_turn"] = pose["hips_turn"] @ turn_y(5 * lead)
        pose["chest"] = pose["chest"] @ turn_y(13 * lead + 2 * jab) @ turn_x(2.5 * lead)
        pose["head"] = pose["head"] @ turn_y(-6 * lead) @ turn_x(-2 * lead + 2 * jab)
        bodies.append(stand(**pose).rest())
    return swing_tail(bodies, loops=False)


def hit_react():
    """A blow to the chest from the front and its right: back and round, then up again."""
    bodies = []
    for k in range(28):
        t = k / 30
        pose = idle_pose(0.0)
        blow = keyed(t, [(0.0, 0), (0.13, 1), (0.45, -0.20), (0.86, 0)])
        late = keyed(t, [(0.03, 0), (0.20, 1), (0.52, -0.22), (0.90, 0)])
        nod = keyed(t, [(0.0, 0), (0.07, 1), (0.22, -0.9), (0.55, 0.25), (0.90, 0)])
        sink = keyed(t, [(0.05, 0), (0.27, 1), (0.84, 0)])
        pose["hips"] = np.add(pose["hips"], (-0.012 * late, -0.055 * sink, -0.075 * late))
        pose["hips_turn"] = pose["hips_turn"] @ turn_y(7 * late) @ turn_x(7 * blow + 6 * sink)
        pose["chest"] = pose["chest"] @ turn_y(17 * blow) @ turn_x(-15 * blow + 13 * sink) @ turn_z(-3 * blow)
        pose["head"] = pose["head"] @ turn_y(8 * late) @ turn_x(17 * nod) @ turn_z(4 * late)
        for side, sign in FEET.items():
            arm = pose[side.lower()]
            arm.forward += 26 * late - 8 * sink + 8 * sign * blow
            arm.out += 21 * late
            arm.elbow += 36 * late + 12 * sink
            arm.lift += 9 * blow
            arm.push += 9 * blow
            arm.curl += 0.8 * sink - 0.5 * blow
        bodies.append(stand(**pose).rest())
    return swing_tail(bodies, loops=False)


def all_moves():
    clips = {"Turn90": turn90(), "Point": point(), "HitReact": hit_react()}
    gaits = {
        "StrafeLeft": (lambda p: side_frame(p, 1), SideGait.frames, (SideGait.speed, 0, 0)),
        "StrafeRight": (lambda p: side_frame(p, -1), SideGait.frames, (-SideGait.speed, 0, 0)),
        "WalkBack": (back_frame, BACK.frames, (0, 0, BACK.speed)),
    }
    for name, gait in gaits.items():
        clips[name], clips[name + "Root"] = cycle(*gait)
    return clips
