"""Clips that lead into the gaits, out of them, and round: starts, stops, turns in place, pivots; a run to the sides and back.

The Root travels in all of them. They begin and end in poses of Idle, Walk and Run. A Root gains and loses about 4 m/s
each second, so they suit a motor that does so.
"""

import numpy as np

from hero_clips import (FEET, TAU, cycle, gait_legs, idle, run_frame, run_pose, soft, torso, walk_frame, walk_pose,
                        wave)
from hero_gait import ANKLE, RUN, WALK, Gait
from hero_moves import BackGait
from hero_pose import Arm, turn_x, turn_y, turn_z
from hero_steps import Arc, Foot, Stance, Stride, gait_stance
from hero_tail import swing_tail
from hero_travel import Travel, bump, carried, face, idle_stance, join_tails, lean, mirrored, mix, sink, standing

PACE = 4.0                                          # m/s each second
FOREVER = 1e9


def loops():
    return {"idle": idle()[:1], "walk": cycle(walk_frame, WALK), "run": cycle(run_frame, RUN)}


def integral(speed, frames, steps=40):
    """A Root that goes straight ahead, as a function of time, from its speed."""
    at = np.arange(frames * steps + 1) / (30 * steps)
    speeds = np.array([speed(t) for t in at])
    way = np.concatenate([[0], np.cumsum((speeds[1:] + speeds[:-1]) / 2)]) / (30 * steps)
    return lambda t: np.interp(t, at, way)


def ramp(u):
    """From 0 to 1, half of the way at half of the time, with soft ends."""
    u = np.clip(u, 0, 1)
    return 0.45 * u + 0.55 * u * u * (3 - 2 * u)


# ---- starts ----

def walk_start(all_loops):
    """The right foot goes first; from its contact on it is Walk, from half of the cycle to its end."""
    frames, seconds, begins = 28, 28 / 30, 0.02
    z = integral(lambda t: 1.4 * ramp((t - begins) / 0.42), frames)
    late = z(14 / 30) - (0.3533 - 0.018)            # where the right foot lands, Walk has the left one behind
    z = integral(lambda t: 1.4 * ramp((t - begins - late / 1.4) / 0.42), frames)
    end = (0, z(seconds), 0)
    right = gait_stance(WALK, "Right", end, seconds, 0.5)
    left = idle_stance("Left", (0, 0, 0), -1, 0.61 * seconds, push=WALK.push, roll=0.27 * seconds)
    feet = {"Right": Foot("Right", idle_stance("Right", (0, 0, 0), -1, 0.10, push=24, roll=0.10),
                          Stride(WALK, 0.8), right),
            "Left": Foot("Left", left, Stride(WALK), gait_stance(WALK, "Left", end, seconds, 0.0))}

    def pose(t):
        made = mix(standing(), walk_pose(t / seconds), soft(t, 0.02, 0.44))
        over_left = bump(t, 0.0, 0.12, 0.14, 0.40)
        made["hips"] = np.add(made["hips"], (0.028 * over_left, 0, 0))
        lean(made, (0, 1), 7 * bump(t, 0.0, 0.20, 0.30, 0.66), 0.02 * bump(t, 0.0, 0.16, 0.26, 0.5))
        return made

    return Travel(frames, lambda t: (0, z(t), 0), feet, pose,
                  (all_loops["idle"], all_loops["walk"])).bodies()


def run_start(all_loops):
    frames, seconds = 40, 40 / 30
    z = integral(lambda t: 4.0 * min(t, 1.0), frames)   # as a motor does: later ones could not be caught up with
    end = (0, z(seconds), 0)
    last = gait_stance(RUN, "Right", end, seconds, 0.5)
    feet = {"Right": Foot("Right", idle_stance("Right", (0, 0, 0), -1, 4 / 30, push=22, roll=0.1),
                          Stride(WALK, 0.9),
                          Stance(-0.070, z(0.35) + 0.16, -4, 0.35, 0.60, push=52, roll=0.16),
                          Stride(RUN, 0.8), last, Stride(RUN), gait_stance(RUN, "Right", end, seconds, -0.5)),
            "Left": Foot("Left", idle_stance("Left", (0, 0, 0), -1, 0.38, push=54, roll=0.22),
                         Stride(RUN, 0.62),
                         Stance(0.062, z(0.69) + 0.20, 4, 0.69, 0.91, push=60, roll=0.16),
                         Stride(RUN, 0.95), gait_stance(RUN, "Left", end, seconds, 0.0))}

    def pose(t):
        phase = (t - seconds / 2) / (seconds / 2)
        made = mix(standing(), run_pose(phase), soft(t, 0.0, 0.75))
        lean(made, (0, 1), 13 * bump(t, 0.0, 0.24, 0.40, 1.05), 0.03 * bump(t, 0.0, 0.2, 0.4, 0.9))
        sink(made, 0.030 * bump(t, 0.0, 0.18, 0.3, 0.8))
        return made

    return Travel(frames, lambda t: (0, z(t), 0), feet, pose,
                  (all_loops["idle"], all_loops["run"]), own=1.0).bodies()


