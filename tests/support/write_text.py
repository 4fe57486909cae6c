"""Writes small Collada, MD5, BVH, X, SMD and IQM files."""
import struct


def source(name, numbers, stride, param="float", kind="float"):
    words = " ".join(map(str, numbers))
    params = f'<param name="TRANSFORM" type="{param}"/>' if stride == 16 else "".join(
        f'<param name="{letter}" type="{param}"/>' for letter in "XYZUVW"[:stride])
    return (f'<source id="{name}"><{kind}_array id="{name}-array" count="{len(numbers)}">{words}</{kind}_array>'
            f'<technique_common><accessor source="#{name}-array" count="{len(numbers) // stride}" stride="{stride}">'
            f'{params}</accessor></technique_common></source>')


def channel(name, target, times, values, stride=1, mode="LINEAR", tangents=None):
    """`mode` for all segments or one for each key; `tangents`: those that arrive, those that leave, numbers of each."""
    modes = [mode] * len(times) if isinstance(mode, str) else mode
    bent = tangents and [source(f"{name}-{end}", numbers, tangents[2]) for end, numbers in zip("io", tangents)]
    return (f'<animation id="{name}">' + source(name + "-in", times, 1).replace('"X"', '"TIME"') +
            source(name + "-out", values, stride, "float4x4" if stride == 16 else "float") +
            source(name + "-mode", modes, 1, "Name", "Name") + "".join(bent or []) +
            f'<sampler id="{name}-s"><input semantic="INPUT" source="#{name}-in"/>'
            f'<input semantic="OUTPUT" source="#{name}-out"/>'
            f'<input semantic="INTERPOLATION" source="#{name}-mode"/>' +
            (f'<input semantic="IN_TANGENT" source="#{name}-i"/><input semantic="OUT_TANGENT" source="#{name}-o"/>'
             if tangents else "") + '</sampler>'
            f'<channel source="#{name}-s" target="{target}"/></animation>')


TRIANGLE = ('<geometry id="tri" name="tri"><mesh>' + source("p", [0, 0, 0, 1, 0, 0, 0, 1, 0], 3) +
            source("uv", [0, 0, 1, 0, 0, 1], 2).replace('"X"', '"S"').replace('"Y"', '"T"') +
            '<vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="1" material="m">'
            '<input semantic="VERTEX" source="#v" offset="0"/>'
            '<input semantic="TEXCOORD" source="#uv" offset="0" set="0"/><p>0 1 2</p></triangles></mesh></geometry>')

# The triangle bound to the node J, for SKINNED; the joint moves one along x in the second from 0 to 1.
SKIN = ('<library_controllers><controller id="c"><skin source="#tri">'
        '<bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>' + source("j", ["J"], 1, "name", "Name") +
        source("ib", [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], 16, "float4x4") + source("wt", [1], 1) +
        '<joints><input semantic="JOINT" source="#j"/><input semantic="INV_BIND_MATRIX" source="#ib"/></joints>'
        '<vertex_weights count="3"><input semantic="JOINT" source="#j" offset="0"/>'
        '<input semantic="WEIGHT" source="#wt" offset="1"/><vcount>1 1 1</vcount><v>0 0 0 0 0 0</v></vertex_weights></skin>'
        '</controller></library_controllers>')
SKINNED = ('<node id="J" sid="J" name="J" type="JOINT"><translate sid="t">1 0 0</translate><rotate>0 0 1 90</rotate></node>'
           '<node id="m" name="m"><instance_controller url="#c"><skeleton>#J</skeleton></instance_controller></node>')
MOVED = channel("x", "J/t.X", [0, 1], [1, 2])


def collada(nodes, animations="", libraries="", unit=1, up="Y_UP"):
    return ('<?xml version="1.0" encoding="utf-8"?>\n'
            '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'
            f'<asset><unit name="u" meter="{unit}"/><up_axis>{up}</up_axis></asset>{libraries}'
            f'<library_geometries>{TRIANGLE}</library_geometries>'
            f'<library_animations>{animations}</library_animations>'
            f'<library_visual_scenes><visual_scene id="scene" name="scene">{nodes}</visual_scene></library_visual_scenes>'
            '<scene><instance_visual_scene url="#scene"/></scene></COLLADA>')


