/* facts – the counts and measurements that both printers of a model share. */
#ifndef SINEW_CLI_FACTS_H
#define SINEW_CLI_FACTS_H

#include <sinew/motion.h>
#include <sinew/sinew.h>

typedef struct model_totals {
  int vertices, triangles, nodes;
} model_totals;

model_totals facts_count(const sinew_model *model);

/* What belongs to each joint, found in one pass: a large model has thousands of joints and meshes. */
typedef struct joint_facts {
  int first_child, next_child; /* −1: none */
  int first_mesh;              /* that hangs from it */
  int depth;                   /* nodes of the file above it */
  bool is_bound;               /* a skin of several joints uses it */
} joint_facts;
typedef struct model_facts {
  joint_facts *joints;
  int *next_mesh; /* for each mesh, the next one of its joint; −1: none */
} model_facts;
/* False when memory runs out. Free it in any case. */
bool facts_find(const sinew_model *model, model_facts *facts);
void facts_free(model_facts *facts);

/* The largest number of influences that a vertex of the mesh has. */
int facts_influences(const sinew_mesh_view *mesh);
/* The joints in the file's order, for free(). NULL when memory runs out. */
int *facts_nodes(const sinew_model *model, int count);
/* Frames a second. */
double facts_rate(const sinew_clip *clip);
/* Measures a clip with sinew_survey; for a clip that does not turn, the velocity is that of blend spaces
 * (sinew_clip_velocity). False when memory runs out. */
bool facts_survey(const sinew_model *model, int clip, sinew_clip_survey *survey);
/* Metres per second over the ground; NAN if it is unknown. */
double facts_speed(const sinew_clip_survey *survey);
enum { FACTS_SPEED = 24 };
enum { FACTS_FINDING = 96 };
/* "feet by its mesh, 60 % sure" */
void facts_finding_text(const sinew_model *model, sinew_finding_kind kind, char text[FACTS_FINDING]);
void facts_speed_text(double speed, char text[FACTS_SPEED]); /* "1.40 m/s", or "unknown" */

#endif
