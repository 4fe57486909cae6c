"""Measures every clip of hero.glb and the files of clips beside it; exits 1 where one is out of bounds.

    python3 assets/source/measure_clips.py [--self-test]

It reads the exported files, not the scripts that made them: what is measured is what a
viewer shows. Only the standard library is needed.

slide    speed of the sole's points over the ground while they touch it (height at most
         CONTACT in two successive frames). A clip NAME for which there is a clip NAMERoot
         runs on a treadmill with that clip's speed. In a pivot a foot turns on its ball:
         there, the ball itself counts, the joint ToeBase.
depth    how far a point of the sole goes under the ground
knee     smallest angle of knees and elbows; below zero they bend backwards
section  area of a cut through a limb against the bind pose, in percent
seam     for loops: how far joints are from their first place in the last frame, and how
         the change of velocity there compares with the largest inside the clip, on either side
"""

import copy
import functools
import math
import os
import sys

from glb_model import Clip, Glb, Skeleton, Skin, read_clips

FPS = 30
CONTACT = 0.002                 # metres
LOOPS = ("Idle", "Walk", "Run", "Breath", "WalkRoot", "RunRoot", "StrafeLeft", "StrafeLeftRoot",
         "StrafeRight", "StrafeRightRoot", "WalkBack", "WalkBackRoot", "RunStrafeLeft", "RunStrafeRight",
         "RunBack")
# Velocities (x, z) of clips in place that have no other with a Root.
TREADMILLS = {"RunStrafeLeft": (2.4, 0.0), "RunStrafeRight": (-2.4, 0.0), "RunBack": (0.0, -2.2)}
# Clip, and the frame of it that the clip begins with; likewise its end. A hero stands, or has put a foot down.
STANDS, WALKS, WALKS_RIGHT, RUNS, RUNS_RIGHT = ("Idle", 0), ("Walk", 0), ("Walk", 14), ("Run", 0), ("Run", 10)
JOINS = {"WalkStart": (STANDS, WALKS), "RunStart": (STANDS, RUNS), "WalkStop": (WALKS, STANDS),
         "WalkStopRight": (WALKS_RIGHT, STANDS), "RunStop": (RUNS, STANDS),
         "RunStopRight": (RUNS_RIGHT, STANDS), "PivotRight": (WALKS, WALKS),
         "PivotLeft": (WALKS_RIGHT, WALKS), "RunPivotRight": (RUNS, RUNS), "RunPivotLeft": (RUNS_RIGHT, RUNS),
         "Turn90Right": (STANDS, STANDS), "Turn180": (STANDS, STANDS),
         "Turn180Right": (STANDS, STANDS)}
LIMITS = {"slide": 0.010, "depth": 0.004, "knee": -1.0, "section": 80.0,
          "seam": 0.001, "jolt": 1.25, "join": 0.010, "turned": 2.0}
UNITS = {"slide": "m/s", "depth": "m", "knee": "degrees", "section": "%", "seam": "m", "jolt": "x",
         "join": "m", "turned": "degrees"}
AT_LEAST = ("knee", "section")
# Three joints, and whether the limb beyond the hinge bends to the front or to the back.
HINGES = (("UpLeg", "Leg", "Foot", -1), ("Arm", "ForeArm", "Hand", 1))
# A cut through a limb: joint, the next joint, offsets from the first one in metres.
SECTIONS = (("Arm", "ForeArm", (0.03, 0.06, 0.10)), ("ForeArm", "Hand", (-0.03, 0.0, 0.03)),
            ("Hand", "HandMiddle1", (-0.03, 0.0, 0.02)), ("Leg", "Foot", (-0.04, 0.0, 0.04)))


