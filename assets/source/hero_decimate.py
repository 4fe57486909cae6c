"""The hero's meshes with fewer triangles, by Blender, for formats whose files would grow large."""

import os
import tempfile

import bpy
import numpy

import glb_model
import hero_export as hero

RATIOS = {"HeroBody": 0.3, "HeroHair": 0.3, "HeroHead": 0.45}


def shrink(thing):
    thing.shape_key_clear()
    modifier = thing.modifiers.new("fewer", "DECIMATE")
    modifier.ratio = RATIOS[thing.name]
    bpy.context.view_layer.objects.active = thing
    while thing.modifiers[0] != modifier:
        bpy.ops.object.modifier_move_up(modifier=modifier.name)
    bpy.ops.object.modifier_apply(modifier=modifier.name)


def decimated():
    """A Glb as hero_export.load gives it; only its meshes are of use."""
    numpy.bool = bool                   # Blender 3.4's importer asks for the name that numpy dropped
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=hero.path("hero.glb"), merge_vertices=True)
    for thing in list(bpy.data.objects):
        if thing.type == "MESH" and thing.name in RATIOS:
            shrink(thing)
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "small.glb")
        bpy.ops.export_scene.gltf(filepath=target, export_format="GLB", export_animations=False,
                                  export_all_influences=False)
        return glb_model.Glb(target)
