#include "host/graph/space_slide.h"

#include "base/clock.h"
#include "base/memory/hash_index.h"
#include "base/memory/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 64, NODES = 128, PARAMS = 64, RATE = 60, WARM_UP = 40, MEASURED = 150, TRIM = 2 };
/* The largest distance of a sample from its clip's velocity, as a fraction of the fastest clip's. */
static const double misplaced = 0.3;
/* m/s; for slower characters, the slide is relative to this speed. */
static const double slowest = 0.2;
/* A ball stands while it is at most this high above its lowest position, metres; lower in strides slower than a walk.
 */
static const double lift = 0.01, walking = 1.4;

struct space_slide {
  uint64_t made_of; /* a hash of everything it depends on */
  sinew_stage *stage;
  sinew_actor actor;
  bool plane;
  int sample_count, param[2], balls[2], next;
  double low[2], high[2]; /* of the samples */
  float positions[SAMPLES][2];
  sinew_vec3 velocities[SAMPLES]; /* of the samples' clips */
  const char *problem;
  double fractions[SLIDE_COLUMNS * SLIDE_COLUMNS];
};

void space_slide_release(space_slide *s) {
  if (!s) return;
  if (s->stage) sinew_stage_destroy(s->stage);
  mem_free(s);
}

/* ---- the space on its own ---- */

typedef struct branch {
  sinew_node_def nodes[NODES];
  int from[NODES]; /* in the actor's graph */
  int count;
} branch;

/* Copies the node and everything below it, parents first. False if a node does more than blend, or there are too many.
 */
static bool copy_branch(const slide_space *space, branch *b) {
  b->count = 1;
  b->from[0] = space->node;
  for (int i = 0; i < b->count; i++) {
    sinew_node_def *n = b->nodes + i;
    if (!sinew_actor_node(space->stage, space->actor, space->layer, b->from[i], n)) return false;
    if (n->kind == SINEW_NODE_SWITCH || n->kind == SINEW_NODE_MACHINE || b->count + n->child_count > NODES)
      return false;
    for (int k = 0; k < n->child_count; k++) b->from[b->count + k] = n->first_child + k;
    n->first_child = b->count;
    b->count += n->child_count;
  }
  return true;
}

static uint64_t hash_of(const slide_space *space, const branch *b) {
  const sinew_model *model = sinew_actor_model(space->stage, space->actor);
  uint64_t hash = fnv_add(FNV_BEGIN, &model, sizeof model);
  hash = fnv_add(hash, &space->actor.id, sizeof space->actor.id);
  hash = fnv_add(hash, b->from, (size_t)b->count * sizeof *b->from);
  for (int i = 0; i < b->count; i++) {
    const sinew_node_def *n = b->nodes + i;
    const double values[] = {n->kind,    n->x,       n->y,      n->clip, n->speed, n->sync,
                             n->param_x, n->param_y, n->smooth, n->from, n->to,    n->child_count};
    hash = fnv_add(hash, values, sizeof values);
  }
  return hash;
}

static const char *make_actor(space_slide *s, const slide_space *space, const branch *b) {
  const char *names[PARAMS];
  double values[PARAMS];
  sinew_error error;
  int count = sinew_actor_param_count(space->stage, space->actor);
  if (count > PARAMS) return "slide: unknown for this many parameters";
  for (int i = 0; i < count; i++) {
    names[i] = sinew_actor_param_name(space->stage, space->actor, i);
    values[i] = sinew_actor_seen_param(space->stage, space->actor, i, NULL);
  }
  s->stage = sinew_stage_create(&error);
  if (!s->stage || !sinew_stage_set_threads(s->stage, 1)) return "slide: out of memory";
  s->actor = sinew_actor_create(s->stage, "slide", sinew_actor_model(space->stage, space->actor), &error);
  const sinew_graph_def graph = {.nodes = b->nodes, .node_count = b->count};
  bool made = s->actor.id && sinew_actor_set_params(s->stage, s->actor, names, values, count, &error) &&
              sinew_actor_set_graph(s->stage, s->actor, 0, &graph, 0, &error);
  return made ? NULL : "slide: unknown, because this space cannot play alone";
}

/* ---- velocities ---- */

static double length(double x, double y) { return sqrt(x * x + y * y); }

/* True if the parameters are velocities in metres per second, to the left and ahead, or along the direction of the
 * clips. */