# ---- stops ----

def walk_stop(all_loops, first):
    """`first` has just come down; the other foot closes up, then the first one settles."""
    frames, other, phase = 30, "Right" if first == "Left" else "Left", 0.0 if first == "Left" else 0.5
    sign = FEET[first]
    way = 0.300 + 0.018 * sign                      # until the Root is where Idle has it over the first foot
    z = integral(lambda t: 1.4 * (1 - ramp(t / (2 * way / 1.4))), frames)
    rest = (0, way, 0)
    settle = gait_stance(WALK, first, (0, 0, 0), 0, 0.0, lift=0.60, push=6, roll=0.08)
    back = gait_stance(WALK, other, (0, 0, 0), 0, 0.5)
    feet = {first: Foot(first, settle, Arc(0.022, 10), idle_stance(first, rest, 0.86, FOREVER)),
            other: Foot(other, back, Stride(WALK, 0.75), idle_stance(other, rest, 0.52, FOREVER, strike=5, flat=0.1))}

    def pose(t):
        made = mix(walk_pose(phase + t * 30 / WALK.frames), standing(), soft(t, 0.06, 0.62))
        lean(made, (0, 1), -6 * bump(t, 0.0, 0.22, 0.30, 0.80), -0.012 * bump(t, 0.0, 0.2, 0.4, 0.8))
        sink(made, 0.012 * bump(t, 0.1, 0.4, 0.5, 0.95))
        on_other = bump(t, 0.44, 0.60, 0.78, 0.98)
        made["hips"] = np.add(made["hips"], (-0.024 * sign * on_other, 0, 0))
        return made

    walk = all_loops["walk"] if first == "Left" else half_on(all_loops["walk"])
    return Travel(frames, lambda t: (0, z(t), 0), feet, pose, (walk, all_loops["idle"])).bodies()


def brace(pose, amount):
    """Low, leaning back, with the arms out: who brakes from a run."""
    sink(pose, 0.075 * amount)
    lean(pose, (0, 1), -13 * amount, -0.035 * amount)
    for side in ("left", "right"):
        pose[side].out += 12 * amount
        pose[side].elbow += 10 * amount
    pose["head"] = turn_x(9 * amount) @ pose["head"]


class Braking:
    """The first steps of one who was running, and was at a foot's contact at 0."""

    def __init__(self, z, first="Left"):
        start, sign = (0, 0, 0), FEET[first]
        other = "Right" if first == "Left" else "Left"
        self.flying = gait_stance(RUN, other, start, 0, 0.5)
        self.landing = Stride(RUN, 0.9, None, (Stride(RUN), gait_stance(RUN, other, start, 0, -0.5), 0.0, 0.24))
        self.first = gait_stance(RUN, first, start, 0, 0.0)
        self.second = Stance(-0.075 * sign, z(0.33) + 0.33, -5 * sign, 0.33, 0.66, strike=13, flat=0.08, push=34,
                             roll=0.15)


def run_stop(all_loops, first):
    """Three steps, each shorter than the one before; the last foot settles."""
    frames, sign, other = 46, FEET[first], "Right" if first == "Left" else "Left"
    z = integral(lambda t: 4.0 * (1 - ramp(t / 1.0)), frames)
    rest, steps = (0, z(1.5), 0), Braking(z, first)
    third = Stance(0.085 * sign, z(0.62) + 0.265, 6 * sign, 0.62, 1.20, strike=14, flat=0.09, push=5, roll=0.08)
    feet = {first: Foot(first, steps.first, Stride(RUN, 0.55), third, Arc(0.025, 10),
                        idle_stance(first, rest, 1.44, FOREVER)),
            other: Foot(other, steps.flying, steps.landing, steps.second, Stride(WALK, 0.7),
                        idle_stance(other, rest, 1.06, FOREVER, strike=4, flat=0.08))}

    def pose(t):
        phase = np.interp(t, (0, 0.33, 0.62, 0.98, 1.4), (0, 0.5, 1.0, 1.5, 2.0)) + (0 if sign > 0 else 0.5)
        made = mix(run_pose(phase), standing(), soft(t, 0.30, 1.15))
        brace(made, bump(t, 0.04, 0.42, 0.62, 1.30))
        on_other = bump(t, 0.98, 1.18, 1.32, 1.53)
        made["hips"] = np.add(made["hips"], (-0.024 * sign * on_other, 0, 0))
        return made

    run = all_loops["run"] if first == "Left" else half_on(all_loops["run"])
    return Travel(frames, lambda t: (0, z(t), 0), feet, pose, (run, all_loops["idle"])).bodies()


