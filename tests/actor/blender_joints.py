"""Runs inside Blender: the world matrices of all nodes of a glTF file at frames, as JSON.

    blender -b --factory-startup -P blender_joints.py -- FILE FPS OUT FRAME…
"""
import json
import sys

import bpy

file, fps, out, *frames = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = int(fps)
bpy.ops.import_scene.gltf(filepath=file)
poses = []
for frame in frames:
    scene.frame_set(int(frame))
    bpy.context.view_layer.update()
    poses.append({o.name: [list(row) for row in o.matrix_world] for o in bpy.data.objects})
with open(out, "w", encoding="utf-8") as result:
    json.dump(poses, result)
