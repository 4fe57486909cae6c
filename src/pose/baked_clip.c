#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "base/text.h"
#include "model/clip/clip.h"
#include "model/model.h"

#include <math.h>
#include <sinew/baked_clip.h>
#include <sinew/model.h>
#include <stdarg.h>
#include <string.h>

typedef struct baked_curve {
  char *name;
  sinew_curve_key *keys;
  int count, capacity;
} baked_curve;

typedef struct baked_curves {
  baked_curve *items;
  int count, capacity;
} baked_curves;

/* ---- collects the named numbers of a baked clip ---- */

static const baked_curve *baked_curves_find(const baked_curves *curves, const char *name) {
  for (int i = 0; i < curves->count; i++)
    if (strcmp(curves->items[i].name, name) == 0) return curves->items + i;
  return NULL;
}

static baked_curve *need(baked_curves *curves, const char *name) {
  baked_curve *found = (baked_curve *)(uintptr_t)baked_curves_find(curves, name);
  if (found) return found;
  if (!array_reserve((void **)&curves->items, &curves->capacity, curves->count + 1, sizeof *curves->items)) return NULL;
  baked_curve fresh = {.name = mem_copy_string(name)};
  if (!fresh.name) return NULL;
  curves->items[curves->count] = fresh;
  return curves->items + curves->count++;
}

/* Whether the last key lies on the line from the one before it to the next. Allows only rounding errors: a larger slack
 * would straighten a slow bend key by key. */
static bool is_last_free(const baked_curve *curve, sinew_curve_key next) {
  if (curve->count < 2) return false;
  const sinew_curve_key *last = curve->keys + curve->count - 1, *before = last - 1;
  double span = next.time - before->time, slack = 1e-12 * fmax(1, fabs(last->value));
  if (!(last->time > before->time) || !(next.time > last->time)) return false;
  double line = before->value + (last->time - before->time) / span * (next.value - before->value);
  return fabs(last->value - line) <= slack;
}

/* Appends a key. NULL, or the reason why it was not added. */
static const char *baked_curves_add(baked_curves *curves, const char *name, sinew_curve_key key) {
  const char *fault = clip_curve_fault(&(sinew_curve_view){name, &key, 1}, 0, HUGE_VAL);
  const baked_curve *old = fault ? NULL : baked_curves_find(curves, name);
  if (fault) return fault;
  if (!old && curves->count == CLIP_CURVES) return "the clip has 64 curves already";
  if (old && key.time < old->keys[old->count - 1].time) return "it is earlier than the one before";
  if (old && old->count == CLIP_CURVE_KEYS) return "the curve has 65536 keys already";
  baked_curve *curve = need(curves, name);
  if (!curve || !array_reserve((void **)&curve->keys, &curve->capacity, curve->count + 1, sizeof *curve->keys)) {
    if (curve && curve->count == 0) mem_free(curve->name), curves->count--;
    return "out of memory";
  }
  if (is_last_free(curve, key)) curve->count--;
  curve->keys[curve->count++] = key;
  return NULL;
}

static void baked_curves_reset(baked_curves *curves) {
  for (int i = 0; i < curves->count; i++) {
    mem_free(curves->items[i].name);
    mem_free(curves->items[i].keys);
  }
  mem_free(curves->items);
  *curves = (baked_curves){0};
}

/* ---- baked clip ---- */

/* A key of a joint as glTF has it: translation, rotation, scale. */
enum { KEY_FLOATS = 10, CHANNELS = 3 };

static const struct {
  const char *path, *type;
  int offset, size;
} channels[CHANNELS] = {{"translation", "VEC3", 0, 3}, {"rotation", "VEC4", 3, 4}, {"scale", "VEC3", 7, 3}};

struct sinew_baked_clip {
  sinew_model *model;
  float *times;
  float *keys; /* KEY_FLOATS for each joint, key by key */
  int count, time_capacity, key_capacity;
  baked_curves curves;
};

