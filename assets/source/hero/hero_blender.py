"""Everything that touches Blender: objects, armature, actions, exporters."""

import os
import tempfile

import bpy
import numpy as np
from io_scene_fbx import fbx_utils
from mathutils import Matrix, Vector

import hero_paint as paint
from hero_skeleton import BIND, NAMES, PARENT, tail

FPS = 30
TRAVELLERS = ("Root", "Hips")           # the joints that also change their place
TO_BLENDER = np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]])     # y up to z up


def place(point):
    return Vector(TO_BLENDER @ np.asarray(point, float))


def turned(matrix):
    return Matrix(TO_BLENDER @ matrix @ TO_BLENDER.T)


def empty_scene():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FPS
    bpy.context.scene.unit_settings.system = "METRIC"


def armature(name):
    data = bpy.data.armatures.new(name)
    rig = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for joint in NAMES:
        bone = data.edit_bones.new(joint)
        bone.head, bone.tail = place(BIND[joint]), place(tail(joint))
        bone.align_roll(Vector((0, -1, 0)))
        bone.parent = data.edit_bones[PARENT[joint]] if PARENT[joint] else None
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in rig.pose.bones:
        bone.rotation_mode = "QUATERNION"
    return rig


def painted_image():
    """The texture as a file, because the FBX exporter embeds files only."""
    pixels = paint.texture() / 255
    image = bpy.data.images.new("hero", paint.SIZE, paint.SIZE)
    flat = np.ones((paint.SIZE, paint.SIZE, 4), np.float32)
    flat[..., :3] = pixels
    image.pixels.foreach_set(flat.ravel())
    image.filepath_raw = os.path.join(tempfile.mkdtemp(), "hero.png")
    image.file_format = "PNG"
    image.save()
    return bpy.data.images.load(image.filepath_raw)


def material(name, image):
    colour, roughness = paint.MATERIALS[name]
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = roughness
    shader.inputs["Specular"].default_value = 0.5
    made.use_backface_culling = name not in ("Jacket", "Trousers", "Trim", "Cuff")
    if colour is None:
        texture = made.node_tree.nodes.new("ShaderNodeTexImage")
        texture.image = image
        made.node_tree.links.new(texture.outputs["Color"], shader.inputs["Base Color"])
    else:
        shader.inputs["Base Color"].default_value = (*paint.linear(colour), 1.0)
    return made


def mesh_object(piece, rig, materials):
    mesh = bpy.data.meshes.new(piece.name)
    mesh.from_pydata([place(p) for p in piece.points], [], piece.faces)
    used = list(dict.fromkeys(piece.materials))
    for name in used:
        mesh.materials.append(materials[name])
    slot = {name: index for index, name in enumerate(used)}
    mesh.polygons.foreach_set("material_index", [slot[m] for m in piece.materials])
    mesh.polygons.foreach_set("use_smooth", [True] * len(piece.faces))
    layer = mesh.uv_layers.new(name="UVMap")
    layer.data.foreach_set("uv", np.concatenate(piece.uvs).ravel())
    mesh.validate()
    thing = bpy.data.objects.new(piece.name, mesh)
    bpy.context.collection.objects.link(thing)
    bind(thing, piece, rig)
    add_morphs(thing, piece)
    return thing


def bind(thing, piece, rig):
    for index, joint in enumerate(NAMES):
        rows = np.nonzero(piece.weights[:, index])[0]
        if len(rows):
            group = thing.vertex_groups.new(name=joint)
            for row in rows:
                group.add([int(row)], float(piece.weights[row, index]), "REPLACE")
    thing.parent = rig
    modifier = thing.modifiers.new("Armature", "ARMATURE")
    modifier.object = rig


def add_morphs(thing, piece):
    if not piece.morphs:
        return
    thing.shape_key_add(name="Basis")
    for name, moves in piece.morphs.items():
        key = thing.shape_key_add(name=name)
        points = (piece.points + moves) @ TO_BLENDER.T
        key.data.foreach_set("co", points.astype(np.float32).ravel())
        key.value = 0.0


