"""Writes hero_zup.dae: meshes, skins and the clip Walk as Collada with z up.

    python3 assets/source/write_dae.py

Every point and every joint is turned to z up, so a reader that forgets the axis shows a
hero who lies on the floor. Colours are linear, as Blender writes and reads them.
"""

import glb_model
import hero_export as hero

CLIP = "Walk"
HEAD = """<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset>
<created>2026-01-01T00:00:00Z</created><modified>2026-01-01T00:00:00Z</modified>
<unit name="meter" meter="1"/><up_axis>Z_UP</up_axis>
</asset>
<library_images><image id="colors" name="colors"><init_from>%s</init_from></image></library_images>"""
SAMPLER = """<newparam sid="surface"><surface type="2D"><init_from>colors</init_from></surface></newparam>
<newparam sid="sampler"><sampler2D><source>surface</source></sampler2D></newparam>"""
INPUT = '<input semantic="%s" source="#%s"/>'
INPUT_AT = '<input semantic="%s" source="#%s" offset="%d"/>'


def matrix(m, digits=6):
    a, t = m
    rows = [*a[0:3], t[0], *a[3:6], t[1], *a[6:9], t[2], 0, 0, 0, 1]
    return hero.numbers(rows, digits)


def source(name, kind, text, count, params, of="float"):
    stride = {"float4x4": 16}.get(params[0][1], len(params))
    row = "".join('<param name="%s" type="%s"/>' % p for p in params)
    return ('<source id="%s"><%s id="%s-array" count="%d">%s</%s><technique_common>'
            '<accessor source="#%s-array" count="%d" stride="%d">%s</accessor></technique_common></source>'
            % (name, kind, name, count * stride, text, kind, name, count, stride, row))


def vectors(name, rows, letters, digits):
    text = " ".join(hero.numbers(row, digits) for row in rows)
    return source(name, "float_array", text, len(rows), [(c, "float") for c in letters])


def floats(name, values, param):
    return source(name, "float_array", hero.numbers(values, 6), len(values), [(param, "float")])


def matrices(name, placed):
    text = " ".join(matrix(m) for m in placed)
    return source(name, "float_array", text, len(placed), [("TRANSFORM", "float4x4")])


def names_source(name, values, param):
    return source(name, "Name_array", " ".join(values), len(values), [(param, "name")])


# ---- materials ----

def materials(used):
    lines = ["<library_effects>"]
    for name, part in used.items():
        diffuse = '<texture texture="sampler" texcoord="UV"/>' if part.is_painted() else \
            "<color>%s</color>" % hero.numbers(part.color(), 5)
        lines.append('<effect id="%s-effect"><profile_COMMON>%s<technique sid="common"><lambert><diffuse>%s</diffuse>'
                     "</lambert></technique></profile_COMMON></effect>"
                     % (name, SAMPLER if part.is_painted() else "", diffuse))
    lines += ["</library_effects>", "<library_materials>"]
    lines += ['<material id="%s" name="%s"><instance_effect url="#%s-effect"/></material>' % (n, n, n) for n in used]
    return lines + ["</library_materials>"]


# ---- meshes and skins ----

def geometry(name, parts):
    points = [hero.z_up_point(p) for part in parts for p in part.points]
    normals = [hero.z_up_point(n) for part in parts for n in part.normals]
    places = [(u, 1 - v) for part in parts for u, v in part.places]
    lines = ['<geometry id="%s-mesh" name="%s"><mesh>' % (name, name), vectors(name + "-points", points, "XYZ", 4),
             vectors(name + "-normals", normals, "XYZ", 3), vectors(name + "-places", places, "ST", 4),
             '<vertices id="%s-vertices">%s</vertices>' % (name, INPUT % ("POSITION", name + "-points"))]
    base = 0
    for part in parts:
        indices = " ".join(str(base + i) for t in part.triangles for i in t)
        lines.append('<triangles material="%s" count="%d">' % (part.material["name"], len(part.triangles)))
        lines += [INPUT_AT % ("VERTEX", name + "-vertices", 0), INPUT_AT % ("NORMAL", name + "-normals", 0),
                  '<input semantic="TEXCOORD" source="#%s-places" offset="0" set="0"/>' % name,
                  "<p>%s</p></triangles>" % indices]
        base += len(part.points)
    return lines + ["</mesh></geometry>"]


