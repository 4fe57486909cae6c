"""Makes the hero and writes hero.glb, hero.fbx and hero_extra.glb beside this folder.

    blender -b --python assets/source/make_hero.py

Nothing is read: shapes, weights, colours and motion all come from these scripts, so
the same Blender writes the same character each time.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

import hero_blender                     # noqa: E402
import hero_character                   # noqa: E402
import hero_clips                       # noqa: E402
import hero_moves                       # noqa: E402
import hero_tidy                        # noqa: E402


def main():
    target = os.path.dirname(HERE)
    extra = os.path.join(target, "hero_extra.glb")
    hero_blender.build({**hero_clips.extra_clips(), **hero_moves.all_moves()}, [])
    hero_blender.export_glb(extra)
    hero_tidy.tidy(extra)
    whole = os.path.join(target, "hero.glb")
    clips, pieces = hero_clips.main_clips(), hero_character.pieces()
    hero_blender.build(clips, pieces)
    hero_blender.export_glb(whole)
    hero_tidy.tidy(whole)
    hero_blender.build(clips, pieces, every_joint=True)
    hero_blender.export_fbx(os.path.join(target, "hero.fbx"))


if __name__ == "__main__":
    main()
