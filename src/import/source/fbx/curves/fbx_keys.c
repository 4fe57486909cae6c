/* Curves of files before 7.0: a single list of times, values and letters.
 *   L                                 linear
 *   C s | n                           constant, or the next key's value (the letter from KeyVer 4004 on)
 *   U MODE … WEIGHTS                  cubic; s, b: two slopes; a: auto; t: three, p, q: two, d: one number that nobody
 *                                     has explained: auto, too
 *   WEIGHTS: n | c | a right left | l left | r right */
#include "import/source/fbx/curves/fbx_curve.h"

#include "base/error.h"
#include "base/memory/memory.h"

#include <math.h>
#include <string.h>

typedef struct list {
  const fbx_record *record;
  uint32_t at;
  int version; /* KeyVer */
  bool broken;
} list;

static double take_number(list *l) {
  double number = fbx_number(l->record, l->at, (double)NAN);
  l->at++;
  if (isnan(number)) l->broken = true;
  return number;
}

static char take_letter(list *l) {
  char letter = fbx_letter(l->record, l->at);
  l->at++;
  if (!letter) l->broken = true;
  return letter;
}

static void take_weights(list *l, fbx_attributes *key) {
  char mode = take_letter(l);
  if (mode == 'a' || mode == 'r') key->weight_right = (float)take_number(l);
  if (mode == 'a' || mode == 'l') key->weight_next_left = (float)take_number(l);
  if (mode && !strchr("nacrl", mode)) l->broken = true;
}

static void take_cubic(list *l, fbx_attributes *key) {
  char mode = take_letter(l);
  bool slopes = mode == 's' || mode == 'b', odd = mode == 'p' || mode == 'q';
  int numbers = slopes || odd ? 2 : mode == 't' ? 3 : mode == 'd' ? 1 : 0, weights = 1;
  if (!slopes && !odd && !strchr("atd", mode)) l->broken = true;
  key->flags =
      FBX_KEY_CUBIC | (slopes ? FBX_KEY_USER : FBX_KEY_AUTO | FBX_KEY_TIME_INDEPENDENT | FBX_KEY_CLAMP_PROGRESSIVE);
  for (int i = 0; i < numbers; i++) {
    double number = take_number(l);
    if (slopes) key->data[i] = (float)number;
  }
  if (mode == 't' || (mode == 'a' && l->version <= 4004) || (slopes && l->version == 4003)) weights = 0;
  if (odd && l->version > 4004) weights = 2;
  for (int i = 0; i < weights && !l->broken; i++) take_weights(l, key);
}

static void take_key(list *l, fbx_key *key, fbx_attributes *attributes) {
  key->time = fbx_integer(l->record, l->at++, 0);
  key->value = (float)take_number(l);
  *attributes = (fbx_attributes){.flags = FBX_KEY_LINEAR, .weight_right = 1.0f / 3, .weight_next_left = 1.0f / 3};
  char mode = take_letter(l);
  if (mode == 'U') take_cubic(l, attributes);
  else if (mode == 'C') {
    char next = l->version >= 4004 ? take_letter(l) : 's';
    attributes->flags = FBX_KEY_CONSTANT | (next == 'n' ? FBX_KEY_AUTO : 0u);
  } else if (mode != 'L') l->broken = true;
}

static int key_version(const fbx_scene *scene, const fbx_record *channel) {
  int64_t version = fbx_integer(fbx_child(channel, "KeyVer"), 0, 0);
  if (version > 0 && version < 10000) return (int)version;
  return scene->file->version < 5000 ? 4003 : scene->file->version < 6000 ? 4004 : 4005;
}

static const int64_t longest = INT64_C(1) << 61;

bool fbx_curve_read_list(fbx_scene *scene, const fbx_record *channel, fbx_curve *curve) {
  list l = {.record = fbx_child(channel, "Key"), .version = key_version(scene, channel)};
  *curve = (fbx_curve){.before = fbx_extrapolation_of(channel, "Pre-Extrapolation"),
                       .after = fbx_extrapolation_of(channel, "Post-Extrapolation"),
                       .ticks = scene->ticks};
  size_t most = l.record ? l.record->value_count / 3 : 0;
  fbx_attributes *attributes = mem_alloc_array(most + 1, sizeof *attributes);
  fbx_key *keys = mem_alloc_array(most + 1, sizeof *keys);
  curve->keys = keys;
  while (attributes && keys && l.at + 3 <= (l.record ? l.record->value_count : 0)) {
    fbx_key key;
    int last = curve->key_count - 1;
    take_key(&l, &key, attributes + curve->key_count);
    if (l.broken) break;
    if (key.time > longest || key.time < -longest || (last >= 0 && key.time <= curve->keys[last].time)) continue;
    curve->keys[curve->key_count++] = key;
  }
  bool read = attributes && keys && fbx_curve_finish(scene, curve, attributes);
  mem_free(keys);
  mem_free(attributes);
  if (!read) return error_memory(scene->raw->error, scene->raw->path, most * sizeof *attributes);
  return !l.broken ||
         raw_note_count(scene->raw, curve->key_count,
                        "a curve has keys of an unknown kind: it ends after %d {key|keys}", curve->key_count);
}
