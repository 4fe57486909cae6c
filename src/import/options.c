#include "import/options.h"

#include "base/memory/block.h"

typedef struct copying {
  const sinew_load_options *from;
  sinew_load_options *to;
} copying;

/* NULL stays NULL, because it has a meaning. */
static const char *copy_text(block *b, const char *text) { return text ? block_string(b, text) : NULL; }

static void lay_clip_files(block *b, const sinew_load_options *from, sinew_load_options *to) {
  const char **files = block_take(b, (size_t)from->clip_file_count, sizeof *files);
  for (int i = 0; i < from->clip_file_count; i++) {
    const char *file = copy_text(b, from->clip_files[i]);
    if (files) files[i] = file;
  }
  to->clip_files = files;
}

static void lay_roles(block *b, const sinew_load_options *from, sinew_load_options *to) {
  sinew_joint_role *roles = block_take(b, (size_t)from->role_count, sizeof *roles);
  for (int i = 0; i < from->role_count; i++) {
    sinew_joint_role role = {copy_text(b, from->roles[i].role), copy_text(b, from->roles[i].joint)};
    if (roles) roles[i] = role;
  }
  to->roles = roles;
}

static void lay_map(block *b, const sinew_load_options *from, sinew_load_options *to) {
  sinew_joint_pair *map = block_take(b, (size_t)from->map_count, sizeof *map);
  for (int i = 0; i < from->map_count; i++) {
    sinew_joint_pair pair = {copy_text(b, from->map[i].theirs), copy_text(b, from->map[i].ours)};
    if (map) map[i] = pair;
  }
  to->map = map;
}

static void lay_edits(block *b, const sinew_load_options *from, sinew_load_options *to) {
  sinew_clip_edit *edits = block_take(b, (size_t)from->edit_count, sizeof *edits);
  for (int i = 0; i < from->edit_count; i++) {
    sinew_clip_edit edit = from->edits[i];
    edit.clip = copy_text(b, edit.clip);
    edit.name = copy_text(b, edit.name);
    if (edits) edits[i] = edit;
  }
  to->edits = edits;
}

static void lay_options(block *b, void *user) {
  copying *c = user;
  sinew_load_options measured, *to = block_take(b, 1, sizeof *to);
  if (to) c->to = to;
  else to = &measured;
  *to = *c->from;
  lay_clip_files(b, c->from, to);
  lay_map(b, c->from, to);
  lay_roles(b, c->from, to);
  lay_edits(b, c->from, to);
  to->up = copy_text(b, c->from->up);
  to->front = copy_text(b, c->from->front);
}

sinew_load_options *options_copy(const sinew_load_options *options, const char *path, sinew_error *error) {
  copying c = {options, NULL};
  return block_create(lay_options, &c, path, error) ? c.to : NULL;
}