MD5_MESH = """MD5Version 10
commandline ""
numJoints 2
numMeshes 1
joints {
"Root" -1 ( 0 0 0 ) ( 0 0 0 )
"Arm" 0 ( 0 0 2 ) ( 0 0 0 )
}
mesh {
shader "skin.tga"
numverts 3
vert 0 ( 0 0 ) 0 1
vert 1 ( 1 0 ) 1 1
vert 2 ( 0 1 ) 2 1
numtris 1
tri 0 0 1 2
numweights 3
weight 0 0 1 ( 0 0 0 )
weight 1 1 1 ( 1 0 0 )
weight 2 1 1 ( 0 0 1 )
}
"""


def md5_animation(rate, frames):
    """Each frame is where Arm stands, as MD5 has it: z up."""
    lines = ["MD5Version 10", 'commandline ""', f"numFrames {len(frames)}", "numJoints 2", f"frameRate {rate}",
             "numAnimatedComponents 3", "hierarchy {", '"Root" -1 0 0', '"Arm" 0 7 0', "}", "bounds {",
             *["( -1 -1 -1 ) ( 1 1 1 )"] * len(frames), "}", "baseframe {", "( 0 0 0 ) ( 0 0 0 )", "( 0 0 2 ) ( 0 0 0 )",
             "}"]
    for i, (x, y, z) in enumerate(frames):
        lines += [f"frame {i} {{", f"{x} {y} {z}", "}"]
    return "\n".join(lines) + "\n"


BVH = """HIERARCHY
ROOT Hips
{
OFFSET 0 0 0
CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
JOINT Spine
{
OFFSET 0 10 0
CHANNELS 3 Zrotation Xrotation Yrotation
End Site
{
OFFSET 0 5 0
}
}
}
MOTION
Frames: 3
Frame Time: 0.25
0 90 0 0 0 0 0 0 0
1 90 0 90 0 0 0 30 0
2 90 0 0 0 0 0 0 90
"""

X = """xof 0303txt 0032
Material Skin { 0.5;0.25;0.125;1.0;; 36.0; 0.9;0.9;0.9;; 0.1;0.2;0.3;; }
Frame Root {
FrameTransformMatrix { 1.0,0.0,0.0,0.0, 0.0,1.0,0.0,0.0, 0.0,0.0,1.0,0.0, 0.0,0.0,0.0,1.0;; }
Frame Arm {
FrameTransformMatrix { 1.0,0.0,0.0,0.0, 0.0,1.0,0.0,0.0, 0.0,0.0,1.0,0.0, 0.0,5.0,0.0,1.0;; }
Mesh Body {
3; 0.0;0.0;0.0;, 1.0;0.0;0.0;, 0.0;1.0;0.0;;
1; 3;0,1,2;;
MeshMaterialList { 1; 1; 0;; { Skin } }
}
}
}
AnimationSet Wave {
Animation { { Arm }
AnimationKey { 2; 2; 0;3;0.0,5.0,0.0;;, 25;3;4.0,5.0,0.0;;; }
}
}
"""

SMD = """version 1
nodes
0 "Root" -1
1 "Arm" 0
end
skeleton
time 0
0 0 0 0 0 0 0
1 0 0 2 0 0 0
end
triangles
skin.bmp
0 0 0 0 0 0 1 0 0 1 0 1
1 1 0 0 0 0 1 1 0 1 1 1
1 0 1 0 0 0 1 0 1 1 1 1
end
"""


def iqm():
    """A triangle and a joint."""
    text = b"\0body\0\0\0"
    at = [124]
    for size in (len(text), 24, 20, 12, 48, 36):
        at.append(at[-1] + size)
    header = [2, at[6], 0, len(text), at[0], 1, at[1], 1, 3, at[2], 1, at[3], 0, 1, at[4]] + [0] * 12
    return (b"INTERQUAKEMODEL\0" + struct.pack("<27I", *header) + text + struct.pack("<6I", 1, 1, 0, 3, 0, 1) +
            struct.pack("<5I", 0, 0, 7, 3, at[5]) + struct.pack("<3I", 0, 1, 2) +
            struct.pack("<Ii10f", 1, -1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1) + struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0))
