"""Makes the fox and writes fox.glb beside this folder.

    blender -b -t 1 --python assets/source/make_fox.py

As with the hero, nothing is read.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

import numpy as np                      # noqa: E402

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
        rigid = np.zeros((len(points), len(rig.names)))
        rigid[:, rig.names.index("Head")] = 1
        parts.append((materials[name], points, normals, triangles, None, rigid))
    print("points:", sum(len(part[1]) for part in parts))
    file.mesh("Fox", parts)
    for name, poses in fox_clips.all_clips(rig).items():
        file.clip(name, poses, ("Root", "Hips"))
    file.save(os.path.join(os.path.dirname(HERE), "fox.glb"))


if __name__ == "__main__":
    main()
