"""Makes the brawler and writes brawler.glb beside this folder.

    blender -b -t 1 --python assets/source/make_brawler.py

As with the hero, nothing is read.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "hero")]  # its poses and gaits serve here, too
sys.dont_write_bytecode = True

import brawler_clips                    # noqa: E402
import brawler_shape as brawler         # noqa: E402
import rig_file                         # noqa: E402

STEP = 0.0105


def both_sides(names):
    return [name + side for name in names for side in ("", "_l", "_r")]


def main():
    rig = brawler.rig()
    file = rig_file.File(rig, "Brawler")
    materials = {name: file.material(name, *look) for name, look in brawler.MATERIALS.items()}
    parts = []
    for name, (solid, count, joints) in brawler.PARTS.items():
        points, normals, triangles = solid().mesh(STEP, count)
        if name == "Boots":
            points[abs(points[:, 1]) < 0.002, 1] = 0.0
        parts.append((materials[name], points, normals, triangles, None,
                      rig.weights(points, triangles, both_sides(joints))))
    for name, (points, normals, triangles) in brawler.eyes().items():
        parts.append((materials[name], points, normals, triangles, None, rig.rigid("head", len(points))))
    file.finish("Brawler", parts, brawler_clips.all_clips(rig), ("root", "pelvis"), "brawler.glb")


if __name__ == "__main__":
    main()
