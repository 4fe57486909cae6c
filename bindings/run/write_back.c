/* Apply: values that were edited in the inspector or the graph panel are written back into the script. */
#include "core/scene.h"
#include "lua/rewrite.h"

#include <sinew/crowd.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

enum { NUMBERS = 3 };

/* The result of an edit: a few numbers, or a single other value, in one call or assignment. */
typedef struct script_edit {
  const char *line, *callee; /* "scene.lua:12", and the function called there */
  char paths[NUMBERS][128];
  double values[NUMBERS];
  const char *text;              /* or NULL: */
  char made[4 * REWRITE_NUMBER]; /* likewise; or "": numbers */
  int count;
  const char *module; /* as in rewrite_job … */
  const char *field;  /* … likewise */
  bool is_transition;
} script_edit;

static const graph_copy *find_graph(const sinew_scene *scene, const actor_record *record, const sinew_edit *edit) {
  const char *name = sinew_actor_layer_name(scene->declarations.stage, edit->actor, edit->layer);
  const layer_record *layer = name ? declarations_find_layer(record, name) : NULL;
  const graph_record *graph = declarations_find_graph(record, layer ? layer->head.id : 0);
  return graph ? graph->last : NULL;
}

/* A sample is an item of the call of its space: { x, clip }, { x, y, clip }. */
static void find_sample(const graph_copy *graph, const sinew_edit *edit, script_edit *out) {
  const double at[] = {edit->value, edit->y};
  for (int i = 0; graph && i < graph->def.node_count; i++) {
    const sinew_node_def *n = graph->def.nodes + i;
    int sample = edit->index - n->first_child;
    bool space = n->kind == SINEW_NODE_SPACE_1D || n->kind == SINEW_NODE_SPACE_2D;
    if (!space || sample < 0 || sample >= n->child_count) continue;
    out->line = graph->node_lines[i];
    out->callee = n->kind == SINEW_NODE_SPACE_1D ? "blend_space_1d" : "blend_space_2d";
    out->count = n->kind == SINEW_NODE_SPACE_1D ? 1 : 2;
    for (int k = 0; k < out->count; k++) {
      snprintf(out->paths[k], sizeof out->paths[k], "[%d][%d]", sample + 1, k + 1);
      out->values[k] = at[k];
    }
  }
}

/* A node's values are those of its call. */
static void find_node(const graph_copy *graph, const sinew_edit *edit, script_edit *out) {
  if (!graph || edit->index < 0 || edit->index >= graph->def.node_count) return;
  out->line = graph->node_lines[edit->index];
  out->callee = node_makers[graph->def.nodes[edit->index].kind];
}

/* A transition is an item of its machine's call. */
static void find_transition(const graph_copy *graph, const sinew_edit *edit, script_edit *out) {
  for (int i = 0; graph && i < graph->def.node_count; i++) {
    const sinew_node_def *n = graph->def.nodes + i;
    int position = edit->index - n->first_transition;
    if (n->kind != SINEW_NODE_MACHINE || position < 0 || position >= n->transition_count) continue;
    out->line = graph->node_lines[i];
    out->callee = "state_machine";
    snprintf(out->paths[0], sizeof out->paths[0], "transitions[%d].%s", position + 1, edit->field);
  }
}

static const char *layer_line(const sinew_scene *scene, const actor_record *record, const sinew_edit *edit) {
  const char *name = sinew_actor_layer_name(scene->declarations.stage, edit->actor, edit->layer);
  const layer_record *layer = name ? declarations_find_layer(record, name) : NULL;
  return layer ? layer->head.line : NULL;
}

/* hero.modifiers.look.target = { 0, 1, 2 }: an assignment overrides the call. False if there is none. */
static bool find_assigned(const modifier_values *item, const sinew_edit *edit, script_edit *out) {
  static const char *const names[MODIFIER_ASSIGNED] = {"weight", "target", "pole"};
  const double at[NUMBERS] = {edit->value, edit->y, edit->z};
  char numbers[NUMBERS][REWRITE_NUMBER];
  for (int i = 0; i < MODIFIER_ASSIGNED; i++) {
    if (strcmp(edit->field, names[i]) != 0 || !item->assigned[i][0]) continue;
    out->line = item->assigned[i];
    out->callee = NULL;
    if (i == 0) return true;
    for (int k = 0; k < NUMBERS; k++) rewrite_number(at[k], numbers[k]);
    snprintf(out->made, sizeof out->made, "{ %s, %s, %s }", numbers[0], numbers[1], numbers[2]);
    return true;
  }
  return false;
}

