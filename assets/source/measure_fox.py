"""Measures every clip of fox.glb; exits 1 where one is out of bounds.

    python3 assets/source/measure_fox.py [--self-test]

It reads the exported file with the standard library, and shares its limits and words with
measure_clips.py. In place of knees and sections it looks at the order in which paws land.
"""

import os
import sys

import measure_clips as hero
from glb_model import Clip, Glb, Skeleton, Skin, read_clips

PAWS = ("LeftHind", "LeftFront", "RightHind", "RightFront")
ORDERS = {"Walk": "LeftHind LeftFront RightHind RightFront", "Trot": "LeftHind+RightFront LeftFront+RightHind",
          "Gallop": "LeftHind RightHind LeftFront RightFront"}
SUSPENSIONS = {"Walk": 0, "Trot": 2, "Gallop": 2}       # times in a cycle when no paw is down
DOWN = 0.004                    # a paw counts as down when a point of its sole is this low


class Fox(hero.Character):
    TIP = "Paw"

    def __init__(self, path):
        glb = Glb(path)
        self.skeleton = Skeleton(glb)
        self.skin = Skin(glb, self.skeleton)
        self.clips = read_clips(glb)
        self.soles = {paw: self.sole(paw) for paw in PAWS}

    def sole(self, paw):
        own = {paw + "Paw", paw + "Pastern"}
        return [k for k, (point, pairs) in enumerate(zip(self.skin.points, self.skin.influences))
                if point[1] < 0.001 and max(pairs, key=lambda pair: pair[1])[0] in own]


def heights(fox, clip, paw):
    only = fox.skeleton.line(paw + "Paw")
    for time in hero.frames_of(clip)[:-1]:
        matrices = fox.skin.matrices(fox.skeleton.pose(clip, time, only))
        yield min(fox.skin.place(matrices, v)[1] for v in fox.soles[paw])


def stances(fox, clip):
    """For each paw, at which frames of the cycle it is down."""
    return {paw: [h < DOWN for h in heights(fox, clip, paw)] for paw in PAWS}


def landings(down):
    """The frames of the cycle at which paws land, with the paws."""
    rows = [(k, paw) for paw, frames in down.items() for k in range(len(frames)) if frames[k] and not frames[k - 1]]
    return sorted(rows)


def order(rows, frames):
    """Paws that land within a frame of one another are joined by +; the cycle begins with LeftHind's group."""
    groups = []
    for k, paw in rows:
        if groups and k - groups[-1][0] <= 1 and frames > 14:
            groups[-1][1].append(paw)
        else:
            groups.append((k, [paw]))
    if len(groups) > 1 and groups[0][0] + frames - groups[-1][0] <= 1:
        groups[0][1].extend(groups.pop()[1])
    names = ["+".join(sorted(paws)) for _, paws in groups]
    first = next((k for k, name in enumerate(names) if "LeftHind" in name), 0)
    return " ".join(names[first:] + names[:first])


def flights(down):
    """How often in a cycle no paw is down."""
    aloft = [not any(frames) for frames in zip(*down.values())]
    return sum(aloft[k] and not aloft[k - 1] for k in range(len(aloft)))


def measure(fox, clips, name):
    """What was found in a clip, how the paws land, and a line for each breach."""
    worst, clip, footfalls = hero.Worst(), clips[name], ""
    hero.measure_feet(fox, clips, clip, worst)
    hero.measure_seam(fox, clip, worst)
    breaches = list(worst.breaches(name))
    if name in ORDERS:
        down = stances(fox, clip)
        footfalls, aloft = order(landings(down), len(down["LeftHind"])), flights(down)
        if footfalls != ORDERS[name]:
            breaches.append("%s: order of the paws is %s" % (name, footfalls))
        if aloft != SUSPENSIONS[name]:
            breaches.append("%s: suspensions are %d, not %d" % (name, aloft, SUSPENSIONS[name]))
    return {k: v[0] for k, v in worst.found.items()}, footfalls, breaches


def report(fox):
    breaches = []
    print("%-10s %6s %10s %8s %7s %5s  landings" % ("clip", "s", "slide cm/s", "depth mm", "seam mm", "jolt"))
    for name in sorted(fox.clips):
        found, footfalls, more = measure(fox, fox.clips, name)
        print("%-10s %6.3f %10.2f %8.2f %7.3f %5.2f  %s" % (
            name, fox.clips[name].seconds, found["slide"] * 100, found["depth"] * 1000, found["seam"] * 1000,
            found["jolt"], footfalls))
        breaches += more
    for line in breaches:
        print("breach: " + line)
    return 1 if breaches else 0


def self_test(fox):
    """Plants one breach after the other; each has to be found, in its clip."""
    clips, missed = fox.clips, 0
    planted = (("slide", "Walk", hero.changed(clips["Walk"], "Hips", "translation", hero.shift_one)),
               ("depth", "Trot", hero.changed(clips["Trot"], "Hips", "translation", hero.drop_all)),
               ("seam", "Gallop", hero.changed(clips["Gallop"], "Spine1", "rotation", hero.last_off)),
               ("order", "Walk", clips["Trot"]), ("suspensions", "Gallop", clips["Walk"]))
    for kind, name, clip in planted:
        lines = measure(fox, {**clips, name: Clip(name, clip.tracks)}, name)[2]
        found = [line for line in lines if line.startswith("%s: %s " % (name, kind))]
        missed += not found
        print("%-11s planted in %-6s %s" % (kind, name, found[0] if found else "MISSED"))
    return 1 if missed else 0


def main():
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    fox = Fox(os.path.join(folder, "fox.glb"))
    hero.LOOPS = tuple(fox.clips)
    return self_test(fox) if "--self-test" in sys.argv[1:] else report(fox)


if __name__ == "__main__":
    sys.exit(main())