def controller(name, parts, joints, bind):
    influences = [own for part in parts for own in part.influences]
    weights = sorted({round(w, 4) for own in influences for _, w in own})
    at = {w: k for k, w in enumerate(weights)}
    index = {joint: k for k, joint in enumerate(joints)}
    pairs = " ".join("%d %d" % (index[j], at[round(w, 4)]) for own in influences for j, w in own)
    key = name + "-skin"
    return ['<controller id="%s" name="%s"><skin source="#%s-mesh">' % (key, name, name),
            "<bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>",
            names_source(key + "-joints", joints, "JOINT"),
            matrices(key + "-bind", [hero.inverse(hero.z_up(bind[joint])) for joint in joints]),
            floats(key + "-weights", weights, "WEIGHT"),
            "<joints>" + INPUT % ("JOINT", key + "-joints") + INPUT % ("INV_BIND_MATRIX", key + "-bind") + "</joints>",
            '<vertex_weights count="%d">' % len(influences),
            INPUT_AT % ("JOINT", key + "-joints", 0) + INPUT_AT % ("WEIGHT", key + "-weights", 1),
            "<vcount>%s</vcount>" % " ".join(str(len(own)) for own in influences),
            "<v>%s</v></vertex_weights></skin></controller>" % pairs]


# ---- the clip ----

def animation(clip, joints, skeleton):
    times = hero.moments(clip)
    poses = [skeleton.pose(clip, time) for time in times]
    sources, samplers, channels = [floats("times", times, "TIME")], [], []
    sources.append(names_source("linear", ["LINEAR"] * len(times), "INTERPOLATION"))
    for joint in joints:
        placed = [hero.z_up(hero.local(pose, skeleton.parent, joint)) for pose in poses]
        sources.append(matrices(joint + "-places", placed))
        samplers.append('<sampler id="%s-sampler">%s</sampler>' % (joint, INPUT % ("INPUT", "times") + INPUT % (
            "OUTPUT", joint + "-places") + INPUT % ("INTERPOLATION", "linear")))
        channels.append('<channel source="#%s-sampler" target="%s/transform"/>' % (joint, joint))
    return ['<library_animations><animation id="%s-keys" name="%s">' % (clip.name, clip.name), *sources, *samplers,
            *channels, "</animation></library_animations>"]


# ---- the scene ----

def joint_nodes(joints, skeleton, name):
    transform = hero.z_up(hero.local(skeleton.bind, skeleton.parent, name))
    lines = ['<node id="%s" sid="%s" name="%s" type="JOINT"><matrix sid="transform">%s</matrix>'
             % (name, name, name, matrix(transform))]
    for other in joints:
        if skeleton.parent[other] == name:
            lines += joint_nodes(joints, skeleton, other)
    return lines + ["</node>"]


def mesh_node(name, parts, root):
    bound = "".join('<instance_material symbol="%s" target="#%s"><bind_vertex_input semantic="UV" '
                    'input_semantic="TEXCOORD" input_set="0"/></instance_material>' % (m, m)
                    for m in dict.fromkeys(part.material["name"] for part in parts))
    return ('<node id="%s" name="%s"><instance_controller url="#%s-skin"><skeleton>#%s</skeleton><bind_material>'
            "<technique_common>%s</technique_common></bind_material></instance_controller></node>"
            % (name, name, name, root, bound))


def main():
    glb = hero.load()
    skeleton = glb_model.Skeleton(glb)
    joints, meshes = hero.joint_names(glb, skeleton), {}
    for part in hero.parts(glb):
        meshes.setdefault(part.mesh, []).append(part)
    lines = [HEAD % hero.PICTURE]
    lines += materials({part.material["name"]: part for parts in meshes.values() for part in parts})
    lines.append("<library_geometries>")
    for name, parts in meshes.items():
        lines += geometry(name, parts)
    lines += ["</library_geometries>", "<library_controllers>"]
    for name, parts in meshes.items():
        lines += controller(name, parts, joints, skeleton.bind)
    lines.append("</library_controllers>")
    lines += animation(glb_model.read_clips(glb)[CLIP], joints, skeleton)
    lines.append('<library_visual_scenes><visual_scene id="Scene" name="Scene"><node id="Hero" name="Hero">')
    lines += joint_nodes(joints, skeleton, joints[0])
    lines += [mesh_node(name, parts, joints[0]) for name, parts in meshes.items()]
    lines += ["</node></visual_scene></library_visual_scenes>",
              '<scene><instance_visual_scene url="#Scene"/></scene>', "</COLLADA>"]
    hero.save_text("hero_zup.dae", lines)


if __name__ == "__main__":
    main()
