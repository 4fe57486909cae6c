"""Writes small FBX files, as text, with just what a test wants in them."""
import struct

TICKS = 46186158000  # FBX's own unit of time, a second's

# For Fbx.mesh: the node's first material is everywhere.
ONE_MATERIAL = """LayerElementMaterial: 0 {
Version: 101
Name: ""
MappingInformationType: "AllSame"
ReferenceInformationType: "IndexToDirect"
Materials: *1 {
a: 0
}
}
Layer: 0 {
Version: 100
LayerElement: {
Type: "LayerElementMaterial"
TypedIndex: 0
}
}"""


class Fbx:
    def __init__(self, version=7400, **settings):
        self.version, self.settings = version, settings
        self.objects, self.connections, self.next = [], [], 1000
        self.blends = {}  # geometry → its morph deformer

    def add(self, kind, name, what, body=""):
        self.next += 1
        self.objects.append(f'{kind}: {self.next}, "{name}", "{what}" {{\n{body}\n}}')
        return self.next

    def connect(self, child, parent, property_name=None):
        words = f'"OP", {child}, {parent}, "{property_name}"' if property_name else f'"OO", {child}, {parent}'
        self.connections.append(f"C: {words}")

    def model(self, name, parent=0, what="LimbNode", **properties):
        """Lcl_Translation=(1, 2, 3), PreRotation=(0, 0, 90), InheritType=2, …"""
        lines = []
        for key, value in properties.items():
            kind = "Vector3D" if isinstance(value, tuple) else "enum" if key == "InheritType" else "int"
            numbers = ",".join(map(str, value)) if isinstance(value, tuple) else value
            lines.append(f'P: "{key.replace("Lcl_", "Lcl ")}", "{kind}", "", "A",{numbers}')
        model = self.add("Model", f"Model::{name}", what, "Version: 232\n" + table(lines))
        self.connect(model, parent)
        return model

    def mesh(self, model, positions=((0, 0, 0), (1, 0, 0), (0, 1, 0)), extra=""):
        """One triangle."""
        body = array("Vertices", [v for p in positions for v in p]) + "\n" + array("PolygonVertexIndex", [0, 1, -3])
        geometry = self.add("Geometry", "Geometry::", "Mesh", body + "\n" + extra)
        self.connect(geometry, model)
        return geometry

    def skin(self, geometry, bones):
        """bones: (model, {vertex: weight}, where the joint was when it was bound, where the mesh was); either may be
        None."""
        skin = self.add("Deformer", "Deformer::", "Skin", 'Link_DeformAcuracy: 50')
        self.connect(skin, geometry)
        for model, weights, joint, mesh in bones:
            matrices = [array(key, columns(matrix)) for key, matrix in (("Transform", mesh), ("TransformLink", joint)) if matrix]
            cluster = self.add("Deformer", "SubDeformer::", "Cluster", "\n".join([
                array("Indexes", list(weights)), array("Weights", list(weights.values())), *matrices]))
            self.connect(cluster, skin)
            self.connect(model, cluster)

    def shape(self, geometry, moves, percent, name="Smile"):
        """A morph target: {vertex: (x, y, z)}. Answers the channel, which "DeformPercent" animates."""
        if geometry not in self.blends:
            self.blends[geometry] = self.add("Deformer", "Deformer::", "BlendShape", "Version: 100")
            self.connect(self.blends[geometry], geometry)
        blend = self.blends[geometry]
        channel = self.add("Deformer", f"SubDeformer::{name}", "BlendShapeChannel",
                           f"Version: 100\nDeformPercent: {percent}\n{array('FullWeights', [100])}")
        shape = self.add("Geometry", f"Geometry::{name}", "Shape", "\n".join([
            "Version: 100", array("Indexes", list(moves)), array("Vertices", [v for move in moves.values() for v in move]),
            array("Normals", [0] * 3 * len(moves))]))
        self.connect(channel, blend)
        self.connect(shape, channel)
        return channel

    def material(self, model, **properties):
        """DiffuseColor=(1, 0, 0), ShininessExponent=25, …"""
        lines = [f'P: "{key}", "Color", "", "A",{",".join(map(str, value))}' if isinstance(value, tuple) else
                 f'P: "{key}", "Number", "", "A",{value}' for key, value in properties.items()]
        material = self.add("Material", "Material::Skin", "", 'Version: 102\nShadingModel: "phong"\n' + table(lines))
        self.connect(material, model)
        return material

    def texture(self, material, channel, absolute, relative, **properties):
        """Translation=(0.5, 0, 0), UVSwap=1, …"""
        lines = [f'P: "{key}", "Vector", "", "A",{",".join(map(str, value if isinstance(value, tuple) else (value,)))}'
                 for key, value in properties.items()]
        texture = self.add("Texture", "Texture::t", "",
                           f'Type: "TextureVideoClip"\nFileName: "{absolute}"\nRelativeFilename: "{relative}"\n' +
                           (table(lines) if lines else ""))
        self.connect(texture, material, channel)

    def stack(self, name, begin, end, layers=1, **properties):
        """A clip from `begin` to `end` seconds; answers its layers, of which all but the first get the properties."""
        return self.layered(name, begin, end, [{}] + [properties] * (layers - 1))

    def layered(self, name, begin, end, layers):
        """The same with properties for each layer."""
        times = [f'P: "{key}", "KTime", "Time", "",{round(value * TICKS)}'
                 for key, value in (("LocalStart", begin), ("LocalStop", end), ("ReferenceStart", begin),
                                    ("ReferenceStop", end))]
        stack = self.add("AnimationStack", f"AnimStack::{name}", "", table(times))
        made = []
        for i, told in enumerate(layers):
            lines = [f'P: "{key}", "Number", "", "A",{value}' for key, value in told.items()]
            made.append(self.add("AnimationLayer", f"AnimLayer::Layer{i}", "", table(lines) if i else ""))
            self.connect(made[-1], stack)
        return made

    def curves(self, layer, model, name, times, values, flags=(24836,), extra="", data=None):
        """`name`: "Lcl Translation", …; values: one tuple for each time. flags 24836 is linear, 24840 cubic: one for all
        keys, or one for each; data: four numbers for each of the flags."""
        letter = {"Lcl Translation": "T", "Lcl Rotation": "R", "Lcl Scaling": "S"}.get(name, name)
        node = self.add("AnimationCurveNode", f"AnimCurveNode::{letter}", "", "")
        self.connect(node, layer)
        self.connect(node, model, name)
        runs = [len(times)] if len(flags) == 1 else [1] * len(flags)
        numbers_of_keys = [bits(number) for key in data or [(0, 0, 0, 0)] * len(flags) for number in key]
        for axis, label in enumerate(["d|X", "d|Y", "d|Z"] if letter in "TRS" else ["d|" + name]):
            numbers = [value[axis] for value in values]
            curve = self.add("AnimationCurve", "AnimCurve::", "", "\n".join([
                "Default: 0", "KeyVer: 4008", array("KeyTime", [round(t * TICKS) for t in times]),
                array("KeyValueFloat", numbers), array("KeyAttrFlags", list(flags)),
                array("KeyAttrDataFloat", numbers_of_keys), array("KeyAttrRefCount", runs), extra]))
            self.connect(curve, node, label)

    def keyed(self, layer, target, name, curves):
        """As `curves`, from one of fbx_truth's curves for each axis."""
        letter = {"Lcl Translation": "T", "Lcl Rotation": "R", "Lcl Scaling": "S"}.get(name, name)
        node = self.add("AnimationCurveNode", f"AnimCurveNode::{letter}", "", "")
        self.connect(node, layer)
        self.connect(node, target, name)
        for label, curve in zip(["d|X", "d|Y", "d|Z"] if letter in "TRS" else ["d|" + name], curves):
            data = [number for key in curve.keys for number in (
                *(bits(float(v)) for v in key.data[:2]), bits(float(key.data[2])) if key.is_tcb else weights(*key.weights), 0)]
            made = self.add("AnimationCurve", "AnimCurve::", "", "\n".join([
                "Default: 0", "KeyVer: 4008", array("KeyTime", curve.times),
                array("KeyValueFloat", [key.value for key in curve.keys]),
                array("KeyAttrFlags", [key.flags for key in curve.keys]), array("KeyAttrDataFloat", data),
                array("KeyAttrRefCount", [1] * len(curve.keys)),
                *(f"{side}-Extrapolation: {{\nType: {ord(kind)}\nRepetition: {count}\n}}"
                  for side, (kind, count) in (("Pre", curve.before), ("Post", curve.after)))]))
            self.connect(made, node, label)

    def text(self):
        settings = [f'P: "{key}", "{"double" if key == "UnitScaleFactor" else "int"}", "Number", "",{value}'
                    for key, value in self.settings.items()]
        return "\n".join([
            f"; FBX {self.version // 1000}.{self.version // 100 % 10}.0 project file",
            "FBXHeaderExtension:  {", "FBXHeaderVersion: 1003", f"FBXVersion: {self.version}", "}",
            "GlobalSettings:  {", "Version: 1000", table(settings), "}",
            "Definitions:  {", "Version: 100", "}",
            "Objects:  {", *self.objects, "}", "Connections:  {", *self.connections, "}", ""])


def bits(number):
    """Texts from 7.2 on have the bits of floats as integers."""
    return number if isinstance(number, int) else struct.unpack("<i", struct.pack("<f", number))[0]


def weights(right, next_left):
    """Of a tangent's two sides, in four decimals."""
    packed = round(right * 10000) | round(next_left * 10000) << 16
    return packed - (1 << 32) if packed >> 31 else packed


def table(lines):
    return "Properties70:  {\n" + "\n".join(lines) + "\n}"


def array(name, numbers):
    return f"{name}: *{len(numbers)} {{\na: {','.join(repr(n) for n in numbers)}\n}}"


def columns(matrix):
    return [matrix[r][c] for c in range(4) for r in range(4)]