static bool are_velocities(const space_slide *s) {
  double fastest = 0, off = 0;
  for (int i = 0; i < s->sample_count; i++) {
    double x = (double)s->positions[i][0], y = (double)s->positions[i][1];
    double left = (double)s->velocities[i].x, ahead = (double)s->velocities[i].z, own = length(left, ahead);
    fastest = fmax(fastest, own);
    off = fmax(off, s->plane ? length(x - left, y - ahead) : fabs(fabs(x) - own));
  }
  return fastest > 0 && off <= misplaced * fastest;
}

static const char *find_velocities(space_slide *s, const slide_space *space, const branch *b) {
  const sinew_model *model = sinew_actor_model(space->stage, space->actor);
  const sinew_node_def *root = b->nodes;
  int roles[SINEW_ROLES];
  if (!sinew_model_roles(model, roles)) return "slide: out of memory";
  for (int k = 0; k < 2; k++) {
    int ball = roles[SINEW_ROLE_LEFT_BALL + k];
    s->balls[k] = ball >= 0 ? ball : roles[SINEW_ROLE_LEFT_FOOT + k];
    if (s->balls[k] < 0) return "slide: known only for models with two feet";
  }
  s->sample_count = root->child_count;
  for (int i = 0; i < s->sample_count; i++) {
    const sinew_node_def *n = b->nodes + root->first_child + i;
    if (n->kind != SINEW_NODE_CLIP) return "slide: known only if the samples are clips";
    sinew_clip_velocity(model, n->clip, s->velocities + i);
    s->velocities[i].x *= (float)n->speed, s->velocities[i].z *= (float)n->speed;
    s->positions[i][0] = (float)n->x, s->positions[i][1] = s->plane ? (float)n->y : 0;
  }
  return are_velocities(s) ? NULL : "slide: known only if samples are at their clips' velocities";
}

/* The wanted velocity at a position: the position itself in two dimensions; on a line, that speed in the direction of
 * the clips. False if no clip has it. */
static bool find_wanted(const space_slide *s, const double at[2], double out[2]) {
  float weights[SAMPLES];
  double reached[2] = {0}, sum[2] = {0};
  const float slack = 1e-3f;
  if (!sinew_space_weights(&s->positions[0][0], s->sample_count, (float)at[0], (float)at[1], weights)) return false;
  for (int i = 0; i < s->sample_count; i++) {
    for (int k = 0; k < 2; k++) reached[k] += (double)(weights[i] * s->positions[i][k]);
    sum[0] += (double)(weights[i] * s->velocities[i].x), sum[1] += (double)(weights[i] * s->velocities[i].z);
  }
  double own = length(sum[0], sum[1]);
  for (int k = 0; k < 2; k++) out[k] = s->plane ? at[k] : own > 0 ? sum[k] / own * fabs(at[0]) : 0;
  return length(reached[0] - at[0], reached[1] - at[1]) <= (double)slack * (1 + length(at[0], at[1]));
}

/* ---- measuring ---- */

/* The positions of a foot's ball in each frame. */
typedef struct ball_path {
  sinew_vec3 at[MEASURED];
} ball_path;

static sinew_vec3 ball_position(const space_slide *s, int joint) {
  sinew_transform t = sinew_actor_transform(s->stage, s->actor);
  sinew_mat3x4 world = sinew_mat3x4_from_transform(&t);
  const float *m = sinew_actor_joints(s->stage, s->actor)[joint].m;
  return sinew_mat3x4_transform_point(&world, (sinew_vec3){m[3], m[7], m[11]});
}

static void step(space_slide *s, const double velocity[2]) {
  sinew_transform t = sinew_actor_transform(s->stage, s->actor);
  t.translation.x += (float)(velocity[0] / RATE);
  t.translation.z += (float)(velocity[1] / RATE);
  sinew_actor_set_transform(s->stage, s->actor, &t);
  sinew_stage_update(s->stage, 1.0 / RATE);
}

