#include "import/clip/clip_forms.h"

#include "base/error.h"
#include "base/memory/memory.h"

#include <math.h>

/* From this many frames on, the memory that narrow rotations save outweighs the extra instructions to read them. */
enum { LONG_CLIP = 200, NEARLY_FULL = 6, FEWEST = 3 };
/* The rounding error of a component in full rotations. */
static const double full_rounding = 0.5 / CLIP_ONE;
/* The rounding of the weight between two frames, and the fraction of the tolerance that it may use. */
static const double weight_rounding = 0.5 / CLIP_WEIGHT_ONE, half_of_it = 0.5;

/* Facts about a group's narrow rotations. */
typedef struct group_facts {
  int tracks, free;   /* lanes without a joint, for which a full pack also has room */
  bool bends, rounds; /* needs arcs; is finer than 16 bits of the full range */
} group_facts;

/* Normalised lerp runs ahead of and behind slerp by at most 0.0160 φ³ for quaternions φ apart (clip_arc_bend at its
 * largest); rotations turn by twice the quaternion's angle. */
static bool bends(const clip_parts *parts, const clip_rules *rules, double step, int joint) {
  return 2 * 0.0161 * step * step * step * parts->reach->node[joint] > rules->bending * rules->tolerance;
}

/* There are CLIP_WEIGHT_ONE steps between two integers: a joint that moves far between frames needs more. */
static bool goes_too_far(const clip_parts *parts, const clip_rules *rules, double step, const clip_track *track) {
  double off = step * weight_rounding;
  if (track->kind == TRACK_ROTATION || track->form != CLIP_NARROW) return false;
  return off * (track->kind == TRACK_SCALE ? parts->reach->node : parts->reach->stretch)[track->joint] >
         half_of_it * rules->tolerance;
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

/* The number of lanes from which a group is stored full. Fewer than eight take the memory of eight, which pays off only
 * if most joints turn. */
static int least_tracks(const group_facts *groups, int count, int frame_count) {
  if (frame_count >= LONG_CLIP) return SINEW_LANES + 1;
  for (int i = 0; i < count; i++)
    if (may_be_full(groups + i, SINEW_LANES)) return NEARLY_FULL;
  return SINEW_LANES;
}

bool clip_forms_choose(const track_groups *groups, const clip_frames *frames, const track_group_desc *desc,
                       int frame_count) {
  const clip_parts *parts = groups->parts;
  const double *steps = clip_frames_steps(frames, desc);
  clip_track *tracks = frames->columns;
  int count = sinew_pose_group_count(parts->model->joint_count + 1);
  group_facts *facts = mem_alloc_zeroed((size_t)count * sizeof *facts);
  if (!facts) return error_memory(parts->raw->error, parts->raw->path, (size_t)count * sizeof *facts);
  facts[0].free = 1; /* the virtual root */
  facts[count - 1].free += count * SINEW_LANES - (parts->model->joint_count + 1);
  for (int i = 0; i < desc->track_count; i++) {
    if (goes_too_far(parts, &groups->rules, steps[i], tracks + i)) tracks[i].form = CLIP_WIDE;
    if (!is_narrow_rotation(tracks + i)) continue;
    group_facts *group = facts + parts->stored[tracks[i].joint] / SINEW_LANES;
    group->tracks++;
    group->bends = group->bends || bends(parts, &groups->rules, steps[i], tracks[i].joint);
    group->rounds = group->rounds || (double)tracks[i].slack < full_rounding;
  }
  int least = least_tracks(facts, count, frame_count);
  for (int i = 0; i < desc->track_count; i++)
    if (is_narrow_rotation(tracks + i))
      tracks[i].form = form_of(facts + parts->stored[tracks[i].joint] / SINEW_LANES, least);
  mem_free(facts);
  return true;
}