sinew_baked_clip *sinew_baked_clip_create(sinew_model *model, sinew_error *error) {
  sinew_baked_clip *clip = mem_alloc_zeroed(sizeof *clip);
  if (!clip) {
    error_memory(error, "a baked clip", sizeof *clip);
    return NULL;
  }
  sinew_model_retain(model);
  clip->model = model;
  return clip;
}

void sinew_baked_clip_destroy(sinew_baked_clip *clip) {
  if (!clip) return;
  sinew_model_release(clip->model);
  mem_free(clip->times);
  mem_free(clip->keys);
  baked_curves_reset(&clip->curves);
  mem_free(clip);
}

int sinew_baked_clip_key_count(const sinew_baked_clip *clip) { return clip->count; }

const sinew_model *sinew_baked_clip_model(const sinew_baked_clip *clip) { return clip->model; }

/* ---- recording ---- */

static float *key_of(const sinew_baked_clip *clip, int key, int joint) {
  return clip->keys + ((size_t)key * (size_t)clip->model->joint_count + (size_t)joint) * KEY_FLOATS;
}

/* A unit rotation, in the hemisphere of the previous key. */
static void set_key(const sinew_baked_clip *clip, int key, int joint, sinew_transform t) {
  float *out = key_of(clip, key, joint), dot = 0;
  t.rotation = sinew_quat_normalize(t.rotation);
  memcpy(out, &t.translation, sizeof t.translation);
  memcpy(out + 3, &t.rotation, sizeof t.rotation);
  memcpy(out + 7, &t.scale, sizeof t.scale);
  if (key == 0) return;
  const float *before = key_of(clip, key - 1, joint);
  for (int i = 3; i < 7; i++) dot += out[i] * before[i];
  for (int i = 3; i < 7 && dot < 0; i++) out[i] = -out[i];
}

static bool is_finite(const sinew_baked_clip *clip, int key) {
  const float *values = key_of(clip, key, 0);
  for (int i = 0; i < clip->model->joint_count * KEY_FLOATS; i++)
    if (!isfinite(values[i])) return false;
  return true;
}

static sinew_transform moved(sinew_transform root, const sinew_transform *position) {
  sinew_mat3x4 outer = sinew_mat3x4_from_transform(position), inner = sinew_mat3x4_from_transform(&root);
  sinew_mat3x4 both = sinew_mat3x4_multiply(&outer, &inner);
  return sinew_transform_from_mat3x4(&both);
}

static bool reserve(sinew_baked_clip *clip) {
  int count = clip->count + 1, joints = clip->model->joint_count;
  return array_reserve((void **)&clip->times, &clip->time_capacity, count, sizeof *clip->times) &&
         array_reserve((void **)&clip->keys, &clip->key_capacity, count,
                       (size_t)joints * KEY_FLOATS * sizeof *clip->keys);
}

bool sinew_baked_clip_add_key(sinew_baked_clip *clip, double time, sinew_pose pose, const sinew_transform *position,
                              sinew_error *error) {
  const char *reason = NULL;
  if (pose.joint_count != clip->model->joint_count) reason = "the pose has another number of joints";
  else if (!(time >= 0) || !isfinite((float)time)) reason = "its time is negative or not finite";
  else if (clip->count && !((float)time > clip->times[clip->count - 1])) reason = "it is not later than the one before";
  else if (!reserve(clip)) reason = "out of memory";
  for (int j = 0; !reason && j < pose.joint_count; j++) {
    sinew_transform t = sinew_pose_joint(&pose, j);
    set_key(clip, clip->count, j, j == 0 && position ? moved(t, position) : t);
  }
  if (!reason && !is_finite(clip, clip->count)) reason = "the pose is not finite";
  if (reason) {
    error_set(error, "the baked clip gets no key at %g s: %s", time, reason);
    return false;
  }
  clip->times[clip->count++] = (float)time;
  return true;
}

bool sinew_baked_clip_add_curve_key(sinew_baked_clip *clip, const char *name, double time, double value,
                                    sinew_error *error) {
  const char *reason = baked_curves_add(&clip->curves, name, (sinew_curve_key){time, value});
  if (reason) error_set(error, "the curve '%s' gets no key at %g s: %s", name ? name : "", time, reason);
  return !reason;
}

