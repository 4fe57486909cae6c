"""Makes the fox and writes fox.glb beside this folder.

    blender -b -t 1 --python assets/source/make_fox.py

As with the hero, nothing is read.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "hero")]  # its poses and gaits serve here, too
sys.dont_write_bytecode = True

import fox_clips                        # noqa: E402
import fox_shape as fox                 # noqa: E402
import rig_file                         # noqa: E402

STEP, POINTS = 0.0075, 2050


def main():
    rig = fox.rig()
    file = rig_file.File(rig, "Fox")
    file.picture(fox.coat_picture())
    materials = {name: file.material(name, *look) for name, look in fox.MATERIALS.items()}
    body = fox.body()
    points, normals, triangles = body.mesh(STEP, POINTS)
    points[abs(points[:, 1]) < 0.002, 1] = 0.0
    weights = fox.stiff_soles(rig, points, rig.weights(points, triangles))
    parts = [(materials["Fur"], points, normals, triangles, fox.coat_uv(points), weights)]
    for name, points, normals, triangles in fox.details(body):
        parts.append((materials[name], points, normals, triangles, None, rig.rigid("Head", len(points))))
    file.finish("Fox", parts, fox_clips.all_clips(rig), ("Root", "Hips"), "fox.glb")


if __name__ == "__main__":
    main()
