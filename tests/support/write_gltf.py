"""Writes small glTF files; their data is in the file itself."""
import base64
import json
import struct

WIDTH = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
LETTER = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}


class Gltf:
    def __init__(self):
        self.data, self.views, self.accessors = b"", [], []
        self.nodes, self.meshes, self.skins, self.animations, self.more = [], [], [], [], {}

    def view(self, data):
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)})
        self.data += data + bytes(-len(data) % 4)
        return len(self.views) - 1

    def accessor(self, shape, numbers, component=5126, **more):
        view = self.view(struct.pack(f"<{len(numbers)}{LETTER[component]}", *numbers))
        self.accessors.append({"bufferView": view, "componentType": component, "type": shape,
                               "count": len(numbers) // WIDTH[shape], **more})
        return len(self.accessors) - 1

    def positions(self, points=((0, 0, 0), (1, 0, 0), (0, 1, 0))):
        return self.accessor("VEC3", [v for p in points for v in p], min=[0, 0, 0], max=[1, 1, 1])

    def mesh(self, attributes, name="tri", **more):
        self.meshes.append({"name": name, "primitives": [{"attributes": attributes, **more}]})
        return len(self.meshes) - 1

    def node(self, **what):
        self.nodes.append(what)
        return len(self.nodes) - 1

    def animation(self, name, curves):
        """curves: (node, path, times, numbers, mode)"""
        made = {"samplers": [], "channels": [], **({"name": name} if name else {})}
        for node, path, times, numbers, mode in curves:
            shape = {"rotation": "VEC4", "weights": "SCALAR"}.get(path, "VEC3")
            made["channels"].append({"sampler": len(made["samplers"]), "target": {"node": node, "path": path}})
            made["samplers"].append({"input": self.accessor("SCALAR", times), "output": self.accessor(shape, numbers),
                                     "interpolation": mode})
        self.animations.append(made)

    def text(self):
        children = {child for node in self.nodes for child in node.get("children", [])}
        roots = [i for i in range(len(self.nodes)) if i not in children]
        parts = {"nodes": self.nodes, "meshes": self.meshes, "skins": self.skins, "animations": self.animations,
                 "accessors": self.accessors, "bufferViews": self.views}
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        return json.dumps({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": roots}],
                           **{key: value for key, value in parts.items() if value},
                           **({"buffers": [{"byteLength": len(self.data), "uri": uri}]} if self.data else {}),
                           **self.more})
