/* Names for the editor stubs: those of a scene's models, actors and declarations, so that an editor completes them. */
#include "api/describe/stub_names.h"

#include "declare/kinds/declared_crowd.h"

#include <stdlib.h>
#include <string.h>

typedef struct names {
  const char **items; /* not owned, except the paths */
  int count, capacity;
  const char **paths;
  int path_count, path_capacity;
  bool failed;
} names;

static void add(declarations *all, names *n, const char *name) {
  if (name && *name && !declarations_append(all, &n->items, &n->count, &n->capacity, (void *)(uintptr_t)name))
    n->failed = true;
}

static int compare(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static void sort_unique(names *n) {
  int kept = 0;
  if (n->count > 0) qsort(n->items, (size_t)n->count, sizeof *n->items, compare);
  for (int i = 0; i < n->count; i++)
    if (kept == 0 || strcmp(n->items[kept - 1], n->items[i]) != 0) n->items[kept++] = n->items[i];
  n->count = kept;
}

/* ---- where names are ---- */

static bool is_first_of_model(const declarations *all, int actor) {
  for (int i = 0; i < actor; i++)
    if (actor_at(all, i)->model == actor_at(all, actor)->model) return false;
  return actor_at(all, actor)->model != NULL;
}

static void add_morphs(declarations *all, names *n, const sinew_model *model) {
  for (int i = 0; i < sinew_model_mesh_count(model); i++) {
    sinew_mesh_view mesh = sinew_model_mesh(model, i);
    for (int m = 0; m < mesh.morph_count; m++) add(all, n, mesh.morphs[m].name);
  }
}

/* A joint appears under the text that finds it: its name, or a path if the name means another joint. */
static void add_joint(declarations *all, names *n, const sinew_model *model, int joint) {
  char path[SINEW_JOINT_PATH];
  const char *name = sinew_model_joint_name(model, joint);
  sinew_model_joint_path(model, joint, path, sizeof path);
  char *copy = name && strcmp(path, name) != 0 ? declarations_allocate(all, strlen(path) + 1) : NULL;
  if (copy && !declarations_append(all, &n->paths, &n->path_count, &n->path_capacity, strcpy(copy, path)))
    declarations_free(all, copy), n->failed = true;
  else add(all, n, copy ? copy : name);
}

static void free_names(declarations *all, names *n) {
  for (int i = 0; i < n->path_count; i++) declarations_free(all, (void *)(uintptr_t)n->paths[i]);
  declarations_free(all, n->paths);
  declarations_free(all, n->items);
}

static void add_markers(declarations *all, names *n, const sinew_model *model) {
  static const char *const always[] = {"*", "loop", "finish", "enter", "exit"};
  for (size_t i = 0; i < sizeof always / sizeof *always; i++) add(all, n, always[i]);
  for (int i = 0; i < sinew_model_clip_count(model); i++) {
    int count = 0;
    const sinew_marker *markers = sinew_stage_markers(all->stage, model, i, &count);
    for (int k = 0; k < count; k++) add(all, n, markers[k].name);
  }
}

static void add_of_model(declarations *all, names *n, stub_kind kind, const sinew_model *model) {
  if (kind == STUB_CLIPS)
    for (int i = 0; i < sinew_model_clip_count(model); i++) add(all, n, sinew_clip_name(sinew_model_clip(model, i)));
  if (kind == STUB_JOINTS)
    for (int i = 1; i < sinew_model_joint_count(model); i++) add_joint(all, n, model, i);
  if (kind == STUB_MORPHS) add_morphs(all, n, model);
  if (kind == STUB_EVENTS) add_markers(all, n, model);
}

static void add_all(declarations *all, names *n, const declaration_list *list) {
  for (int i = 0; i < list->count; i++) add(all, n, list->items[i]->name);
}

/* The states of an actor's machines, and the events of their transitions. */
static void add_of_graphs(declarations *all, names *n, stub_kind kind, const actor_record *record) {
  for (int i = 0; i < record->parts[PART_GRAPHS].count; i++) {
    const graph_copy *graph = graph_at(record, i)->last;
    for (int k = 0; graph && kind == STUB_STATES && k < graph->def.node_count; k++) {
      const sinew_node_def *node = graph->def.nodes + k;
      for (int c = 0; node->kind == SINEW_NODE_MACHINE && c < node->child_count; c++)
        add(all, n, graph->def.nodes[node->first_child + c].key);
    }
    for (int k = 0; graph && kind == STUB_SENT && k < graph->def.transition_count; k++)
      add(all, n, graph->def.transitions[k].event);
  }
}

static void add_of_actor(declarations *all, names *n, stub_kind kind, const actor_record *record) {
  const modifier_set *modifiers = declarations_modifiers_now(record);
  if (kind == STUB_ACTORS) add(all, n, record->head.name);
  if (kind == STUB_LAYERS) add(all, n, "base"), add_all(all, n, &record->parts[PART_LAYERS]);
  if (kind == STUB_STATES || kind == STUB_SENT) add_of_graphs(all, n, kind, record);
  if (kind == STUB_PARAMS) add_all(all, n, &record->parts[PART_PARAMS]);
  if (kind == STUB_MODIFIERS)
    for (int i = 0; modifiers && i < modifiers->count; i++) add(all, n, modifiers->items[i].def.name);
}

static names collect(declarations *all, stub_kind kind) {
  names n = {0};
  for (int i = 0; all && i < all->actors.count; i++) {
    add_of_actor(all, &n, kind, actor_at(all, i));
    if (kind <= STUB_EVENTS && is_first_of_model(all, i)) add_of_model(all, &n, kind, actor_at(all, i)->model);
  }
  for (int i = 0; all && kind <= STUB_EVENTS && i < all->crowds.count; i++)
    if (crowd_at(all, i)->last.model) add_of_model(all, &n, kind, crowd_at(all, i)->last.model);
  sort_unique(&n);
  return n;
}

/* ---- as types ---- */

/* `open`: any other text is legal, too. */
static void write_alias(FILE *file, const char *type, const names *n, bool open) {
  fprintf(file, "---@alias %s\n", type);
  for (int i = 0; i < n->count; i++) {
    fputs("---| \"", file);
    for (const char *c = n->items[i]; *c; c++) {
      if (*c == '"' || *c == '\\') fputc('\\', file);
      if ((unsigned char)*c >= ' ') fputc(*c, file);
    }
    fputs("\"\n", file);
  }
  fputs(open ? "---| string\n\n" : "\n", file);
}

static bool is_identifier(const char *name) {
  static const char letters[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return strchr(letters, name[0]) && name[strcspn(name, "-. :/\"\\'[]|<>()")] == 0;
}

static void write_fields(FILE *file, const char *type, const char *value, const names *n, bool open) {
  fprintf(file, "---@class %s\n", type);
  if (open) fprintf(file, "---@field [string] %s\n", value);
  for (int i = 0; i < n->count; i++) {
    bool plain = is_identifier(n->items[i]), quoted = !strpbrk(n->items[i], "\"\\\n\r");
    if (plain || quoted) fprintf(file, plain ? "---@field %s %s\n" : "---@field [\"%s\"] %s\n", n->items[i], value);
  }
  fputc('\n', file);
}

bool stub_names_write(declarations *all, FILE *file) {
  static const struct {
    stub_kind kind;
    const char *type, *value; /* value NULL: a type of texts; otherwise a class with fields of that type */
  } types[] = {{STUB_CLIPS, "sinew.ClipName", NULL},
               {STUB_JOINTS, "sinew.JointName", NULL},
               {STUB_ACTORS, "sinew.ActorName", NULL},
               {STUB_LAYERS, "sinew.LayerName", NULL},
               {STUB_STATES, "sinew.StateName", NULL},
               {STUB_EVENTS, "sinew.EventName", NULL},
               {STUB_SENT, "sinew.SentEventName", NULL},
               {STUB_PARAMS, "sinew.ParamName", NULL},
               {STUB_MORPHS, "sinew.Morphs", "number"},
               {STUB_PARAMS, "sinew.Params", "number"},
               {STUB_MODIFIERS, "sinew.Modifiers", "sinew.ActorModifier"}};
  bool fine = true;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    names n = collect(all, types[i].kind);
    bool open = !all || types[i].kind == STUB_ACTORS || (!types[i].value && n.count == 0); /* a new name declares one */
    if (types[i].value) write_fields(file, types[i].type, types[i].value, &n, open);
    else write_alias(file, types[i].type, &n, open);
    fine = fine && !n.failed;
    if (all) free_names(all, &n);
  }
  return fine;
}