/* A target written as a table of three numbers has a place; one written as a vector or a function has none. */
static void find_modifier(const sinew_scene *scene, const actor_record *record, const sinew_edit *edit,
                          script_edit *out) {
  const double at[NUMBERS] = {edit->value, edit->y, edit->z};
  const modifier_set *set = declarations_modifiers(&scene->declarations, record);
  const modifier_values *item = set && edit->index >= 0 && edit->index < set->count ? set->items + edit->index : NULL;
  if (!item || find_assigned(item, edit, out)) return;
  out->line = item->line;
  out->callee = modifier_makers[item->def.kind];
  if (strcmp(edit->field, "target") != 0) return;
  for (out->count = 0; out->count < NUMBERS; out->count++) {
    snprintf(out->paths[out->count], sizeof out->paths[0], "target[%d]", out->count + 1);
    out->values[out->count] = at[out->count];
  }
}

static const property_record *find_property(const declaration_list *list, const char *name) {
  return (const property_record *)declaration_named(list, name);
}

/* Its own line if it was assigned or declared; parameters given to the actor's call have the actor's line. */
static void find_own(const actor_record *record, const char *field, script_edit *out) {
  static const struct {
    const char *prefix;
    int part;
  } tables[] = {{"morphs.", PART_MORPHS}, {"params.", PART_PARAMS}, {"", PART_PROPERTIES}};
  size_t i = 0;
  while (strncmp(field, tables[i].prefix, strlen(tables[i].prefix)) != 0) i++;
  const property_record *p = find_property(&record->parts[tables[i].part], field + strlen(tables[i].prefix));
  out->line = p && p->head.line[0] ? p->head.line : record->head.line;
  if (!p && tables[i].part == PART_MORPHS) out->module = "";
}

static const char *attachment_line(const actor_record *record) {
  const declaration *attachment = declaration_first(&record->parts[PART_ATTACHMENT]);
  return attachment ? attachment->line : NULL;
}

static bool is_look(const sinew_edit *edit) {
  return edit->kind == SINEW_EDIT_VIEW || edit->kind == SINEW_EDIT_CAMERA || edit->kind == SINEW_EDIT_LIGHT;
}

/* Finds the field by name in the light or the view. */
static void find_look(const sinew_scene *scene, const sinew_edit *edit, script_edit *out) {
  const store_kind *kind = edit->kind == SINEW_EDIT_CAMERA  ? &kind_camera
                           : edit->kind == SINEW_EDIT_LIGHT ? &kind_light
                                                            : &kind_view;
  const property_record *p = declarations_find_property(&scene->declarations.look, kind_field(kind, edit->field));
  out->callee = NULL;
  out->line = p ? p->head.line : NULL;
  if (!p) out->module = kind->name;
}

static void find_marker(const sinew_scene *scene, const actor_record *record, const sinew_edit *edit,
                        script_edit *out) {
  const declarations *all = &scene->declarations;
  int count = 0, place;
  out->callee = "markers";
  if (edit->layer < 0 || edit->layer >= sinew_model_clip_count(record->model)) return;
  const sinew_marker *now = sinew_stage_markers(all->stage, record->model, edit->layer, &count);
  bool known = edit->index >= 0 && edit->index < count &&
               declarations_declared_marker(all, record->model, edit->layer, now, edit->index, &out->line, &place);
  bool time = strcmp(edit->field, "time") == 0;
  if (known) snprintf(out->paths[0], sizeof out->paths[0], time ? "[%d][1]" : "[%d].%s", place, edit->field);
}

static void find_crowd(const sinew_scene *scene, const sinew_edit *edit, script_edit *out) {
  const char *name =
      sinew_crowd_name(scene->declarations.stage, sinew_stage_crowd(scene->declarations.stage, edit->index));
  const declaration *crowd = name ? declaration_named(&scene->declarations.crowds, name) : NULL;
  out->callee = "crowd";
  out->line = crowd ? crowd->line : NULL;
}

static const char *root_line(const actor_record *record) {
  const declaration *root = declaration_first(&record->parts[PART_ROOT]);
  return root ? root->line : NULL;
}

