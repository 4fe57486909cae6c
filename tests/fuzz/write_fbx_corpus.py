"""Writes the corpus of fuzz_fbx again: one small file with everything in it, in every container.

    python3 tests/fuzz/write_fbx_corpus.py tests/fuzz/corpus/fbx"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from fbx_binary import binary  # noqa: E402
from imported import IDENTITY, moved  # noqa: E402
from write_fbx import Fbx, ONE_MATERIAL  # noqa: E402

LAYERS = ONE_MATERIAL + """
LayerElementNormal: 0 {
MappingInformationType: "ByPolygonVertex"
ReferenceInformationType: "Direct"
Normals: *9 {
a: 0,0,1,0,0,1,0,0,1
}
}
LayerElementUV: 0 {
MappingInformationType: "ByPolygonVertex"
ReferenceInformationType: "IndexToDirect"
UV: *4 {
a: 0,0,1,1
}
UVIndex: *3 {
a: 0,1,1
}
}
LayerElementSmoothing: 0 {
MappingInformationType: "ByPolygon"
Smoothing: *1 {
a: 1
}
}"""


def everything():
    fbx = Fbx(UnitScaleFactor=2.54)
    body = fbx.model("Body", what="Mesh", GeometricTranslation=(0, 0, 7))
    mesh = fbx.mesh(body, extra=LAYERS)
    material = fbx.material(body, DiffuseColor=(0.5, 0.25, 0.125), ShininessExponent=36)
    fbx.texture(material, "DiffuseColor", "C:\\\\skin.tga", "skin.tga")
    arm = fbx.model("Arm", PreRotation=(0, 0, 90), RotationPivot=(0, 4, 0), RotationActive=1, Lcl_Scaling=(2, 1, 1))
    hand = fbx.model("Hand", arm, InheritType=0, RotationOrder=3, Lcl_Translation=(5, 0, 0))
    fbx.skin(mesh, [(arm, {0: 1, 1: 0.5}, IDENTITY, IDENTITY), (hand, {1: 0.5, 2: 1}, moved(1, 0, 0), moved(-1, 0, 0))])
    smile = fbx.shape(mesh, {1: (0, 0, 4)}, 25)
    base, top = fbx.stack("Wave", 0.25, 1.5, 2, BlendMode=2, Weight=50)
    cycle = "Post-Extrapolation: {\nType: 82\nRepetition: -1\n}"
    fbx.curves(base, arm, "Lcl Rotation", [0, 0.5, 1], [(0, 0, 0), (30, 0, 90), (0, 9, 0)], (0x108, 0x408, 0x102), cycle,
               [(0.0, 0.0, 0, 0), (9.0, -6.0, 0, 0), (0.0, 0.0, 0, 0)])
    fbx.curves(top, arm, "Lcl Scaling", [0, 1], [(1, 1, 1), (2, 1, 1)])
    fbx.curves(base, smile, "DeformPercent", [0, 1], [(0,), (50,)], (0x208,))
    fbx.curves(top, top, "Weight", [0, 1], [(0,), (100,)])
    return fbx.text()


LEGACY = """; FBX 6.1.0 project file
FBXHeaderExtension: {
FBXVersion: 6100
}
Objects: {
Model: "Model::Body", "Mesh" {
Properties60: {
Property: "Lcl Translation", "Lcl Translation", "A+",1,2,3
}
Vertices: 0,0,0,1,0,0,0,1,0
PolygonVertexIndex: 0,1,-3
Shape: "Smile" {
Indexes: 1
Vertices: 0,0,4
}
}
}
Connections: {
Connect: "OO", "Model::Body", "Model::Scene"
}
Takes: {
Take: "Wave" {
LocalTime: 0,46186158000
Model: "Model::Body" {
Channel: "Transform" {
Channel: "T" {
Channel: "X" {
Default: 1
KeyVer: 4005
KeyCount: 3
Key: 0,1,L,23093079000,2,U,s,1,2,a,0.5,0.25,46186158000,3,C,n
}
}
}
Channel: "Smile" {
Default: 0
KeyVer: 4005
KeyCount: 2
Key: 0,0,U,a,n,46186158000,100,U,t,1,2,3
}
}
}
}
"""


def main(folder):
    text = everything()
    files = {"text.fbx": text.encode(), "old.fbx": LEGACY.encode(), "plain.fbx": binary(text),
             "deflated.fbx": binary(text, deflated=True), "wide.fbx": binary(text, 7500, nulls=False),
             "big.fbx": binary(text, 7500, big=True, deflated=True)}
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
