#include "host/timeline/crowd_differences.h"

#include "base/memory/memory.h"
#include "math/vec3.h"

static const float apart = 0.01f; /* metres from which a difference of a joint is visible */

static const sinew_mat3x4 *palettes_of(const cast *c, const cast_crowd *is) {
  int count, offset = sinew_crowd_palette_offset(c->stage, is->shown);
  const sinew_mat3x4 *all = sinew_stage_palettes(c->stage, &count);
  return offset >= 0 ? all + offset : NULL;
}

static const cast_crowd *ghost_of(const cast *ghosts, sinew_crowd crowd) {
  for (int i = 0; i < ghosts->crowd_count; i++)
    if (ghosts->crowds[i].then.id == crowd.id) return ghosts->crowds + i;
  return NULL;
}

/* palette = joint · inverse bind, so a joint's position is its bind position times the palette. */
static sinew_vec3 *joints_of(const sinew_model *model) {
  int count = sinew_model_palette_count(model);
  sinew_vec3 *out = count > 0 ? mem_alloc_array((size_t)count, sizeof *out) : NULL;
  for (int s = 0; out && s < sinew_model_skin_count(model); s++) {
    sinew_skin_view skin = sinew_model_skin(model, s);
    for (int i = 0; i < skin.count; i++) {
      sinew_mat3x4 bind;
      bool good = sinew_mat3x4_inverse(skin.inverse_binds + i, &bind);
      out[skin.first + i] = good ? (sinew_vec3){bind.m[3], bind.m[7], bind.m[11]} : (sinew_vec3){0, 0, 0};
    }
  }
  return out;
}

crowd_differences crowd_differences_begin(const review *r, int index) {
  crowd_differences d = {0};
  const cast_crowd *now = index < r->cast.crowd_count ? r->cast.crowds + index : NULL;
  const cast_crowd *then = now ? ghost_of(&r->ghosts, now->then) : NULL;
  if (!then) return d;
  const sinew_model *model = sinew_crowd_model(r->cast.stage, now->shown);
  if (!model || model != sinew_crowd_model(r->ghosts.stage, then->shown)) return d;
  int one = sinew_crowd_view(r->cast.stage, now->shown).count,
      other = sinew_crowd_view(r->ghosts.stage, then->shown).count;
  d = (crowd_differences){palettes_of(&r->cast, now), palettes_of(&r->ghosts, then), joints_of(model),
                          sinew_model_palette_count(model), one < other ? one : other};
  if (!d.now || !d.then || !d.joints) d.count = 0;
  return d;
}

void crowd_differences_end(crowd_differences *d) {
  mem_free(d->joints);
  *d = (crowd_differences){0};
}

bool crowd_differences_has(const crowd_differences *d, int member) {
  if (member >= d->count) return false;
  size_t first = (size_t)member * (size_t)d->palette;
  for (int i = 0; i < d->palette; i++) {
    sinew_vec3 a = sinew_mat3x4_transform_point(d->now + first + i, d->joints[i]),
               b = sinew_mat3x4_transform_point(d->then + first + i, d->joints[i]);
    if (vec3_length(vec3_sub(a, b)) > apart) return true;
  }
  return false;
}
