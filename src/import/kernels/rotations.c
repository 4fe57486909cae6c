#include "import/kernels.h"

#include "math/lanes.h"
#include "model/clip/clip_fit.h"

typedef struct rotations {
  lanes c[4];
} rotations;

/* By track, for floats: lanes past the last one read whatever follows the pack, which is ignored. */
static inline rotations load_wide(const clip_pack *pack, const unsigned char *frame) {
  rotations q;
  for (int c = 0; c < 4; c++)
    q.c[c] = lanes_load((const void *)(frame + pack->at + c * pack->track_count * (int)sizeof(float)));
  return q;
}

/* By lane, for integers: absolute, or relative to the middle. */
static inline rotations load_integers(const clip_pack *pack, const clip_block *block, const unsigned char *frame) {
  const int32_t frame_itself = lanes_weights(0);
  rotations q;
  for (int i = 0; i < 2; i++) {
    lanes_shorts pair =
        block ? lanes_spread_shorts(frame + block->offset[2 * i], frame + block->offset[2 * i + 1], block->spread[i])
              : lanes_load_shorts(frame + pack->at + 4 * i * SINEW_LANES);
    lanes_lerp_shorts(pair, pair, frame_itself, q.c + 2 * i);
  }
  for (int c = 0; c < 4; c++) {
    lanes scale = block ? lanes_load_upper(block->scale[c]) : lanes_set(-1.0f / CLIP_WEIGHT_ONE / CLIP_ONE);
    q.c[c] = lanes_fma(q.c[c], scale, lanes_set(block && c == 3));
  }
  return q;
}

static inline rotations load(const clip_pack *pack, const clip_block *block, const unsigned char *frame) {
  return pack->form == CLIP_WIDE ? load_wide(pack, frame) : load_integers(pack, block, frame);
}

static inline lanes dot(const rotations *a, const rotations *b) {
  lanes sum = lanes_mul(a->c[0], b->c[0]);
  for (int c = 1; c < 4; c++) sum = lanes_fma(a->c[c], b->c[c], sum);
  return sum;
}

/* Written so that NaN counts as bad. */
static inline lanes find_bad(lanes bad, lanes length, lanes cosine) {
  lanes low = lanes_greater(length, lanes_set(0.996f)), high = lanes_greater(lanes_set(1.0045f), length);
  lanes near = lanes_greater(cosine, lanes_set(0.89f)), is_bad = lanes_set(1);
  return lanes_select(low, lanes_select(high, lanes_select(near, bad, is_bad), is_bad), is_bad);
}

static lanes check_segment(const track_group *tracks, const clip_pack *pack, const clip_block *block, int segment,
                           lanes bad) {
  int first = clip_segment_first(tracks->shift, segment),
      last = clip_segment_last(tracks->frame_count, tracks->shift, segment);
  const clip_segment *in = tracks->segments + segment;
  const unsigned char *frame = tracks->frames + in->at;
  rotations before = load(pack, block, frame);
  for (int r = first; r <= last; r++, frame += in->stride) {
    rotations now = load(pack, block, frame);
    lanes length = dot(&now, &now);
    bad = find_bad(bad, length, pack->step ? length : dot(&now, &before));
    before = now;
  }
  return bad;
}

rotations_check LANES_NAME(rotations_check, LANES_SUFFIX);
bool LANES_NAME(rotations_check, LANES_SUFFIX)(const sinew_clip *clip, const clip_pack *pack) {
  const track_group *tracks = clip->track_groups + pack->track_group;
  float bad_lanes[SINEW_LANES];
  lanes bad = lanes_set(0);
  for (int s = 0; s < tracks->segment_count; s++)
    bad = check_segment(tracks, pack, clip_form_is_narrow(pack->form) ? clip_pack_block(clip, pack, s) : NULL, s, bad);
  lanes_store(bad_lanes, bad);
  int asked = pack->form == CLIP_WIDE         ? (1 << pack->track_count) - 1
              : clip_form_is_full(pack->form) ? (1 << SINEW_LANES) - 1
                                              : pack->lanes;
  for (int i = 0; i < SINEW_LANES; i++)
    if (asked >> i & 1 && bad_lanes[i] > 0) return false;
  return true;
}