bool sinew_baked_clip_has_curve(const sinew_baked_clip *clip, const char *name) {
  return baked_curves_find(&clip->curves, name) != NULL;
}

/* ---- writing ---- */

/* A file in the making. */
typedef struct writer {
  const sinew_baked_clip *clip;
  char *json;
  float *data;
  int json_size, json_capacity, data_count, data_capacity;
  bool failed;
} writer;

static void put(writer *w, const char *bytes, int size) {
  w->failed |= !array_reserve((void **)&w->json, &w->json_capacity, w->json_size + size, 1);
  if (w->failed) return;
  memcpy(w->json + w->json_size, bytes, (size_t)size);
  w->json_size += size;
}

SINEW_PRINTF(2, 3) static void say(writer *w, const char *format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  put(w, line, text_format_list(line, sizeof line, format, arguments));
  va_end(arguments);
}

static void say_text(writer *w, const char *text) {
  put(w, "\"", 1);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') say(w, "\\%c", *text);
    else if ((unsigned char)*text < 0x20) say(w, "\\u%04x", (unsigned)*text);
    else put(w, text, 1);
  }
  put(w, "\"", 1);
}

static void add_floats(writer *w, const float *values, int count) {
  w->failed |= w->data_count > INT32_MAX / 4 - count ||
               !array_reserve((void **)&w->data, &w->data_capacity, w->data_count + count, sizeof *w->data);
  if (w->failed) return;
  memcpy(w->data + w->data_count, values, (size_t)count * sizeof *values);
  w->data_count += count;
}

static void say_accessor(writer *w, int first, int count, const char *type) {
  say(w, ",\n{\"bufferView\":0,\"byteOffset\":%lld,\"componentType\":5126,\"count\":%d,\"type\":\"%s\"}",
      4 * (long long)first, count, type);
}

static bool is_constant(const sinew_baked_clip *clip, int joint, int channel) {
  size_t size = (size_t)channels[channel].size * sizeof(float);
  for (int k = 1; k < clip->count; k++)
    if (memcmp(key_of(clip, k, joint) + channels[channel].offset, key_of(clip, 0, joint) + channels[channel].offset,
               size) != 0)
      return false;
  return true;
}

static int key_count(const sinew_baked_clip *clip, int joint, int channel) {
  return is_constant(clip, joint, channel) ? 1 : clip->count;
}

/* Accessor 0 is all times, 1 only the first; then three for each joint. */
static void say_accessors(writer *w) {
  const sinew_baked_clip *clip = w->clip;
  add_floats(w, clip->times, clip->count);
  for (int one = 0; one < 2; one++)
    say(w, "%s{\"bufferView\":0,\"componentType\":5126,\"count\":%d,\"type\":\"SCALAR\",\"min\":[%.9g],\"max\":[%.9g]}",
        one ? ",\n" : "\"accessors\":[\n", one ? 1 : clip->count, (double)clip->times[0],
        (double)clip->times[one ? 0 : clip->count - 1]);
  for (int i = 0; i < clip->model->joint_count * CHANNELS; i++) {
    int joint = i / CHANNELS, channel = i % CHANNELS, count = key_count(clip, joint, channel);
    say_accessor(w, w->data_count, count, channels[channel].type);
    for (int k = 0; k < count; k++)
      add_floats(w, key_of(clip, k, joint) + channels[channel].offset, channels[channel].size);
  }
  say(w, "],\n");
}

static void say_curves(writer *w) {
  const baked_curves *curves = &w->clip->curves;
  say(w, ",\n\"extras\":{\"curves\":{");
  for (int i = 0; i < curves->count; i++) {
    const baked_curve *curve = curves->items + i;
    say(w, "%s", i ? ",\n" : "");
    say_text(w, curve->name);
    say(w, ":[");
    for (int k = 0; k < curve->count; k++)
      say(w, "%s[%.17g,%.17g]", k ? "," : "", curve->keys[k].time, curve->keys[k].value);
    put(w, "]", 1);
  }
  put(w, "}}", 2);
}

