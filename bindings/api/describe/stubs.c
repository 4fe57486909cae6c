/* The editor stubs: the description table as LuaLS reads it. */
#include "api/describe/stub_names.h"
#include "core/api.h"

#include <errno.h>
#include <string.h>

/* "actor" → "sinew.Actor", "play_options" → "sinew.PlayOptions": a class for each owner that is not a module. */
static void write_class(FILE *file, const char *name, size_t size) {
  bool upper = true;
  fputs("sinew.", file);
  for (size_t i = 0; i < size; i++) {
    char c = name[i];
    if (c == '_') {
      upper = true;
      continue;
    }
    fputc(upper && c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c, file);
    upper = false;
  }
}

static void write_one_type(FILE *file, const char *name, size_t size) {
  const api_type *type = api_find_type(name, size);
  bool list = size > 2 && memcmp(name + size - 2, "[]", 2) == 0;
  bool maybe = size > 1 && name[size - 1] == '?';
  size_t bare = list ? size - 2 : maybe ? size - 1 : size;
  if (!type && bare != size) type = api_find_type(name, bare);
  if (type) {
    fputs(type->stub, file);
  } else if (bare > 6 && memcmp(name, "sinew.", 6) == 0) {
    fprintf(file, "%.*s", (int)bare, name);
  } else {
    write_class(file, name, bare);
  }
  if (bare != size) fprintf(file, "%.*s", (int)(size - bare), name + bare);
}

static void write_types(FILE *file, const char *spec, size_t size) {
  const char *end = spec + size;
  while (spec < end) {
    size_t n = strcspn(spec, "|");
    if (spec + n > end) n = (size_t)(end - spec);
    write_one_type(file, spec, n);
    spec += n + 1;
    if (spec < end) fputc('|', file);
  }
}

static void write_results(FILE *file, const char *results) {
  while (*results) {
    size_t n = strcspn(results, ",");
    fputs("---@return ", file);
    write_types(file, results, n);
    fputc('\n', file);
    results += n;
    while (*results == ',' || *results == ' ') results++;
  }
}

static void write_arguments(FILE *file, const char *spec) {
  api_argument argument;
  for (const char *p = spec; (p = api_next_argument(p, &argument));) {
    if (argument.rest) {
      fputs("---@param ... any\n", file);
      continue;
    }
    fprintf(file, "---@param %s%s ", argument.name, argument.optional ? "?" : "");
    write_types(file, argument.types, argument.types_size);
    fputc('\n', file);
  }
}

static void write_call(FILE *file, const api_entry *e, const char *owner) {
  api_argument argument;
  bool first = true;
  fprintf(file, "---%s\n", e->doc);
  write_arguments(file, e->spec);
  write_results(file, e->result);
  fprintf(file, "function %s%s%s(", owner, e->kind == API_METHOD ? ":" : ".", e->name);
  for (const char *p = e->spec; (p = api_next_argument(p, &argument)); first = false) {
    fprintf(file, "%s%s", first ? "" : ", ", argument.rest ? "..." : argument.name);
  }
  fputs(") end\n\n", file);
}

static void write_field(FILE *file, const api_entry *e) {
  if (strcmp(e->name, "...") == 0) fputs("---@field [integer] ", file);
  else fprintf(file, "---@field %s%s ", e->name, e->kind == API_OPTION ? "?" : "");
  write_types(file, e->spec, strlen(e->spec));
  fprintf(file, " %s%s\n", e->doc,
          e->kind == API_FIELD && !e->set && strncmp(e->spec, "sinew.", 6) != 0 ? " (read only)" : "");
}

static bool is_module(const char *owner) { return strncmp(owner, "sinew", 5) == 0; }

