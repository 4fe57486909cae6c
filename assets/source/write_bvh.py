"""Writes hero_walk.bvh: the skeleton in its bind pose and the clip Walk.

    python3 assets/source/write_bvh.py

BVH has no turned joints: in the bind pose all of its joints have the axes of the model. What is
written is each joint's turn away from the bind pose. Unit and axes are the hero's own: metres, y up.
"""

import math

import glb_model
import hero_export as hero

CLIP = "Walk"
TRAVELLERS = ("Root", "Hips")           # the joints that also change their place


def euler_zxy(m):
    """Degrees about z, x and y with m = Z X Y."""
    a = m[0]
    x = math.asin(max(-1.0, min(1.0, a[7])))
    return [math.degrees(v) for v in (math.atan2(-a[1], a[4]), x, math.atan2(-a[6], a[8]))]


def offset(bind, parent, name):
    up = bind[parent[name]][1] if parent[name] in bind else (0, 0, 0)
    return [a - b for a, b in zip(bind[name][1], up)]


def hierarchy(names, bind, parent):
    order, lines = [], ["HIERARCHY"]

    def visit(name, kind, indent):
        order.append(name)
        channels = "Zrotation Xrotation Yrotation"
        channels = "6 Xposition Yposition Zposition " + channels if name in TRAVELLERS else "3 " + channels
        lines.extend([indent + kind + " " + name, indent + "{",
                      indent + "  OFFSET " + hero.numbers(offset(bind, parent, name), 6),
                      indent + "  CHANNELS " + channels])
        below = [other for other in names if parent[other] == name]
        for other in below:
            visit(other, "JOINT", indent + "  ")
        if not below:
            lines.extend([indent + "  End Site", indent + "  {", indent + "    OFFSET 0 0.02 0", indent + "  }"])
        lines.append(indent + "}")

    visit(names[0], "ROOT", "")
    return order, lines


def frame(order, bind, parent, placed):
    turns = {name: (glb_model.times(placed[name], hero.inverse(bind[name]))[0], (0, 0, 0)) for name in order}
    values = []
    for name in order:
        up = parent[name] if parent[name] in turns else None
        if name in TRAVELLERS:
            place = placed[name][1]
            values += glb_model.times_point(hero.inverse(placed_turn(turns, placed, up)), place) if up else place
        values += euler_zxy(glb_model.times(hero.inverse(turns[up]), turns[name]) if up else turns[name])
    return values


def placed_turn(turns, placed, name):
    return turns[name][0], placed[name][1]


def main():
    glb = hero.load()
    skeleton, clip = glb_model.Skeleton(glb), glb_model.read_clips(glb)[CLIP]
    names = hero.joint_names(glb, skeleton)
    bind = skeleton.bind
    order, lines = hierarchy(names, bind, skeleton.parent)
    times = hero.moments(clip)
    lines += ["MOTION", "Frames: %d" % len(times), "Frame Time: %.8f" % (1 / hero.FPS)]
    for time in times:
        lines.append(hero.numbers(frame(order, bind, skeleton.parent, skeleton.pose(clip, time)), 5))
    hero.save_text("hero_walk.bvh", lines)


if __name__ == "__main__":
    main()