/* A clip that is written as a text stands in the call of the node above it, or of set_graph. */
static bool find_text_of_clip(const graph_copy *graph, const sinew_edit *edit, script_edit *out) {
  static const int first[] = {[SINEW_NODE_BLEND] = 1, [SINEW_NODE_SPACE_1D] = 2, [SINEW_NODE_SPACE_2D] = 3};
  int parent = edit->index - 1;
  bool is_clip = graph && edit->index >= 0 && edit->index < graph->def.node_count &&
                 graph->def.nodes[edit->index].kind == SINEW_NODE_CLIP;
  if (!is_clip) return false;
  out->field = edit->field;
  for (; parent >= 0; parent--) {
    const sinew_node_def *n = graph->def.nodes + parent;
    if (edit->index >= n->first_child && edit->index < n->first_child + n->child_count && n->child_count) break;
  }
  out->callee = "set_graph";
  out->line = graph->node_lines[edit->index];
  if (parent < 0) return true;
  const sinew_node_def *n = graph->def.nodes + parent;
  int position = edit->index - n->first_child + 1;
  out->callee = node_makers[n->kind];
  out->line = graph->node_lines[parent];
  if (n->kind == SINEW_NODE_MACHINE)
    snprintf(out->paths[0], sizeof out->paths[0], "states.%s", graph->def.nodes[edit->index].key);
  else snprintf(out->paths[0], sizeof out->paths[0], "[%d]", position);
  if (n->kind < SINEW_NODE_SWITCH) snprintf(out->paths[1], sizeof out->paths[1], "[%d][%d]", position, first[n->kind]);
  return true;
}

/* sinew.machine { "a -> b: on x, fade 0.2" } */
static bool find_text_of_transition(const sinew_edit *edit, script_edit *out) {
  int position = 0;
  if (sscanf(out->paths[0], "transitions[%d]", &position) != 1) return false;
  out->callee = "machine";
  snprintf(out->paths[0], sizeof out->paths[0], "[%d]", position);
  out->field = edit->field;
  out->is_transition = true;
  return true;
}

static script_edit find_edit(const sinew_scene *scene, const sinew_edit *edit) {
  const char *name = sinew_actor_name(scene->declarations.stage, edit->actor);
  const actor_record *record = name ? declarations_find_actor(&scene->declarations, name) : NULL;
  script_edit out = {.callee = "actor", .values = {edit->value}, .text = edit->text, .count = 1};
  declarations_copy(out.paths[0], sizeof out.paths[0], edit->field);
  if (is_look(edit)) find_look(scene, edit, &out);
  if (edit->kind == SINEW_EDIT_CROWD) return find_crowd(scene, edit, &out), out;
  if (is_look(edit) || !record) return out;
  switch (edit->kind) {
  case SINEW_EDIT_ACTOR: find_own(record, edit->field, &out); break;
  case SINEW_EDIT_ACTION:
    out.callee = "play";
    out.line = declarations_action_line(&scene->declarations, record, edit->action);
    break;
  case SINEW_EDIT_LAYER: out.callee = "layer", out.line = layer_line(scene, record, edit); break;
  case SINEW_EDIT_MODIFIER: find_modifier(scene, record, edit, &out); break;
  case SINEW_EDIT_SAMPLE: find_sample(find_graph(scene, record, edit), edit, &out); break;
  case SINEW_EDIT_NODE: find_node(find_graph(scene, record, edit), edit, &out); break;
  case SINEW_EDIT_TRANSITION: find_transition(find_graph(scene, record, edit), edit, &out); break;
  case SINEW_EDIT_ROOT: out.callee = "root_motion", out.line = root_line(record); break;
  case SINEW_EDIT_MARKER: find_marker(scene, record, edit, &out); break;
  case SINEW_EDIT_ATTACHMENT: out.callee = "attach", out.line = attachment_line(record); break;
  default: break;
  }
  return out;
}

typedef struct place {
  char path[SCENE_PATH];
  int line;
} place;

static bool find_place(const sinew_scene *scene, const char *line, place *out) {
  char name[SCENE_PATH];
  const char *colon = line ? strrchr(line, ':') : NULL;
  if (!colon || (size_t)(colon - line) >= sizeof name) return false;
  memcpy(name, line, (size_t)(colon - line));
  name[colon - line] = 0;
  out->line = atoi(colon + 1);
  return out->line > 0 && sinew_scene_locate(scene, name, out->path, sizeof out->path);
}

/* Whether the file is as loaded, or as a write has left it that is not loaded yet, which moves no line. */
static bool is_as_loaded(const sinew_scene *scene, const char *path, const char *text, size_t size) {
  const script_writes *writes = &scene->writes;
  const script_write *last = writes->count > 0 ? writes->items + writes->count - 1 : NULL;
  if (last && strcmp(last->path, path) == 0 && last->after == scene_hash(text, size)) return true;
  for (int i = 0; i < scene->file_count; i++)
    if (strcmp(scene->files[i].path, path) == 0) return scene->files[i].hash == scene_hash(text, size);
  return false;
}