def add_action(rig, name, bodies, every_joint):
    """One action on a track of its own; joints that never turn need no curve in it.

    The FBX exporter samples poses, where a joint without a curve keeps what the clip
    before left behind: it wants every joint.
    """
    action = bpy.data.actions.new(name)
    action.id_root = "OBJECT"
    for joint in NAMES:
        rest = rig.data.bones[joint].matrix_local.to_3x3()
        turns = [body.local(joint) for body in bodies]
        if every_joint or max(abs(t - np.eye(3)).max() for t in turns) > 1e-6:
            add_curves(action, joint, "rotation_quaternion", quaternions(turns, rest))
        if joint in TRAVELLERS:
            moves = [travel(body, joint) for body in bodies]
            if every_joint or max(np.linalg.norm(m) for m in moves) > 1e-6:
                back = rest.inverted()
                add_curves(action, joint, "location", [back @ place(m) for m in moves])
    track = rig.animation_data_create().nla_tracks.new()
    track.name = name
    strip = track.strips.new(name, 0, action)
    strip.name = name
    track.mute = True
    return action


def travel(body, joint):
    if joint == "Hips":
        return body.place["Hips"] - BIND["Hips"]
    return body.place[joint] - BIND[joint]


def quaternions(turns, rest):
    back, rows, last = rest.inverted(), [], None
    for turn in turns:
        q = (back @ turned(turn) @ rest).to_quaternion()
        if last is not None and last.dot(q) < 0:
            q.negate()
        rows.append(q)
        last = q
    return rows


def add_curves(action, joint, channel, rows):
    path = 'pose.bones["%s"].%s' % (joint, channel)
    for axis in range(len(rows[0])):
        curve = action.fcurves.new(path, index=axis, action_group=joint)
        curve.keyframe_points.add(len(rows))
        points = [value for k, row in enumerate(rows) for value in (k, row[axis])]
        curve.keyframe_points.foreach_set("co", points)
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
        curve.update()


def build(clips, pieces, every_joint=False):
    empty_scene()
    rig = armature("Hero")
    if pieces:
        image = painted_image()
        materials = {name: material(name, image) for name in paint.MATERIALS}
        for piece in pieces:
            mesh_object(piece, rig, materials)
    for name, bodies in clips.items():
        add_action(rig, name, bodies, every_joint)
    longest = max(len(bodies) for bodies in clips.values())
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 0, longest - 1
    bpy.context.scene.frame_set(0)
    return rig


def export_glb(path):
    bpy.ops.export_scene.gltf(
        filepath=path, export_format="GLB", export_image_format="AUTO",
        export_all_influences=True, export_morph=True, export_morph_normal=True,
        export_animations=True, export_nla_strips=True, export_force_sampling=False,
        export_frame_range=False, export_def_bones=False, export_yup=True,
        export_skins=True, export_optimize_animation_size=False, export_colors=False)


def mend_fbx_curves():
    """Two changes to which curves Blender's FBX exporter writes.

    Sizes, morphs, and places of joints that only turn, stay out: two thirds of the file.
    What stays keeps all its axes, because the exporter drops an axis that holds still,
    and a reader then takes it from the bind pose, where it may be another.
    """
    wrapper = fbx_utils.AnimationCurveNodeWrapper
    simplify = wrapper.simplify

    def simplify_and_mend(self, *arguments):
        simplify(self, *arguments)
        values = np.array([key[1] for key in self._keys])
        width = len(values[0])
        travels = str(self.elem_keys[0]).endswith(TRAVELLERS) and self.fbx_group[0] != "Lcl Scaling"
        if travels or self.fbx_group[0] == "Lcl Rotation" or np.ptp(values, axis=0).max() > 1e-5:
            self._keys[0][2][:] = self._keys[-1][2][:] = [True] * width
            return
        for key in self._keys:
            key[2][:] = [False] * width

    wrapper.simplify = simplify_and_mend


def export_fbx(path):
    mend_fbx_curves()
    for track in bpy.data.objects["Hero"].animation_data.nla_tracks:
        track.mute = False
    bpy.ops.export_scene.fbx(
        filepath=path, object_types={"ARMATURE", "MESH"}, add_leaf_bones=False,
        apply_scale_options="FBX_SCALE_UNITS", axis_forward="-Z", axis_up="Y",
        primary_bone_axis="Y", secondary_bone_axis="X", mesh_smooth_type="OFF",
        bake_anim=True, bake_anim_use_all_bones=False, bake_anim_use_nla_strips=True,
        bake_anim_use_all_actions=False, bake_anim_force_startend_keying=True,
        bake_anim_step=1.0, bake_anim_simplify_factor=0.01,
        path_mode="COPY", embed_textures=True)
