/* sinew/sinew.h – includes all of libsinew: model, build ▸ pose ▸ actor, graph, event, crowd. Pictures and windows
 * (render.h, host.h) are part of the program, and not of the library. A character that walks:
 *
 *     sinew_error error; // the reason, if a function below returns NULL or an id of 0
 *     sinew_model *hero = sinew_model_load("hero.glb", NULL, &error);
 *     sinew_stage *stage = sinew_stage_create(&error);
 *     sinew_actor actor = sinew_actor_create(stage, "hero", hero, &error);
 *     sinew_play_def walk = sinew_play_def_default();
 *     walk.clip = sinew_model_find_clip(hero, "Walk");
 *     sinew_actor_play(stage, actor, &walk, &error);
 *     sinew_stage_update(stage, 1.0 / 60); // once a frame, with its seconds
 *     int count;
 *     const sinew_mat3x4 *palettes = sinew_stage_palettes(stage, &count); // what a vertex shader skins with
 *
 * docs/embedding.md shows whole programs. */
#ifndef SINEW_SINEW_H
#define SINEW_SINEW_H

#include <sinew/actor.h>
#include <sinew/actor_modifiers.h>
#include <sinew/baked_clip.h>
#include <sinew/base.h>
#include <sinew/build.h>
#include <sinew/crowd.h>
#include <sinew/curve.h>
#include <sinew/event.h>
#include <sinew/explain.h>
#include <sinew/graph.h>
#include <sinew/level.h>
#include <sinew/marks.h>
#include <sinew/math.h>
#include <sinew/metrics.h>
#include <sinew/model.h>
#include <sinew/modifier_jobs.h>
#include <sinew/motion.h>
#include <sinew/motor.h>
#include <sinew/playing.h>
#include <sinew/pose.h>
#include <sinew/pose_file.h>

#endif