/* A first line for the shell is not part of the Lua code. */
static size_t shell_line(const char *text, size_t size) {
  size_t length = 0;
  while (size > 0 && text[0] == '#' && length < size && text[length] != '\n') length++;
  return length;
}

static size_t count_lines(const char *text, size_t size) {
  size_t count = 0;
  for (size_t i = 0; i < size; i++) count += text[i] == '\n';
  return count;
}

/* The text with the new value in place of the old, on as many lines, so that everything after it keeps its line. NULL
 * when memory runs out. */
static char *with_value(declarations *all, const char *text, size_t size, size_t begin, size_t length,
                        const char *value, size_t *whole) {
  size_t lines = count_lines(text + begin, length), wide = strlen(value), rest = size - begin - length;
  char *out = declarations_allocate(all, begin + wide + lines + rest + 1);
  *whole = begin + wide + lines + rest;
  if (!out) return NULL;
  memcpy(out, text, begin);
  memcpy(out + begin, value, wide);
  if (lines > 0) { /* before the brace that ends it */
    memset(out + begin + wide - 1, '\n', lines);
    out[begin + wide + lines - 1] = '}';
  }
  memcpy(out + begin + wide + lines, text + begin + length, rest);
  return out;
}

typedef struct answer_text {
  char *out;
  size_t size;
} answer_text;

static void say_change(answer_text answer, int *used, const char *path, const char *before, const rewrite_place *to) {
  const char *comma = *used > 0 && answer.out[*used - 1] != ' ' ? ", " : "", *text = to->text;
  int shown = to->length < 60 ? (int)to->length : 60;
  if (*used < 0 || (size_t)*used >= answer.size) return;
  char *out = answer.out + *used;
  size_t size = answer.size - (size_t)*used;
  while (*text == '\n' || *text == ' ' || *text == ',') text++;
  if (to->is_new) *used += snprintf(out, size, "%s+ %.200s", comma, text);
  else *used += snprintf(out, size, "%s%s %.*s → %.80s", comma, path, shown, before, to->text);
}

static rewrite_job job_of(const sinew_scene *scene, const place *at, const script_edit *edit, int index,
                          const char *value) {
  return (rewrite_job){.line = at->line,
                       .callee = edit->callee,
                       .path = edit->paths[index],
                       .value = value,
                       .allocator = &scene->declarations.allocator,
                       .module = edit->module,
                       .field = edit->field,
                       .is_transition = edit->is_transition};
}

/* A text of a clip stands alone, or after its position. */
static bool find_place_of(rewrite_job *job, const script_edit *edit, rewrite_place *out, char *reason, size_t size) {
  if (rewrite_find(job, out, reason, size)) return true;
  if (!edit->field || !edit->paths[1][0]) return false;
  job->path = edit->paths[1];
  return rewrite_find(job, out, reason, size);
}

/* Writes one value after the other, because each moves the next one. Returns the text with all of them; NULL, with the
 * reason in the answer, if one cannot be written. `moved`: the lines that it adds. */
static char *with_values(sinew_scene *scene, const place *at, const script_edit *edit, const char *text, size_t *size,
                         line_move *moved, answer_text answer) {
  char reason[256], number[REWRITE_NUMBER], *now = NULL;
  declarations *all = &scene->declarations;
  int used = snprintf(answer.out, answer.size, "%s:%d: ", script_file_name(at->path), at->line);
  for (int i = 0; i < edit->count; i++) {
    const char *before = now ? now : text, *value = edit->text ? edit->text : edit->made[0] ? edit->made : number;
    size_t skipped = shell_line(before, *size);
    rewrite_place to;
    rewrite_number(edit->values[i], number);
    rewrite_job job = job_of(scene, at, edit, i, value);
    job.text = before + skipped, job.size = *size - skipped;
    if (!find_place_of(&job, edit, &to, reason, sizeof reason)) {
      snprintf(answer.out, answer.size, "%s:%d: %s", script_file_name(at->path), at->line, reason);
      declarations_free(all, now);
      return NULL;
    }
    to.begin += skipped;
    say_change(answer, &used, edit->paths[i], before + to.begin, &to);
    if (to.lines) *moved = (line_move){.line = 1 + (int)count_lines(before, to.begin), .lines = to.lines};
    char *next = with_value(all, before, *size, to.begin, to.length, to.text, size);
    declarations_free(all, now);
    now = next;
    if (!now) return snprintf(answer.out, answer.size, "out of memory"), NULL;
  }
  return now;
}

/* ---- lines that moved since the last load ---- */