# ---- pivots: half of a rotation while it moves ----

def there_and_back(speed, turns, after):
    """The Root: loses its speed at PACE, gains it again the other way, and turns to the right meanwhile."""
    half = speed / PACE
    forth = integral(lambda t: speed * (1 - 2 * (0.8 * np.clip(t / (2 * half), 0, 1) + 0.2 * ramp(t / (2 * half)))),
                     after)

    def root(t):
        return 0, forth(t), -180 * soft(t, *turns)
    return root


def pivot_pose(made, root, t, turns, degrees, push):
    """Leans against the way it came, wherever it looks by now; the head looks round first."""
    yaw = root(t)[2]
    back = turn_y(-yaw) @ np.array([0, 0, -1.0])
    middle, length = sum(turns) / 2, turns[1] - turns[0]
    amount = bump(t, 0.02, middle, middle, 2 * middle + 0.1)
    lean(made, (back[0], back[2]), degrees * amount, push * amount)
    ahead = -180 * soft(t, max(turns[0] - 0.22 * length, 0), turns[1] - 0.2 * length) - yaw
    face(made, 0.12 * ahead, 0.45 * ahead, 0.95 * ahead)


def walk_pivot(all_loops):
    """To the right, on the left foot that has just come down."""
    frames, turns = 28, (0.06, 0.70)
    root = there_and_back(1.4, turns, frames)
    seconds = frames / 30
    end = root(seconds)
    step = gait_stance(WALK, "Right", end, seconds, 0.5)
    step.land, step.strike, step.flat = 0.50, 6, 0.08
    plant = gait_stance(WALK, "Left", (0, 0, 0), 0, 0.0, lift=16 / 30, push=42, roll=0.22,
                        turn=(0.16, 16 / 30, -110))
    feet = {"Left": Foot("Left", plant, Stride(WALK, 0.85, (0.0, 0.55)), gait_stance(WALK, "Left", end, seconds, 0.0)),
            "Right": Foot("Right", gait_stance(WALK, "Right", (0, 0, 0), 0, 0.5), Arc(0.07, 16), step)}

    def pose(t):
        made = mix(walk_pose(t / seconds), standing(), 0.65 * bump(t, 0.02, 0.30, 0.42, 0.82))
        pivot_pose(made, root, t, turns, 9, 0.03)
        sink(made, 0.030 * bump(t, 0.05, 0.3, 0.42, 0.8))
        return made

    return Travel(frames, root, feet, pose, (all_loops["walk"], all_loops["walk"])).bodies()


def run_pivot(all_loops):
    """To the right: two steps brake, the third plants the left foot across, and she runs back."""
    frames, turns = 60, (0.56, 1.20)
    root = there_and_back(4.0, turns, frames)
    steps = Braking(lambda t: root(t)[1])
    end = root(2.0)
    plant = Stance(0.10, root(0.66)[1] + 0.30, -30, 0.66, 1.20, strike=8, flat=0.07, push=52, roll=0.24,
                   turn=(0.78, 1.20, -95))
    turned = Stance(0.09, root(1.10)[1] - 0.26, -184, 1.06, 1.42, push=56, roll=0.20)
    third = Stance(-0.062, root(1.43)[1] - 0.22, -176, 1.43, 1.69, push=60, roll=0.17)
    feet = {"Left": Foot("Left", steps.first, Stride(RUN, 0.55), plant, Stride(RUN, 0.62, (0.0, 0.6)), third,
                         Stride(RUN, 0.92), gait_stance(RUN, "Left", end, 2.0, 0.0)),
            "Right": Foot("Right", steps.flying, steps.landing, steps.second, Arc(0.10, 20), turned,
                          Stride(RUN, 0.75), gait_stance(RUN, "Right", end, 2.0, 0.5), Stride(RUN),
                          gait_stance(RUN, "Right", end, 2.0, -0.5))}

    def pose(t):
        phase = np.interp(t, (0, 0.33, 0.66, 1.07, 1.43, 2.0 - 1 / 3, 2.0), (0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0))
        made = mix(run_pose(phase), standing(), 0.7 * bump(t, 0.30, 0.80, 0.95, 1.5))
        pivot_pose(made, root, t, turns, 17, 0.06)
        sink(made, 0.075 * bump(t, 0.1, 0.75, 1.0, 1.75))
        for side in ("left", "right"):
            made[side].out += 14 * bump(t, 0.2, 0.7, 1.0, 1.5)
        return made

    return Travel(frames, root, feet, pose, (all_loops["run"], all_loops["run"]), own=1.68).bodies()