static void write_owner(FILE *file, const char *owner) {
  fputs("---@class ", file);
  if (is_module(owner)) {
    fputs(owner, file);
  } else {
    write_class(file, owner, strlen(owner));
  }
  fputs(strcmp(owner, "machine") == 0 ? "\n---@overload fun(definition: sinew.MachineText): sinew.Node\n" : "\n", file);
  if (strcmp(owner, "level") == 0) fputs("---@field [string] sinew.Actor Its parts, by their names.\n", file);
  bool calls = false;
  for (const api_entry *const *table = api_tables; *table; table++) {
    for (const api_entry *e = *table; e->owner; e++) {
      if (strcmp(e->owner, owner) != 0) continue;
      if (e->call) calls = true;
      if (!e->call) write_field(file, e);
    }
  }
  if (is_module(owner)) {
    fprintf(file, "%s = {}\n", owner);
  } else if (calls) {
    fprintf(file, "local %s = {}\n", owner);
  }
  fputc('\n', file);
  for (const api_entry *const *table = api_tables; *table; table++) {
    for (const api_entry *e = *table; e->owner; e++)
      if (strcmp(e->owner, owner) == 0 && e->call) write_call(file, e, owner);
  }
}

static const api_entry *first_option(const char *owner) {
  const api_entry *e = api_option_entries;
  while (strcmp(e->owner, owner) != 0) e++;
  return e;
}

/* The names of keys, so that an editor completes them. */
static void write_keys(FILE *file) {
  fputs("---@alias sinew.Key\n", file);
  for (int i = 0; sinew_key_name(i); i++) fprintf(file, "---| \"%s\"\n", sinew_key_name(i));
  fputs("\n", file);
}

/* The names of callbacks, for sinew.on. */
static void write_callbacks(FILE *file) {
  fputs("---@alias sinew.CallbackName\n", file);
  for (int i = 0; i < SCENE_EVENTS; i++) fprintf(file, "---| \"%s\"\n", event_name(i));
  fputs("\n", file);
}

bool sinew_scene_stubs(sinew_scene *scene, FILE *file, sinew_error *error) {
  options_fill();
  static const char *const owners[] = {
      "sinew",        "sinew.ui", "sinew.debug", "sinew.view", "sinew.camera",     "sinew.light",
      "model",        "actor",    "layer",       "action",     "actor_modifier",   "motor",
      "pose",         "crowd",    "crowd_array", "task",       "task_handle",      "tween",
      "tween_handle", "camera",   "input",       "random",     "random_generator", "vec",
      "machine",      "level"};
  fputs("---@meta sinew\n"
        "-- The functions and fields for scenes, for editors that run the Lua language server. The program writes this "
        "file\n"
        "-- from its description of the API: `sinew stubs > scripts/sinew.d.lua`. Given a scene, it includes that "
        "scene's\n"
        "-- names: `sinew stubs scene.lua > sinew.d.lua`.\n\n"
        "---@class sinew.Vec3\n---@field x number\n---@field y number\n---@field z number\n\n"
        "---@class sinew.Quat: sinew.Vec3\n---@field w number\n\n---@class sinew.Mask\n\n---@class "
        "sinew.Node\n\n---@class sinew.Modifier\n\n",
        file);
  write_keys(file);
  write_callbacks(file);
  bool whole = stub_names_write(scene ? &scene->declarations : NULL, file);
  for (size_t i = 0; i < sizeof owners / sizeof *owners; i++) write_owner(file, owners[i]);
  for (const api_entry *e = api_option_entries; e->owner; e++)
    if (e == first_option(e->owner)) write_owner(file, e->owner);
  fputs("return sinew\n", file);
  if (!whole) return declarations_fail(error, "out of memory: the stubs lack names");
  return (fflush(file) == 0 && !ferror(file)) ||
         declarations_fail(error, "the stubs cannot be written: %s", strerror(errno));
}

bool sinew_scene_api(int index, sinew_api_info *info) {
  options_fill();
  static const char *const kinds[] = {"function", "method", "field", "option", "callback"};
  for (const api_entry *const *table = api_tables; *table; table++) {
    for (const api_entry *e = *table; e->owner; e++) {
      if (index-- > 0) continue;
      *info = (sinew_api_info){e->owner, e->name, kinds[e->kind], e->spec, e->result, e->set != NULL};
      return true;
    }
  }
  return false;
}
