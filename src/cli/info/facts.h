/* facts – the counts and measurements that both ways to print a model share. */
#ifndef SINEW_CLI_FACTS_H
#define SINEW_CLI_FACTS_H

#include <sinew/motion.h>
#include <sinew/sinew.h>

typedef struct model_totals {
  int vertices, triangles, nodes, bound_joints;
} model_totals;

model_totals facts_count(const sinew_model *model);
/* Does a skin of several joints use this one? */
bool facts_is_bound(const sinew_model *model, int joint);
/* The most influences that a vertex of the mesh really has. */
int facts_influences(const sinew_mesh_view *mesh);
/* The joints in the file's order, for free(). NULL when memory runs out. */
int *facts_nodes(const sinew_model *model, int count);
/* Frames a second. */
double facts_rate(const sinew_clip *clip);
/* As sinew_survey measures a clip; one that does not turn travels as blend spaces have it (sinew_clip_velocity). False
 * when memory runs out. */
bool facts_survey(const sinew_model *model, int clip, sinew_clip_survey *survey);
/* Metres per second over the ground. */
double facts_speed(const sinew_clip_survey *survey);

#endif