/* Adds the speeds of a standing ball: those in the middle of the frames in which it is near its lowest height. */
static int add_speeds(const ball_path *path, double touch, double *speeds) {
  double lowest = HUGE_VAL;
  int down = 0, count = 0;
  for (int i = 0; i < MEASURED; i++) lowest = fmin(lowest, (double)path->at[i].y);
  for (int i = 1; i < MEASURED; i++) {
    down = (double)path->at[i].y <= lowest + touch ? down + 1 : 0;
    const sinew_vec3 *now = path->at + i - TRIM, *before = now - 1;
    if (down > 2 * TRIM + 1)
      speeds[count++] = RATE * length((double)(now->x - before->x), (double)(now->z - before->z));
  }
  return count;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double judge(const ball_path paths[2], double speed) {
  double speeds[2 * MEASURED], touch = lift * fmin(1, speed / walking);
  int count = add_speeds(paths, touch, speeds);
  count += add_speeds(paths + 1, touch, speeds + count);
  if (count == 0) return (double)NAN;
  qsort(speeds, (size_t)count, sizeof *speeds, compare);
  return speeds[(int)(0.95 * (count - 1))] / fmax(speed, slowest);
}

static double measure_cell(space_slide *s, const double at[2]) {
  double velocity[2];
  ball_path paths[2];
  const sinew_transform origin = sinew_transform_identity();
  if (!find_wanted(s, at, velocity)) return (double)NAN;
  for (int k = 0; k <= s->plane; k++) sinew_actor_set_param(s->stage, s->actor, s->param[k], at[k]);
  sinew_actor_set_transform(s->stage, s->actor, &origin);
  for (int i = 0; i < WARM_UP; i++) step(s, velocity);
  for (int i = 0; i < MEASURED; i++) {
    step(s, velocity);
    for (int k = 0; k < 2; k++) paths[k].at[i] = ball_position(s, s->balls[k]);
  }
  return judge(paths, length(velocity[0], velocity[1]));
}

static void measure_next(space_slide *s) {
  int column = s->next % SLIDE_COLUMNS, row = s->next / SLIDE_COLUMNS;
  const double cell[2] = {column + 0.5, row + 0.5};
  double at[2];
  for (int k = 0; k < 2; k++) at[k] = s->low[k] + cell[k] * (s->high[k] - s->low[k]) / SLIDE_COLUMNS;
  if (!s->plane) at[1] = 0;
  s->fractions[s->next++] = measure_cell(s, at);
}

/* Finds the range of the cells: the one that the samples span. */
static void find_range(space_slide *s) {
  for (int k = 0; k < 2; k++) s->low[k] = HUGE_VAL, s->high[k] = -HUGE_VAL;
  for (int i = 0; i < s->sample_count; i++)
    for (int k = 0; k < 2; k++) {
      s->low[k] = fmin(s->low[k], (double)s->positions[i][k]);
      s->high[k] = fmax(s->high[k], (double)s->positions[i][k]);
    }
}

static void begin(space_slide *s, const slide_space *space, const branch *b) {
  s->plane = b->nodes->kind == SINEW_NODE_SPACE_2D;
  s->param[0] = b->nodes->param_x, s->param[1] = b->nodes->param_y;
  for (int i = 0; i < SLIDE_COLUMNS * SLIDE_COLUMNS; i++) s->fractions[i] = (double)NAN;
  s->problem = find_velocities(s, space, b);
  if (!s->problem) s->problem = make_actor(s, space, b);
  find_range(s);
}

space_slide *space_slide_measure(space_slide *s, const slide_space *space, double seconds) {
  double end = clock_seconds() + seconds;
  branch b;
  bool alone = copy_branch(space, &b);
  uint64_t made_of = alone ? hash_of(space, &b) : 0;
  if (!s || s->made_of != made_of) {
    space_slide_release(s);
    s = mem_alloc_zeroed(sizeof *s);
    if (!s) return NULL;
    s->made_of = made_of;
    s->problem = "slide: known only for spaces without state machines and switches";
    if (alone) begin(s, space, &b);
  }
  int cells = SLIDE_COLUMNS * space_slide_rows(s);
  while (!s->problem && s->next < cells && clock_seconds() < end) measure_next(s);
  return s;
}

/* ---- reading ---- */

const char *space_slide_problem(const space_slide *s) { return s->problem; }
void space_slide_range(const space_slide *s, double low[2], double high[2]) {
  memcpy(low, s->low, sizeof s->low);
  memcpy(high, s->high, sizeof s->high);
}

int space_slide_rows(const space_slide *s) { return s->plane ? SLIDE_COLUMNS : 1; }

double space_slide_fraction(const space_slide *s, int column, int row) {
  return s->problem ? (double)NAN : s->fractions[row * SLIDE_COLUMNS + column];
}

double space_slide_at(const space_slide *s, double x, double y) {
  const double at[2] = {x, y};
  int cell[2] = {0, 0};
  for (int k = 0; k <= s->plane; k++) {
    double part = (at[k] - s->low[k]) / (s->high[k] - s->low[k]);
    if (!(part >= 0 && part < 1)) return (double)NAN;
    cell[k] = (int)(part * SLIDE_COLUMNS);
  }
  return space_slide_fraction(s, cell[0], cell[1]);
}
