"""Makes the hero and writes hero.glb, hero.fbx, hero_extra.glb and hero_locomotion.glb beside this folder.

    blender -b --python assets/source/make_hero.py

Nothing is read: shapes, weights, colours and motion all come from these scripts, so
the same Blender writes the same character each time.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "hero")]
sys.dont_write_bytecode = True

import hero_blender                     # noqa: E402
import hero_character                   # noqa: E402
import hero_clips                       # noqa: E402
import hero_locomotion                  # noqa: E402
import hero_moves                       # noqa: E402
import hero_tidy                        # noqa: E402


def main():
    target = os.path.dirname(HERE)
    others = {"hero_extra.glb": {**hero_clips.extra_clips(), **hero_moves.all_moves()},
              "hero_locomotion.glb": hero_locomotion.all_clips()}
    for name, clips in others.items():
        path = os.path.join(target, name)
        hero_blender.build(clips, [])
        hero_blender.export_glb(path)
        hero_tidy.tidy(path)
    whole = os.path.join(target, "hero.glb")
    clips, pieces = hero_clips.main_clips(), hero_character.pieces()
    hero_blender.build(clips, pieces)
    hero_blender.export_glb(whole)
    hero_tidy.tidy(whole)
    hero_blender.build(clips, pieces, every_joint=True)
    hero_blender.export_fbx(os.path.join(target, "hero.fbx"))


if __name__ == "__main__":
    main()
