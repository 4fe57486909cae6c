/* The message about a model that replaces another: which file it came from, or what happened to its clips. */
#include "declare/counterpart.h"
#include "declare/declarations.h"

#include <math.h>
#include <string.h>

/* A model made by a script has no file. */
static bool has_file(const sinew_model *model) { return strchr(sinew_model_path(model), '/') != NULL; }

/* The part of a path that differs from another, starting at a folder or file name. */
static const char *tail_of(const char *path, const char *other) {
  size_t common = 0, begin = 0;
  for (; path[common] && path[common] == other[common]; common++)
    if (path[common] == '/') begin = common + 1;
  return path + begin;
}

static const char *name_of(const char *path) { return strrchr(path, '/') + 1; }

static const char *clip_name(const sinew_model *model, int clip) {
  return sinew_clip_name(sinew_model_clip(model, clip));
}

static bool is_known(const sinew_model *from, const int *clips, int clip) {
  for (int i = 0; i < sinew_model_clip_count(from); i++)
    if (clips[i] == clip) return true;
  return false;
}

static void tell_counterpart(declarations *all, const char *file, const sinew_model *from, int clip,
                             const sinew_model *to, int counterpart) {
  const char *name = clip_name(from, clip);
  if (counterpart < 0) {
    declarations_tell_fate(all, FATE_GOES, "%s: clip %s", file, name);
    return;
  }
  double before = sinew_clip_duration(sinew_model_clip(from, clip));
  double after = sinew_clip_duration(sinew_model_clip(to, counterpart));
  if (strcmp(name, clip_name(to, counterpart)) != 0)
    declarations_note(all, "%s: clip %s is called %s now", file, name, clip_name(to, counterpart));
  if (fabs(before - after) > 1e-4)
    declarations_note(all, "%s, clip %s: length %.4g → %.4g s", file, clip_name(to, counterpart), before, after);
}

/* If memory runs out, these changes are not reported. */
static void tell_clips(declarations *all, const sinew_model *from, const sinew_model *to) {
  const char *file = name_of(sinew_model_path(to));
  int *clips = declarations_allocate(all, ((size_t)sinew_model_clip_count(from) + 1) * sizeof *clips);
  if (!clips) return;
  counterparts_of_clips(from, to, clips);
  for (int i = 0; i < sinew_model_clip_count(from); i++) tell_counterpart(all, file, from, i, to, clips[i]);
  for (int i = 0; i < sinew_model_clip_count(to); i++)
    if (!is_known(from, clips, i)) declarations_tell_fate(all, FATE_COMES, "%s: clip %s", file, clip_name(to, i));
  declarations_free(all, clips);
}

void declarations_tell_model(declarations *all, const char *owner, const sinew_model *from, const sinew_model *to) {
  const char *before = sinew_model_path(from), *after = sinew_model_path(to);
  bool again = all->told_from == from && all->told_to == to, files = has_file(from) && has_file(to);
  int changes = all->changes;
  if (!files) declarations_note(all, "%s has another model", owner);
  else if (strcmp(before, after) != 0)
    declarations_note(all, "%s: model %s → %s", owner, tail_of(before, after), tail_of(after, before));
  else if (!again) tell_clips(all, from, to);
  if (files && !again && all->changes == changes && !declarations_told_model(all, after))
    declarations_note(all, "%s was loaded again", name_of(after));
  all->told_from = from;
  all->told_to = to;
}
