#include "import/clip/clip_forms.h"

#include "base/error.h"
#include "base/memory/memory.h"

#include <math.h>

/* From so many frames on, narrow rotations save more room than the instructions to read them are worth. */
enum { LONG_CLIP = 200, NEARLY_FULL = 6, FEWEST = 3 };
/* What full rotations round a component by. */
static const double full_rounding = 0.5 / CLIP_ONE;

/* What is known of a group's narrow rotations. */
typedef struct group_facts {
  int tracks, free;   /* lanes without a joint, which a full pack has room for */
  bool bends, rounds; /* needs arcs; is finer than 16 bits of the whole */
} group_facts;

static double longest_step(const track_group_desc *desc, const clip_track *track) {
  double longest = 0;
  for (int r = 0; r + 1 < desc->frame_count; r++) {
    const float *a = desc->frames + (size_t)r * (size_t)desc->frame_size + track->offset, *b = a + desc->frame_size;
    double square = 0;
    for (int k = 0; k < 4; k++) square += ((double)b[k] - (double)a[k]) * ((double)b[k] - (double)a[k]);
    longest = fmax(longest, square);
  }
  return sqrt(longest);
}

/* Normalised lerp runs ahead of and behind slerp by at most 0.0160 φ³ for quaternions φ apart (clip_arc_bend at its
 * largest); rotations turn by twice the quaternion's angle. */
static bool bends(const clip_parts *parts, const clip_rules *rules, const track_group_desc *desc,
                  const clip_track *track) {
  return 2 * 0.0161 * pow(longest_step(desc, track), 3) * parts->reach->node[track->joint] >
         rules->bending * rules->tolerance;
}

static bool is_narrow_rotation(const clip_track *track) {
  return track->kind == TRACK_ROTATION && clip_track_form(track) == CLIP_NARROW;
}

static bool may_be_full(const group_facts *group, int least) {
  return group->tracks >= FEWEST && group->tracks + group->free >= least && !group->rounds;
}

static clip_form form_of(const group_facts *group, int least) {
  if (may_be_full(group, least)) return group->bends ? CLIP_FULL_ARC : CLIP_FULL;
  return group->bends ? CLIP_ARC : CLIP_NARROW;
}

/* How many lanes make a group full. Fewer than eight take the room of eight: only where most joints turn. */
static int least_tracks(const group_facts *groups, int count, int frame_count) {
  if (frame_count >= LONG_CLIP) return SINEW_LANES + 1;
  for (int i = 0; i < count; i++)
    if (may_be_full(groups + i, SINEW_LANES)) return NEARLY_FULL;
  return SINEW_LANES;
}

bool clip_forms_choose(const clip_parts *parts, const clip_rules *rules, int frame_count, const track_group_desc *desc,
                       clip_track *tracks) {
  int count = sinew_pose_group_count(parts->model->joint_count + 1);
  group_facts *groups = mem_alloc_zeroed((size_t)count * sizeof *groups);
  if (!groups) return error_memory(parts->raw->error, parts->raw->path, (size_t)count * sizeof *groups);
  groups[0].free = 1; /* the virtual root */
  groups[count - 1].free += count * SINEW_LANES - (parts->model->joint_count + 1);
  for (int i = 0; i < desc->track_count; i++) {
    if (!is_narrow_rotation(tracks + i)) continue;
    group_facts *group = groups + parts->stored[tracks[i].joint] / SINEW_LANES;
    group->tracks++;
    group->bends = group->bends || bends(parts, rules, desc, tracks + i);
    group->rounds = group->rounds || (double)tracks[i].slack < full_rounding;
  }
  int least = least_tracks(groups, count, frame_count);
  for (int i = 0; i < desc->track_count; i++)
    if (is_narrow_rotation(tracks + i))
      tracks[i].form = form_of(groups + parts->stored[tracks[i].joint] / SINEW_LANES, least);
  mem_free(groups);
  return true;
}