static void say_animation(writer *w, const char *name) {
  int count = w->clip->model->joint_count * CHANNELS;
  say(w, "\"animations\":[{\"name\":");
  say_text(w, name);
  say(w, ",\"samplers\":[");
  for (int i = 0; i < count; i++)
    say(w, "%s{\"input\":%d,\"output\":%d,\"interpolation\":\"LINEAR\"}", i ? ",\n" : "",
        key_count(w->clip, i / CHANNELS, i % CHANNELS) == 1, 2 + i);
  say(w, "],\n\"channels\":[");
  for (int i = 0; i < count; i++)
    say(w, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", i ? ",\n" : "", i, i / CHANNELS,
        channels[i % CHANNELS].path);
  put(w, "]", 1);
  if (w->clip->curves.count) say_curves(w);
  say(w, "}],\n");
}

static void say_node(writer *w, int joint) {
  const sinew_model *model = w->clip->model;
  sinew_transform t = sinew_model_joint_rest(model, joint);
  int children = 0;
  say(w, "%s{", joint ? ",\n" : "");
  if (model->joint_names[joint][0]) {
    say(w, "\"name\":");
    say_text(w, model->joint_names[joint]);
    put(w, ",", 1);
  }
  for (int i = joint + 1; i < model->joint_count; i++)
    if (model->parents[i] == joint) say(w, "%s%d", children++ ? "," : "\"children\":[", i);
  if (children) put(w, "],", 2);
  say(w, "\"translation\":[%.9g,%.9g,%.9g],", (double)t.translation.x, (double)t.translation.y,
      (double)t.translation.z);
  say(w, "\"rotation\":[%.9g,%.9g,%.9g,%.9g],", (double)t.rotation.x, (double)t.rotation.y, (double)t.rotation.z,
      (double)t.rotation.w);
  say(w, "\"scale\":[%.9g,%.9g,%.9g]}", (double)t.scale.x, (double)t.scale.y, (double)t.scale.z);
}

static void say_all(writer *w, const char *name) {
  say(w, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Sinew\"},\n\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\n");
  say(w, "\"nodes\":[");
  for (int i = 0; i < w->clip->model->joint_count; i++) say_node(w, i);
  say(w, "],\n");
  say_accessors(w);
  say_animation(w, name);
  say(w, "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%lld}],\n", 4 * (long long)w->data_count);
  say(w, "\"buffers\":[{\"byteLength\":%lld}]}", 4 * (long long)w->data_count);
  while (w->json_size % 4 && !w->failed) put(w, " ", 1);
}

/* Numbers in the file are little-endian, as on all supported machines. */
static bool write_glb(const writer *w, const char *path, sinew_error *error) {
  size_t json = (size_t)w->json_size, data = (size_t)w->data_count * sizeof *w->data, size = 28 + json + data;
  unsigned char *file = size <= UINT32_MAX ? mem_alloc(size) : NULL;
  if (!file) return error_memory(error, path, size);
  memcpy(file, (uint32_t[]){0x46546C67, 2, (uint32_t)size, (uint32_t)json, 0x4E4F534A}, 20);
  memcpy(file + 20, w->json, json);
  memcpy(file + 20 + json, (uint32_t[]){(uint32_t)data, 0x004E4942}, 8);
  memcpy(file + 28 + json, w->data, data);
  bool written = file_write(path, file, size, error);
  mem_free(file);
  return written;
}

bool sinew_baked_clip_write(const sinew_baked_clip *clip, const char *path, const char *name, sinew_error *error) {
  if (clip->count == 0) {
    error_set(error, "'%s' is not written: the clip has no key", path);
    return false;
  }
  writer w = {.clip = clip};
  say_all(&w, name);
  bool written =
      w.failed ? error_memory(error, path, (size_t)w.data_count * sizeof *w.data) : write_glb(&w, path, error);
  mem_free(w.json);
  mem_free(w.data);
  return written;
}