def half_on(loop):
    """A loop that begins half a cycle later."""
    half = len(loop) // 2
    return loop[half:-1] + loop[:half + 1]


def to_the_left(bodies, loop, frame, gait):
    """The mirrored pivot, which begins at the right foot's contact; half a cycle more brings it to the left one's."""
    whole = cycle(frame, gait)
    half = gait.frames // 2
    for k, body in enumerate(whole):
        body.place["Root"] = np.array([0, 0, gait.speed * k / 30])
    start = whole[half].place["Root"]
    for body in whole:
        body.place["Root"] = body.place["Root"] - start
    bodies = mirrored(bodies) + carried(whole[half + 1:], bodies[-1])
    join_tails(bodies, half_on(loop), loop, 12)
    return bodies


# ---- turns in place ----

def turn_in_place(all_loops, degrees, frames, steps, root_time):
    """`steps` are (side, from, to, share of the whole turn), in order; left is above 0."""
    def root(t):
        return 0, 0, degrees * soft(t, *root_time)

    way, paths = np.sign(degrees), {side: [idle_stance(side, (0, 0, 0), -1, FOREVER)] for side in FEET}
    for side, start, end, share in steps:
        paths[side][-1].lift = start
        paths[side] += [Arc(0.075, 24, True), idle_stance(side, (0, 0, degrees * share), end, FOREVER)]
    feet = {side: Foot(side, *path) for side, path in paths.items()}
    last = steps[-1][2]

    def pose(t):
        made, yaw = standing(), root(t)[2]
        busy = bump(t, 0.05, 0.3, last - 0.15, last + 0.25)
        early = degrees * soft(t, root_time[0] - 0.10, root_time[1] - 0.20) - yaw
        over = sum(-FEET[side] * bump(t, start - 0.10, start + 0.06, end - 0.10, end + 0.06)
                   for side, start, end, _ in steps)
        made["hips"] = np.add(made["hips"], (0.040 * over, -0.030 * busy, 0))
        face(made, -0.15 * way * abs(early), 0.35 * early, 1.1 * early)
        lean(made, (0, 1), 3 * busy)
        for side, sign in FEET.items():
            arm = made[side.lower()]
            arm.forward -= sign * way * 14 * bump(t, 0.08, 0.4, last - 0.4, last + 0.2)
            arm.out += 5 * busy
            arm.elbow += 9 * busy
        return made

    return Travel(frames, root, feet, pose, (all_loops["idle"], all_loops["idle"])).bodies()


# ---- a run to the sides, and back ----

SIDE_RUN = Gait(frames=18, speed=2.4, stance=7 / 18, ahead=0.270, strike=5.0, flat=0.08, heel_off=0.20, push=34.0,
                swing=[(0.16, 0.215, -0.330, 46.0), (0.40, 0.250, -0.120, 34.0), (0.68, 0.190, 0.190, 8.0)],
                toe_out=0.0, narrow=0.0)
BACK_RUN = BackGait(frames=18, speed=-2.2, stance=8 / 18, ahead=-0.330, strike=6.0, flat=0.14, heel_off=0.30, push=30.0,
                    swing=[(0.14, 0.180, 0.330, -8.0), (0.40, 0.270, 0.120, 16.0), (0.70, 0.235, -0.230, 38.0)],
                    narrow=0.02)
HIPS_ASIDE, FEET_ASIDE, APART = 46.0, 50.0, 0.075


def side_run_foot(side):
    """To the left: feet half turned that way; the right leg passes before the left one."""
    gait, sign, path = SIDE_RUN, FEET[side], []
    for cycle_number in range(-2, 3):
        land = gait.seconds * (cycle_number if sign > 0 else cycle_number + 0.5)
        path += [Stance(gait.speed * land + gait.ahead, ANKLE[2] - sign * APART, FEET_ASIDE + 6 * sign, land,
                        land + gait.stance * gait.seconds, strike=gait.strike, flat=gait.flat * gait.seconds,
                        push=gait.push, roll=(gait.stance - gait.heel_off) * gait.seconds), Stride(gait)]
    return Foot(side, *path[:-1])