def sub(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def length(a):
    return math.sqrt(dot(a, a))


def unit(a):
    n = length(a)
    return a[0] / n, a[1] / n, a[2] / n


def turn_back(m, v):
    """The transpose of the matrix times the vector."""
    return tuple(m[c] * v[0] + m[c + 3] * v[1] + m[c + 6] * v[2] for c in range(3))


class Worst:
    """The worst value of each measure, with the place where it was found."""

    def __init__(self):
        self.found = {}

    def see(self, measure, value, where):
        worst = self.found.get(measure)
        below = measure in AT_LEAST
        if worst is None or (value < worst[0] if below else value > worst[0]):
            self.found[measure] = (value, where)

    def breaches(self, clip):
        for measure, (value, where) in self.found.items():
            limit = LIMITS[measure]
            if value != value or (value < limit if measure in AT_LEAST else value > limit):
                yield "%s: %s at %s is %.4g %s, limit %.4g" % (
                    clip, measure, where, value, UNITS[measure], limit)


class Character:
    TIP = "ToeBase"

    def __init__(self, path):
        glb = Glb(path)
        self.skeleton = Skeleton(glb)
        self.skin = Skin(glb, self.skeleton)
        self.clips = read_clips(glb)
        self.soles = {side: self.sole(side) for side in ("Left", "Right")}
        self.cuts = list(self.all_cuts())

    def joint(self, name):
        return self.skeleton.bind[name][1]

    def sole(self, side):
        """One vertex for each place on the underside of a shoe."""
        own = {side + "Foot", side + "ToeBase"}
        places = {}
        for k, (point, pairs) in enumerate(zip(self.skin.points, self.skin.influences)):
            if point[1] < 0.001 and all(name in own for name, _ in pairs):
                places[tuple(round(c, 5) for c in point)] = k
        return sorted(places.values())

    def all_cuts(self):
        for side in ("Left", "Right"):
            for first, then, offsets in SECTIONS:
                a, b = self.joint(side + first), self.joint(side + then)
                way = unit(sub(b, a))
                for offset in offsets:
                    centre = tuple(p + w * offset for p, w in zip(a, way))
                    for loop in self.cut(centre, way):
                        yield "%s%s%+.0f mm" % (side, first, offset * 1000), loop

    def cut(self, centre, normal):
        """Closed loops of (vertex, vertex, share) where a plane cuts the skin nearby."""
        joined, edge = {}, {}
        for triangle in self.skin.triangles:
            if length(sub(self.skin.points[triangle[0]], centre)) > 0.16:
                continue
            crossing = []
            for i, j in zip(triangle, triangle[1:] + triangle[:1]):
                a = dot(sub(self.skin.points[i], centre), normal)
                b = dot(sub(self.skin.points[j], centre), normal)
                if (a < 0) != (b < 0):
                    key = frozenset((self.weld(i), self.weld(j)))
                    edge[key] = (i, j, a / (a - b))
                    crossing.append(key)
            if len(crossing) == 2:
                joined.setdefault(crossing[0], []).append(crossing[1])
                joined.setdefault(crossing[1], []).append(crossing[0])
        loops = [[edge[k] for k in loop] for loop in closed_loops(joined)]
        loops = [l for l in loops if length(sub(self.middle(l), centre)) < 0.045]
        most = max((self.area(l, self.in_bind_pose) for l in loops), default=0)
        return [l for l in loops if self.area(l, self.in_bind_pose) > 0.3 * most]

    def weld(self, vertex):
        return tuple(round(c, 5) for c in self.skin.points[vertex])

    def in_bind_pose(self, vertex):
        return self.skin.points[vertex]

    @staticmethod
    def crossing_points(loop, place):
        points = []
        for i, j, t in loop:
            (ax, ay, az), (bx, by, bz) = place(i), place(j)
            points.append((ax + (bx - ax) * t, ay + (by - ay) * t, az + (bz - az) * t))
        return points

    def middle(self, loop):
        points = self.crossing_points(loop, self.in_bind_pose)
        return tuple(sum(c) / len(points) for c in zip(*points))

    def area(self, loop, place):
        """Length of the loop's vector area: what is left of it when it is flattened."""
        points = self.crossing_points(loop, place)
        origin, total = points[0], (0.0, 0.0, 0.0)
        for p, q in zip(points, points[1:]):
            total = tuple(t + c / 2 for t, c in zip(total, cross(sub(p, origin), sub(q, origin))))
        return length(total)


def closed_loops(joined):
    """Follows links; where a loop is open (a border) it is left out."""
    left = set(joined)
    while left:
        start = here = min(left, key=sorted)
        loop, before = [], None
        while here is not None and here in left:
            left.discard(here)
            loop.append(here)
            onward = [k for k in joined[here] if k != before and k in left]
            before, here = here, onward[0] if onward else None
        if len(loop) > 5 and start in joined[loop[-1]]:
            yield loop


def frames_of(clip):
    return [k / FPS for k in range(int(round(clip.seconds * FPS)) + 1)]


def ground_velocity(character, clips, name):
    """Velocity (x, z) of the treadmill under a clip, measured on the Root joint itself."""
    root = clips.get(name + "Root")
    if not root:
        x, z = TREADMILLS.get(name, (0.0, 0.0))
        return -x, -z
    first = character.skeleton.pose(root, 0.0, character.skeleton.line("Root"))
    last = character.skeleton.pose(root, root.seconds, character.skeleton.line("Root"))
    move = sub(last["Root"][1], first["Root"][1])
    return -move[0] / root.seconds, -move[2] / root.seconds


def measure_feet(character, clips, clip, worst):
    vx, vz = ground_velocity(character, clips, clip.name)
    touched = 0
    for side, sole in character.soles.items():
        only = character.skeleton.line(side + character.TIP)
        before = None
        for time in frames_of(clip):
            pose = character.skeleton.pose(clip, time, only)
            matrices = character.skin.matrices(pose)
            now = [character.skin.place(matrices, v) for v in sole]
            worst.see("depth", -min(p[1] for p in now), "%s sole at %.3f s" % (side, time))
            if "Pivot" in clip.name:
                now = [pose[side + character.TIP][1]]
            for p, q in zip(before or (), now):
                if p[1] <= CONTACT and q[1] <= CONTACT:
                    touched += 1
                    speed = math.hypot((q[0] - p[0]) * FPS - vx, (q[2] - p[2]) * FPS - vz)
                    worst.see("slide", speed, "%s sole at %.3f s" % (side, time))
            before = now
    if not touched:
        worst.see("slide", math.nan, "no foot that ever touches the ground")


def measure_hinges(character, clip, worst):
    bind = character.skeleton.bind
    for side in ("Left", "Right"):
        for first, second, third, front in HINGES:
            names = [side + n for n in (first, second, third)]
            straight = sub(bind[names[1]][1], bind[names[0]][1])
            axis = unit(cross(straight, (0, 0, front)))
            only = character.skeleton.line(names[2])
            for time in frames_of(clip):
                pose = character.skeleton.pose(clip, time, only)
                upper = local_way(pose, bind, names[0], names[0], names[1])
                lower = local_way(pose, bind, names[0], names[1], names[2])
                angle = math.atan2(dot(cross(upper, lower), axis), dot(upper, lower))
                worst.see("knee", math.degrees(angle), "%s at %.3f s" % (names[1], time))


def local_way(pose, bind, joint, start, end):
    """The direction start-end, turned back by how joint is turned against its bind pose."""
    way = unit(sub(pose[end][1], pose[start][1]))
    inside = turn_back(pose[joint][0], way)
    m = bind[joint][0]
    return tuple(m[r] * inside[0] + m[r + 1] * inside[1] + m[r + 2] * inside[2] for r in (0, 3, 6))


def measure_sections(character, clip, worst):
    bind = [character.area(loop, character.in_bind_pose) for _, loop in character.cuts]
    for time in frames_of(clip)[::2]:
        matrices = character.skin.matrices(character.skeleton.pose(clip, time))
        place = functools.cache(functools.partial(character.skin.place, matrices))  # neighbours in a loop share vertices
        for (name, loop), area in zip(character.cuts, bind):
            kept = 100 * character.area(loop, place) / area
            worst.see("section", kept, "%s at %.3f s" % (name, time))


def measure_seam(character, clip, worst):
    """Joints in the Root's space, so a travelling clip compares like one in place."""
    if clip.name not in LOOPS:
        return
    times = frames_of(clip)
    frames = []
    for time in times:
        pose = character.skeleton.pose(clip, time)
        root = pose["Root"][1]
        frames.append({n: sub(pose[n][1], root) for n in character.skin.inverse})
    steps = [{n: sub(b[n], a[n]) for n in a} for a, b in zip(frames, frames[1:])]
    inner = steps[2:-2]
    change = {n: max(length(sub(b[n], a[n])) for a, b in zip(inner, inner[1:])) for n in frames[0]}
    for name in frames[0]:
        worst.see("seam", length(sub(frames[-1][name], frames[0][name])), name)
        across = length(sub(steps[0][name], steps[-1][name]))
        worst.see("jolt", across / max(change[name], change[other_side(name)], 0.001), name)


def from_root(character, clip, time):
    """Each joint's place and rotation (nine numbers) as the Root sees them."""
    pose = character.skeleton.pose(clip, time)
    turn, place = pose["Root"]
    return {n: (turn_back(turn, sub(pose[n][1], place)), relative(turn, pose[n][0])) for n in character.skin.inverse}


def relative(a, b):
    """The transpose of a times b."""
    columns = [turn_back(a, (b[c], b[c + 3], b[c + 6])) for c in range(3)]
    return tuple(columns[c][r] for r in range(3) for c in range(3))


def measure_joins(character, clips, clip, worst):
    for time, (other, frame) in zip((0.0, clip.seconds), JOINS.get(clip.name, ())):
        here, there = from_root(character, clip, time), from_root(character, clips[other], frame / FPS)
        for name, (place, turn) in here.items():
            where = "%s at %.3f s, against %s" % (name, time, other)
            between = relative(turn, there[name][1])
            cosine = (between[0] + between[4] + between[8] - 1) / 2
            worst.see("join", length(sub(place, there[name][0])), where)
            worst.see("turned", math.degrees(math.acos(max(-1.0, min(1.0, cosine)))), where)


def other_side(name):
    """A foot that lands on the seam is compared with the one that lands inside the cycle."""
    if name.startswith("Left"):
        return "Right" + name[4:]
    return "Left" + name[5:] if name.startswith("Right") else name


def measure(character, clips, only=None):
    for name in sorted(only or clips):
        worst = Worst()
        measure_feet(character, clips, clips[name], worst)
        if not (name.endswith("Root") and name[:-4] in clips):      # else the same limbs again
            measure_hinges(character, clips[name], worst)
            measure_sections(character, clips[name], worst)
        measure_seam(character, clips[name], worst)
        measure_joins(character, clips, clips[name], worst)
        yield name, clips[name].seconds, worst


def table_row(name, seconds, worst):
    def cell(measure, scale, form):
        return form % (worst.found[measure][0] * scale) if measure in worst.found else "-"

    return "%-15s %7.3f %9s %9s %9s %10s %9s %6s %8s %8s" % (
        name, seconds, cell("slide", 100, "%.2f"), cell("depth", 1000, "%.2f"),
        cell("knee", 1, "%.1f"), cell("section", 1, "%.1f"), cell("seam", 1000, "%.3f"),
        cell("jolt", 1, "%.2f"), cell("join", 1000, "%.2f"), cell("turned", 1, "%.2f"))


def report(character, clips):
    print("%-15s %7s %9s %9s %9s %10s %9s %6s %8s %8s" % (
        "clip", "s", "slide cm/s", "depth mm", "knee deg", "section %", "seam mm", "jolt", "join mm", "join deg"))
    breaches = []
    for name, seconds, worst in measure(character, clips):
        print(table_row(name, seconds, worst))
        breaches += worst.breaches(name)
    for line in breaches:
        print("breach: " + line)
    return 1 if breaches else 0


def changed(clip, joint, path, edit):
    """A copy of a clip in which one track was edited."""
    tracks = copy.deepcopy(clip.tracks)
    times, values = tracks[joint][path]
    tracks[joint][path] = (times, edit(list(values)))
    return Clip(clip.name, tracks)


def shift_one(values):
    """One key a millimetre to the side."""
    x, y, z = values[5]
    values[5] = (x + 0.001, y, z)
    return values


def drop_all(values):
    return [tuple(v - 0.02 for v in value) for value in values]


def invert(values):
    return [(-x, -y, -z, w) for x, y, z, w in values]


def twist(values):
    """Every key turned by 170 degrees about the bone's own axis, y."""
    s, c = math.sin(math.radians(85)), math.cos(math.radians(85))
    return [(x * c - z * s, y * c + w * s, z * c + x * s, w * c - y * s) for x, y, z, w in values]


def one_off(values):
    """A key just before the seam: the places meet, the velocities do not."""
    return last_off(values[:-1]) + values[-1:]


def last_off(values):
    x, y, z, w = values[-1]
    return values[:-1] + [from_axis(x + 0.05, y, z, w)]


def from_axis(*q):
    n = math.sqrt(sum(v * v for v in q))
    return tuple(v / n for v in q)


PLANTED = (("slide", "Walk", "Hips", "translation", shift_one),
           ("depth", "Idle", "Hips", "translation", drop_all),
           ("knee", "Run", "LeftLeg", "rotation", invert),
           ("knee", "Wave", "RightForeArm", "rotation", invert),
           ("section", "Idle", "LeftHand", "rotation", twist),
           ("section", "Walk", "RightArm", "rotation", twist),
           ("seam", "Run", "Spine1", "rotation", last_off),
           ("jolt", "Idle", "Spine1", "rotation", one_off),
           ("slide", "PivotRight", "Hips", "translation", shift_one),
           ("join", "WalkStop", "Hips", "translation", drop_all),
           ("turned", "PivotLeft", "Spine1", "rotation", last_off))


def self_test(character, clips):
    """Plants one breach after the other; each has to be found, in its clip."""
    missed = 0
    for kind, name, joint, path, edit in PLANTED:
        broken = dict(clips)
        broken[name] = changed(clips[name], joint, path, edit)
        _, _, worst = next(measure(character, broken, [name]))
        found = [b for b in worst.breaches(name) if b.startswith("%s: %s " % (name, kind))]
        missed += not found
        print("%-8s planted in %-10s %s" % (kind, name, found[0] if found else "MISSED"))
    return 1 if missed else 0


def main():
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    character = Character(os.path.join(folder, "hero.glb"))
    clips = dict(character.clips)
    for name in ("hero_extra.glb", "hero_locomotion.glb"):
        clips.update(read_clips(Glb(os.path.join(folder, name))))
    return (self_test if "--self-test" in sys.argv[1:] else report)(character, clips)


if __name__ == "__main__":
    sys.exit(main())
