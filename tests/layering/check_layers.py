"""Checks the #include lines of a source tree against the house's table: each floor sees the floors below it only, each
outside library stays in its own file or folder, the bindings and the public headers see nothing private.

    check_layers.py ROOT           prints FILE:LINE: sentence for every breach; status 1 where there is one
"""
import fnmatch
import pathlib
import re
import sys

# Floor → floors whose headers it may include (its own always).
BELOW = {
    "base": [],
    "math": ["base"],
    "model": ["base", "math"],
    "import": ["base", "math", "model"],
    "pose": ["base", "math", "model"],
    "skin": ["base", "math", "model", "pose"],
    "level": ["base", "math", "model", "pose", "skin"],
    "actor": ["base", "math", "model", "pose", "skin"],
    "render": ["base", "math", "model"],
    "host": ["base", "math", "model", "pose", "skin", "actor", "render"],
    "worker": ["base", "math", "model", "import"],
    "cli": ["base"],
    "page": ["host"],
}

# Public headers that a floor may include: those of its own height and lower.
PUBLIC = {
    "base": ["base.h"],
    "math": ["base.h", "math.h"],
    "model": ["base.h", "math.h", "model.h", "pose.h"],
    "import": ["base.h", "math.h", "build.h", "model.h", "pose.h"],
    "pose": ["base.h", "math.h", "model.h", "pose.h", "motion.h", "modifier_jobs.h", "pose_file.h", "baked_clip.h"],
    "skin": ["base.h", "math.h", "model.h", "pose.h"],
    "level": ["base.h", "math.h", "model.h", "pose.h", "level.h"],
    "actor": ["base.h", "math.h", "model.h", "pose.h", "motion.h", "modifier_jobs.h", "actor.h", "crowd.h",
              "curve.h", "event.h", "explain.h", "graph.h", "marks.h", "metrics.h", "motor.h", "playing.h",
              "actor_modifiers.h"],
    "render": ["base.h", "math.h", "model.h", "render.h"],
    "worker": ["base.h", "math.h", "model.h", "pose.h"],
}

# Header of an outside library → (its name, the only files that may include it).
LIBRARIES = [
    (r"GLFW/|imgui_impl_glfw", "GLFW", ["src/host/display/window.c"]),
    (r"EGL/", "EGL", ["src/host/display/egl.c"]),
    (r"uv\.h|uv/", "libuv", ["src/host/system/libuv/watch.c"]),
    (r"emscripten", "the browser", ["src/host/display/canvas.c", "src/page/*"]),
    (r"imgui", "Dear ImGui", ["src/host/ui/*.cpp", "src/host/ui/*.hpp"]),
    (r"assimp/", "Assimp", ["src/import/source/assimp/*", "tools/bench/bench_assimp.c"]),
    (r"stb_image\.h|stb/stb_image\.h", "stb_image", ["src/import/source/image.c"]),
    (r"(stb/)?stb_", "stb", ["src/import/source/image.c", "src/host/capture/png.c"]),
    (r"glad/|GL/|GLES|KHR/", "OpenGL", ["src/render/*"]),
    (r"zlib\.h", "zlib", ["src/import/source/fbx/records/fbx_array.c"]),
    (r"cglm/", "cglm", ["src/math/*.c", "src/render/*.c"]),
    (r"draco/", "Draco", ["src/import/source/gltf/geometry/gltf_draco.cpp"]),
    (r"meshoptimizer", "meshoptimizer", ["src/import/source/gltf/gltf_meshopt.c"]),
    (r"webp/", "libwebp", ["src/import/source/webp.c"]),
    (r"cjson/|cJSON", "cJSON", ["src/import/source/gltf/*"]),
    (r"seccomp\.h", "libseccomp", ["src/worker/jail_calls.c"]),
    (r"lua|lauxlib|lualib", "Lua", ["bindings/*"]),
]

# Room of the bindings → the other rooms whose headers it may include: those before it, so that there is no circle.
ROOMS = {
    "declare": [],
    "core": ["declare"],
    "lua": ["core"],
    "sandbox": ["core"],
    "scene": ["declare", "core", "lua"],
    "api": ["declare", "core", "lua", "scene"],
    "run": ["declare", "core", "lua"],
}

# A room calls functions of those that stand before it, whatever their headers.
CALLS = ["posix", "plain", "declare", "core", "lua", "sandbox", "scene", "api", "run"]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def includes_of(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            yield number, found.group(1) == "<", found.group(2)


def library_breach(file, header):
    """None, or the sentence about an outside library where it does not belong."""
    for pattern, library, places in LIBRARIES:
        if re.match(pattern, header):
            if any(fnmatch.fnmatch(file, place) for place in places):
                return None
            return f"includes <{header}>, but {library} belongs to {', '.join(places)}"
    return None


def floor_breach(file, floor, header, root):
    """The sentence about a private header: of a floor that is not below, or one that is not there."""
    target = header.split("/")[0]
    if "/" not in header or target not in BELOW:
        if (root / file).parent.joinpath(header).exists() or (root / "src" / header).exists():
            return None
        return f'includes "{header}", which is no header of this tree'
    if target == floor or target in BELOW[floor]:
        return None
    return f'floor {floor} includes "{header}", but {target} is not below it'


def public_breach(floor, header):
    name = header.removeprefix("sinew/")
    if floor in PUBLIC and name not in PUBLIC[floor]:
        return f"floor {floor} includes <{header}>, which belongs to a floor above"
    return None


def source_breach(file, system, header, root):
    floor = file.split("/")[1] if file.count("/") > 1 else "main"
    if system and header.startswith("sinew/"):
        return public_breach(floor, header)
    if system or library_breach(file, header):
        return library_breach(file, header)
    if floor == "main":
        return None if header == "cli/cli.h" else f'main includes "{header}", but it knows only the commands'
    if floor == "cli" and header.split("/")[0] in ("cli", "host", "import", "math", "model", "pose", "skin", "actor"):
        return None
    return floor_breach(file, floor, header, root)


def room_breach(room, header):
    target = header.split("/")[0]
    if room not in ROOMS or target == room or target not in ROOMS or target in ROOMS[room]:
        return None
    return f'room {room} includes "{header}", but sees {", ".join(ROOMS[room]) or "no other room"}'


def binding_breach(file, system, header, root):
    if system:
        return None if header.startswith("sinew/") else library_breach(file, header)
    if (root / "bindings" / header).exists():
        return room_breach(file.split("/")[1], header)
    return library_breach(file, header) or f'includes "{header}": bindings see <sinew/…> and their own headers only'


def api_breach(file, system, header, root):
    standard = system and re.fullmatch(r"std(bool|def|int)\.h", header)
    own = header.startswith("sinew/") and (root / "include" / header).exists()
    return None if standard or own else f"includes <{header}>: a public header sees <sinew/…> and <std….h> only"


def tool_breach(file, system, header, root):
    if not system and any((root / folder / header).exists() for folder in ("tools", "src")):
        return None
    return library_breach(file, header)


CHECKS = {"src": source_breach, "tools": tool_breach, "bindings": binding_breach, "include": api_breach}


def breaches(root):
    for folder, check in CHECKS.items():
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".c", ".h", ".cpp", ".hpp"):
                continue
            file = path.relative_to(root).as_posix()
            for number, system, header in includes_of(path):
                sentence = check(file, system, header, root)
                if sentence:
                    yield f"{file}:{number}: {sentence}"


def main():
    found = list(breaches(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "every include keeps to its floor")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
