"""Runs inside Blender: an armature whose action has numbers over its time, as a glTF file with them among its extras.

    blender -b --factory-startup -P blender_curves.py -- FILE
"""
import sys

import bpy

bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 24
bones = bpy.data.armatures.new("Rig")
rig = bpy.data.objects.new("Rig", bones)
scene.collection.objects.link(rig)
bpy.context.view_layer.objects.active = rig
bpy.ops.object.mode_set(mode="EDIT")
arm = bones.edit_bones.new("Arm")
arm.head, arm.tail = (0, 0, 0), (0, 0, 1)
bpy.ops.object.mode_set(mode="POSE")
bone = rig.pose.bones["Arm"]
bone.rotation_mode = "QUATERNION"
for frame, turn in ((6, 0), (18, 0.5), (30, 0)):
    bone.rotation_quaternion = ((1 - turn * turn) ** 0.5, turn, 0, 0)
    bone.keyframe_insert("rotation_quaternion", frame=frame)
action = rig.animation_data.action
action.name = "Grasp"
action["curves"] = {"left_grip": [0.0, 0.0, 0.5, 1.0, 0.75, 0.25, 2.0, 0.25], "steps": [0, 1, 1, 3]}
bpy.ops.object.mode_set(mode="OBJECT")
bpy.ops.export_scene.gltf(filepath=sys.argv[sys.argv.index("--") + 1], export_format="GLB", export_extras=True)
