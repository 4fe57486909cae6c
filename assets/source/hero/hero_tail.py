"""The ponytail's follow-through: a chain of points on springs, run over a whole clip."""

import numpy as np

from hero_pose import axis_turn, between
from hero_skeleton import PONYTAIL, unit

STEPS = 6                           # per frame of 1/30 s
STIFF, DAMP, GRAVITY, DRAG = 60.0, 9.0, 7.0, 1.6
LIMIT = np.radians(38.0)             # how far one link bends against the one before
SPINE_CLEARANCE = 0.165             # the tail stays this far from the spine's axis
REST = [np.array(b) - np.array(a) for a, b in zip(PONYTAIL, PONYTAIL[1:])]
LENGTHS = [np.linalg.norm(r) for r in REST]


def within(rest, direction, limit):
    """The direction, brought back to at most `limit` radians from rest."""
    angle = np.arccos(np.clip(rest @ direction, -1, 1))
    if angle <= limit:
        return direction
    return axis_turn(np.cross(rest, direction), limit) @ rest


class Tail:
    def __init__(self, body):
        self.points = [body.place["Ponytail1"] + body.turn["Head"] @ (np.array(p) - PONYTAIL[0])
                       for p in PONYTAIL[1:]]
        self.speeds = [np.zeros(3) for _ in self.points]

    def step(self, tie, turn, chest, wind, dt):
        """Each point is drawn to its rest direction, weaker towards the tip."""
        previous, direction = tie, None
        for k in range(len(self.points)):
            rest = turn @ REST[k] if k == 0 else between(unit(turn @ REST[k - 1]), direction) @ (
                turn @ REST[k])
            goal = previous + rest
            pull = STIFF * (6.0, 2.2, 1.5, 1.2)[k] * (goal - self.points[k])
            air = DRAG * (np.array([0, 0, -wind]) - self.speeds[k])
            force = pull + air - DAMP * self.speeds[k] + np.array([0, -GRAVITY, 0])
            self.speeds[k] = self.speeds[k] + force * dt
            moved = self.points[k] + self.speeds[k] * dt
            moved = self.keep_out(moved, chest)
            direction = within(unit(rest), unit(moved - previous), LIMIT)
            fixed = previous + direction * LENGTHS[k]
            self.speeds[k] = (fixed - self.points[k]) / dt
            self.points[k] = fixed
            previous = fixed

    @staticmethod
    def keep_out(point, chest):
        centre, turn = chest
        local = turn.T @ (point - centre)
        if local[2] > -SPINE_CLEARANCE:
            local[2] = -SPINE_CLEARANCE
        return centre + turn @ local

    def pose(self, body):
        previous, start = body.turn["Head"], body.place["Ponytail1"]
        for k, point in enumerate(self.points):
            rest = unit(previous @ REST[k])
            turn = between(rest, unit(point - start)) @ previous
            body.put("Ponytail%d" % (k + 1), turn)
            previous, start = turn, point


def chest_of(body):
    return body.place["Spine2"] + 0.0, body.turn["Spine2"]


def swing_tail(frames, wind=0.0, loops=True):
    """Adds the ponytail to every frame. A loop is run until it repeats itself."""
    for body in frames:
        body.put("Ponytail1", body.turn["Head"])
    tail = Tail(frames[0])
    rounds = 8 if loops else 1
    for _ in range(90):
        advance(tail, frames[0], frames[0], wind)
    for turn in range(rounds):
        for index, body in enumerate(frames):
            if index:
                advance(tail, frames[index - 1], body, wind)
            tail.pose(body)
    if loops:
        tail_end(frames)
    return frames


def advance(tail, before, after, wind):
    for k in range(1, STEPS + 1):
        t = k / STEPS
        tie = before.place["Ponytail1"] * (1 - t) + after.place["Ponytail1"] * t
        tail.step(tie, after.turn["Head"], chest_of(after), wind, 1 / 30 / STEPS)


def tail_end(frames):
    """The last frame of a loop is its first one."""
    for k in range(1, 5):
        name = "Ponytail%d" % k
        frames[0].turn[name] = frames[-1].turn[name]