static void note_move(script_writes *writes, const char *path, line_move moved) {
  declarations_copy(moved.path, sizeof moved.path, path);
  writes->moved[writes->moved_count++] = moved;
  writes->items[writes->count - 1].moves = true;
}

static int line_now(const script_writes *writes, const place *at) {
  int line = at->line;
  for (int i = 0; i < writes->moved_count; i++)
    if (strcmp(writes->moved[i].path, at->path) == 0 && line > writes->moved[i].line) line += writes->moved[i].lines;
  return line;
}

/* Keeps the text that was there, for undo. */
static bool write_values(sinew_scene *scene, const place *at, const script_edit *edit, bool shows, written_text *text,
                         answer_text answer) {
  size_t whole = text->size;
  line_move moved = {.lines = 0};
  char *after = with_values(scene, at, edit, text->text, &whole, &moved, answer);
  if (!after || shows) return declarations_free(&scene->declarations, after), after != NULL;
  bool good = script_write_file(at->path, after, whole);
  if (good) undo_remember(scene, at->path, *text, scene_hash(after, whole)), text->text = NULL;
  if (good && moved.lines) note_move(&scene->writes, at->path, moved);
  if (!good) snprintf(answer.out, answer.size, "%s cannot be written", script_file_name(at->path));
  declarations_free(&scene->declarations, after);
  return good;
}

/* One way to write the edit. */
static bool try_write(sinew_scene *scene, const sinew_edit *edit, const script_edit *found, answer_text answer) {
  place at = {.line = 1};
  written_text text = {NULL, 0};
  if (!find_place(scene, found->line, &at) && !found->module)
    return snprintf(answer.out, answer.size, "no line of the scene sets '%s'", edit->field), false;
  if (!at.path[0]) snprintf(at.path, sizeof at.path, "%s", scene->path);
  text.text = script_read(&scene->declarations, at.path, &text.size);
  if (!text.text || !is_as_loaded(scene, at.path, text.text, text.size)) {
    declarations_free(&scene->declarations, text.text);
    return snprintf(answer.out, answer.size, "%s has changed since it was loaded", script_file_name(at.path)), false;
  }
  if (scene->writes.moved_count == SCENE_WRITES)
    return declarations_free(&scene->declarations, text.text),
           snprintf(answer.out, answer.size, "save the scene first"), false;
  at.line = line_now(&scene->writes, &at);
  void *locale = sinew_enter_c_locale();
  bool good = write_values(scene, &at, found, edit->shows, &text, answer);
  sinew_leave_c_locale(locale);
  declarations_free(&scene->declarations, text.text);
  return good;
}

/* Another way in which a scene writes such a value; false if there is none. */
static bool find_other(const sinew_scene *scene, const sinew_edit *edit, script_edit *found) {
  const char *name = sinew_actor_name(scene->declarations.stage, edit->actor);
  const actor_record *record = name ? declarations_find_actor(&scene->declarations, name) : NULL;
  if (!record) return false;
  if (edit->kind == SINEW_EDIT_NODE) return find_text_of_clip(find_graph(scene, record, edit), edit, found);
  if (edit->kind == SINEW_EDIT_TRANSITION) return find_text_of_transition(edit, found);
  if (edit->kind != SINEW_EDIT_MODIFIER || found->count != NUMBERS) return false;
  char numbers[NUMBERS][REWRITE_NUMBER];
  for (int k = 0; k < NUMBERS; k++) rewrite_number(found->values[k], numbers[k]);
  snprintf(found->made, sizeof found->made, "{ %s, %s, %s }", numbers[0], numbers[1], numbers[2]);
  declarations_copy(found->paths[0], sizeof found->paths[0], edit->field);
  found->count = 1;
  return true;
}

bool sinew_scene_write(sinew_scene *scene, const sinew_edit *edit, char *answer, size_t size) {
  if (scene->is_guest || scene->is_recorded || sinew_host_is_replay(scene->host))
    return snprintf(answer, size, "a replay, a bundle and a program's own scene write no scripts"), false;
  char kept[DECLARED_LINE] = "", path[DECLARED_NAME];
  script_edit found = find_edit(scene, edit), other = found;
  if (edit->kind == SINEW_EDIT_KEPT && kept_line(scene, edit->field, kept, path)) {
    found.line = kept;
    found.callee = "keep";
    memcpy(found.paths[0], path, sizeof path);
  }
  if (try_write(scene, edit, &found, (answer_text){answer, size})) return true;
  return find_other(scene, edit, &other) && try_write(scene, edit, &other, (answer_text){answer, size});
}
