/* If an edit turns an actor into a member of a crowd, or a member into an actor, it continues at the same phase. The
 * nearest pair is taken. */
#include "declare/kinds/declared_crowd.h"

#include <math.h>

#include <sinew/playing.h>

/* Limits: for more actors, or more members per actor, no pair is searched. */
enum { ACTORS = 256, MEMBERS = 4096 };

/* Finds the heaviest clip of the base layer that the graph also has. */
static bool find_playing(const declarations *all, sinew_actor actor, const graph_copy *graph, sinew_playing *out) {
  int nodes = sinew_actor_node_count(all->stage, actor, 0);
  int count = nodes + sinew_actor_action_count(all->stage, actor, 0);
  *out = (sinew_playing){0};
  for (int i = 0; i < count; i++) {
    sinew_playing p;
    bool plays = i < nodes ? sinew_actor_node_playing(all->stage, actor, 0, i, &p)
                           : sinew_action_playing(all->stage, sinew_actor_action(all->stage, actor, 0, i - nodes), &p);
    if (plays && p.normalized_weight > out->normalized_weight && declarations_graph_plays(graph, p.clip)) *out = p;
  }
  return out->normalized_weight > 0;
}

static float distance(const crowd_record *record, int member, sinew_vec3 to) {
  const float *values = record->body.values + member;
  size_t stride = (size_t)record->body.count;
  float x = values[CROWD_X * stride] - to.x, y = values[CROWD_Y * stride] - to.y, z = values[CROWD_Z * stride] - to.z;
  return x * x + y * y + z * z;
}

static bool is_in(const int *items, int count, int item) {
  bool found = false;
  for (int i = 0; i < count && !found; i++) found = items[i] == item;
  return found;
}

/* The nearest member from `first` on that is not taken yet; or -1. */
static int find_nearest(const crowd_record *record, int first, int end, sinew_vec3 to, const int *taken, int count) {
  float least = INFINITY;
  int found = -1;
  for (int i = first; i < end; i++) {
    float here = distance(record, i, to);
    if (here < least && !is_in(taken, count, i)) least = here, found = i;
  }
  return found;
}

void declarations_join_crowd(declarations *all, crowd_record *record, int first) {
  const graph_copy graph = crowd_values_graph(&record->last);
  const float *declared = record->last_arrays[CROWD_PHASE];
  int taken[ACTORS], count = 0;
  for (int i = 0; i < all->actors.count && count < ACTORS && record->body.crowd.id; i++) {
    const actor_record *actor = actor_at(all, i);
    sinew_playing p;
    bool goes = actor->head.fate == FATE_GOES && actor->model == record->last.model;
    if (!goes || !find_playing(all, actor->actor, &graph, &p)) continue;
    sinew_vec3 at = sinew_actor_transform(all->stage, actor->actor).translation;
    int member = find_nearest(record, first, record->body.count, at, taken, count);
    if (member < 0) return;
    taken[count++] = member;
    if (!declared || isnan(declared[member])) sinew_crowd_seek(all->stage, record->body.crowd, member, p.phase);
  }
}

/* The heaviest slot of a member with a clip of the graph; or NULL. */
static const sinew_crowd_slot *find_slot(const crowd_body *body, int member, const graph_copy *graph, int clip) {
  const sinew_crowd_slot *found = NULL;
  for (int s = 0; s < body->members.slot_count; s++) {
    const sinew_crowd_slot *slot = body->members.slots + s;
    bool plays = graph ? declarations_graph_plays(graph, slot->clip[member]) : slot->clip[member] == clip;
    if (plays && slot->weight[member] > (found ? found->weight[member] : 0)) found = slot;
  }
  return found;
}

bool declarations_left_crowd(const declarations *all, const actor_record *record, const graph_copy *graph, int *clip,
                             double *time) {
  float least = INFINITY;
  bool found = false;
  for (int i = 0; record->head.fate == FATE_COMES && i < all->crowds.count; i++) {
    const crowd_record *crowd = crowd_at(all, i);
    int first = crowd->head.next_set ? crowd->next.count : 0, count = crowd->body.count;
    bool goes = crowd->head.declared && crowd->body.crowd.id && first < count && crowd->last.model == record->model;
    if (!goes) continue;
    sinew_vec3 at = sinew_actor_transform(all->stage, record->actor).translation;
    int member = find_nearest(crowd, first, count < first + MEMBERS ? count : first + MEMBERS, at, NULL, 0);
    const sinew_crowd_slot *slot = member < 0 ? NULL : find_slot(&crowd->body, member, graph, *clip);
    if (!slot || distance(crowd, member, at) >= least) continue;
    least = distance(crowd, member, at);
    *clip = slot->clip[member];
    *time = slot->time[member];
    found = true;
  }
  return found;
}
