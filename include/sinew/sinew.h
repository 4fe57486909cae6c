/* sinew/sinew.h – includes all of libsinew: model, build ▸ pose ▸ actor, graph, event, crowd. Pictures and windows
 * (render.h, host.h) are part of the program, and not of the library. */
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