def side_run_legs(body, phase):
    t = phase * SIDE_RUN.seconds
    for side in FEET:
        (x, y, z, pitch, yaw), toe = side_run_foot(side).state(t)
        body.leg(side, (x - SIDE_RUN.speed * t, y, z), turn_y(yaw) @ turn_x(pitch), turn_y(yaw) @ turn_x(toe),
                 turn_y(FEET_ASIDE) @ np.array([0, 0, 1.0]))


def side_run_pose(phase):
    made = run_pose(phase)
    sink(made, 0.055)
    for side, sign in FEET.items():
        own = phase if sign > 0 else phase + 0.5
        swing = -wave(own, 0.02)
        made[side.lower()] = Arm(forward=8 + 17 * swing, out=20 - 3 * swing, inward=14 + 6 * swing, elbow=74 + 8 * swing,
                                 pronate=18, wrist=-2, wrist_side=-4, lift=1.0, push=4.0 * swing, curl=2.2)
    upright = turn_x(6.0 + 1.2 * wave(2 * phase, 0.2))
    made["hips_turn"] = turn_z(-5.0) @ turn_y(HIPS_ASIDE - 7.0 * wave(phase)) @ turn_z(2.5 * np.sin(TAU * phase)) @ turn_x(5.0)
    made["chest"] = turn_z(-5.0) @ turn_y(13.0 + 6.0 * wave(phase, 0.02)) @ upright
    made["head"] = turn_z(-1.0) @ turn_y(2.0) @ turn_x(2.0)
    return made


def looped(pose, legs, frames, velocity):
    """In place, the Root travelling aside."""
    bodies = []
    for k in range(frames + 1):
        body = torso(**pose(k / frames))
        legs(body, k / frames)
        bodies.append(body.rest())
    return swing_tail(bodies, wind=0.5 * velocity)


def run_aside(way):
    bodies = looped(side_run_pose, side_run_legs, SIDE_RUN.frames, 0.0)
    return bodies if way > 0 else half_on(mirrored(bodies))


def back_run_legs(body, phase):
    gait_legs(body, BACK_RUN, phase)


def back_run_pose(phase):
    made = run_pose(phase)
    sway, step = np.sin(TAU * (phase + 0.05)), wave(phase, 0.02)
    made["hips"] = (0.014 * sway, -0.070 - 0.026 * wave(2 * phase, 0.28), -0.02)
    made["hips_turn"] = turn_y(5.0 * step) @ turn_z(3.0 * sway) @ turn_x(9.0 + 1.5 * wave(2 * phase, 0.1))
    made["chest"] = turn_y(-7.0 * step) @ turn_z(-1.5 * sway) @ turn_x(15.0 + wave(2 * phase, 0.25))
    made["head"] = turn_y(-1.0 * step) @ turn_x(4.0 + 1.2 * wave(2 * phase, 0.35))
    for side, sign in FEET.items():
        swing = wave(phase if sign > 0 else phase + 0.5, 0.04)
        made[side.lower()] = Arm(forward=2 + 24 * swing, out=19 - swing, inward=12 + 6 * swing, elbow=84 + 8 * swing,
                                 pronate=18, wrist=-3, wrist_side=-4, lift=1.0, push=4.0 * swing, curl=2.2)
    return made


# ---- all of them ----

def all_clips():
    with_loops = loops()
    clips = {
        "WalkStart": walk_start(with_loops), "RunStart": run_start(with_loops),
        "WalkStop": walk_stop(with_loops, "Left"), "WalkStopRight": walk_stop(with_loops, "Right"),
        "RunStop": run_stop(with_loops, "Left"), "RunStopRight": run_stop(with_loops, "Right"),
        "PivotRight": walk_pivot(with_loops), "RunPivotRight": run_pivot(with_loops),
        "PivotLeft": to_the_left(walk_pivot(with_loops), with_loops["walk"], walk_frame, WALK),
        "RunPivotLeft": to_the_left(run_pivot(with_loops), with_loops["run"], run_frame, RUN),
        "Turn90Right": turn_in_place(with_loops, -90, 36, (("Right", 0.12, 0.50, 1), ("Left", 0.52, 0.92, 1)),
                                     (0.10, 0.95)),
        "RunStrafeLeft": run_aside(1), "RunStrafeRight": run_aside(-1),
        "RunBack": looped(back_run_pose, back_run_legs, BACK_RUN.frames, BACK_RUN.speed),
    }
    for name, way, first, other in (("Turn180", 1, "Left", "Right"), ("Turn180Right", -1, "Right", "Left")):
        clips[name] = turn_in_place(with_loops, 180 * way, 48, (
            (first, 0.12, 0.50, 0.45), (other, 0.46, 0.96, 1), (first, 0.92, 1.30, 1)), (0.10, 1.32))
    return clips
