/* Decides which files a scene may read, and where to look for a name. */
#include "core/scene.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CANDIDATES = 256, HOME_ROOTS = 2, AWAITED = 16 /* missing files of a load that are watched */ };

static bool real(const char *path, char out[SCENE_PATH]) {
  char *resolved = realpath(path, NULL);
  bool fits = resolved && strlen(resolved) < SCENE_PATH;
  if (fits) declarations_copy(out, SCENE_PATH, resolved);
  free(resolved);
  return fits;
}

static bool is_absolute(const char *path) {
#ifdef _WIN32
  if (path[0] == '\\' || (path[0] && path[1] == ':')) return true;
#endif
  return path[0] == '/';
}

static bool join(char out[SCENE_PATH], const char *folder, const char *name) {
  int n = is_absolute(name) ? snprintf(out, SCENE_PATH, "%s", name) : snprintf(out, SCENE_PATH, "%s/%s", folder, name);
  return n > 0 && n < SCENE_PATH;
}

static bool add_root(sinew_scene *scene, const char *folder) {
  if (scene->root_count == SCENE_ROOTS || !real(folder, scene->roots[scene->root_count])) return false;
  scene->root_count++;
  return true;
}

void scene_init_roots(sinew_scene *scene) {
  char folder[SCENE_PATH];
  scene->root_count = 0;
  scene->has_own_root = scene_uses_disk(scene) && add_root(scene, scene->folder);
  if (join(folder, sinew_home(), "assets")) add_root(scene, folder);
  if (join(folder, sinew_home(), "scripts")) add_root(scene, folder);
  for (int i = 0; i < scene->def.allow_count; i++) {
    if (!add_root(scene, scene->def.allow[i])) {
      declarations_say(&scene->declarations, SINEW_LOG_WARNING, "there is no folder '%s' to allow",
                       scene->def.allow[i]);
    }
  }
}

/* A rerun may read its folder only from its edit on. */
static void admit_own(sinew_scene *scene) {
  if (!scene->has_own_root && scene_uses_disk(scene)) scene_init_roots(scene);
}

static bool is_inside(const char *path, const char *root) {
  size_t size = strlen(root);
  return strncmp(path, root, size) == 0 && (path[size] == '/' || root[size - 1] == '/');
}

static bool may_read(const sinew_scene *scene, const char *resolved) {
  if (scene->def.trust) return true;
  for (int i = 0; i < scene->root_count; i++)
    if (is_inside(resolved, scene->roots[i])) return true;
  return false;
}

static bool is_file(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static bool is_link(const char *path) {
  struct stat info;
  return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

/* Whether a path leads out of the folders that the scene may read. What is not there counts as where its nearest folder
 * is, and a link that leads nowhere as outside, so that the answer does not depend on what exists outside. */
static bool leads_outside(const sinew_scene *scene, const char *path) {
  char at[SCENE_PATH], resolved[SCENE_PATH + 1];
  declarations_copy(at, sizeof at, path);
  if (scene->def.trust) return false;
  while (!real(at[0] ? at : "/", resolved)) {
    char *slash = strrchr(at, '/');
    if (is_link(at) || !slash) return true;
    *slash = 0;
  }
  memcpy(resolved + strlen(resolved), "/", 2); /* a folder that may be read is itself inside */
  return !may_read(scene, resolved);
}

/* One sentence, whether the file exists or not: a scene learns nothing about other files. */
static bool refuse_outside(const char *name, sinew_error *error) {
  return declarations_fail(error,
                           "'%s' is outside the folders that a scene may read: its own, and Sinew's assets and scripts "
                           "(--allow DIR adds one)",
                           name);
}

/* ---- where names are looked up ---- */

typedef struct search {
  char folders[SCENE_ROOTS + 2][SCENE_PATH];
  int count;
} search;

static void list_folders(const sinew_scene *scene, const char *folder, search *s) {
  s->count = 0;
  declarations_copy(s->folders[s->count++], SCENE_PATH, scene->folder);
  if (join(s->folders[s->count], sinew_home(), folder)) s->count++;
  for (int i = 0; i < scene->def.allow_count && s->count < SCENE_ROOTS; i++) {
    declarations_copy(s->folders[s->count++], SCENE_PATH, scene->def.allow[i]);
  }
}

/* All names but the one that was not found: that one is in a folder, too, if it is no file. */
static int list_names(const search *s, const char *name, char names[CANDIDATES][128]) {
  int count = 0;
  for (int i = 0; i < s->count; i++) {
    DIR *folder = opendir(s->folders[i]);
    const struct dirent *entry;
    while (folder && count < CANDIDATES && (entry = readdir(folder)))
      if (entry->d_name[0] != '.' && strcmp(entry->d_name, name) != 0)
        declarations_copy(names[count++], sizeof names[0], entry->d_name);
    if (folder) closedir(folder);
  }
  return count;
}

static void nearest(const search *s, const char *name, char out[128]) {
  static char names[CANDIDATES][128]; /* one thread */
  const char *candidates[CANDIDATES];
  int count = list_names(s, name, names);
  for (int i = 0; i < count; i++) candidates[i] = names[i];
  const char *near = sinew_nearest_name(name, candidates, count);
  declarations_copy(out, 128, near ? near : "");
}

static bool not_found(const search *s, const char *name, sinew_error *error) {
  char folders[640] = "", near[128];
  for (int i = 0; i < s->count; i++) {
    size_t used = strlen(folders);
    snprintf(folders + used, sizeof folders - used, "%s%s", i ? ", " : "", s->folders[i]);
  }
  nearest(s, name, near);
  return declarations_fail(error, "no file '%s' in %s%s%s%s", name, folders, near[0] ? "; did you mean '" : "", near,
                           near[0] ? "'?" : "");
}

/* Watches for a missing file: a checkout or an editor may write it after the script. */
static void wait_for(sinew_scene *scene, const char *name) {
  char path[SCENE_PATH], folder[SCENE_PATH + 1];
  sinew_error ignored;
  bool may = scene->loading && scene->awaited < AWAITED && !is_absolute(name) && join(path, scene->folder, name);
  char *slash = may ? strrchr(path, '/') : NULL;
  if (!slash) return;
  *slash = 0;
  may = real(path, folder);
  *slash = '/';
  if (may) memcpy(folder + strlen(folder), "/", 2);
  if (!may || !may_read(scene, folder)) return;
  scene->awaited++;
  (void)sinew_host_watch(scene->host, path, &ignored);
}

static bool resolve(sinew_scene *scene, const char *name, const char *folder, char out[SCENE_PATH],
                    sinew_error *error) {
  search s;
  bool outside = false, special = false;
  admit_own(scene);
  list_folders(scene, folder, &s);
  for (int i = 0; i < s.count; i++) {
    if (!join(out, s.folders[i], name)) continue;
    if (leads_outside(scene, out)) outside = true;
    else if (is_file(out)) return true;
    else special = special || access(out, F_OK) == 0;
  }
  if (special) return declarations_fail(error, "'%s' is not a regular file, and cannot be read", name);
  if (outside) return refuse_outside(name, error);
  wait_for(scene, name);
  return not_found(&s, name, error);
}

/* ---- paths while a recording is replayed ---- */

/* If the replay was given a scene, that scene's scripts come from the disk. */
static bool is_recalled(const sinew_scene *scene, const char *folder) {
  return scene->is_recorded || strcmp(folder, "scripts") != 0;
}

static void take_path(const sinew_answer *answer, char out[SCENE_PATH]) {
  int size = answer->size < SCENE_PATH ? (int)answer->size : SCENE_PATH - 1;
  snprintf(out, SCENE_PATH, "%.*s", size, (const char *)answer->data);
}

bool scene_resolve(sinew_scene *scene, const char *name, const char *folder, char out[SCENE_PATH], sinew_error *error) {
  sinew_answer answer;
  if (is_recalled(scene, folder) && outside_recall_text(scene, folder, name, &answer, error)) {
    take_path(&answer, out);
    return !answer.refused;
  }
  if (scene->is_recorded && sinew_host_has_bundle(scene->host))
    return declarations_fail(error, "'%s' is not in the %s", name, outside_source(scene));
  bool found = resolve(scene, name, folder, out, error);
  if (found) outside_note_text(scene, folder, name, out, strlen(out));
  else outside_note_refusal(scene, folder, name, error);
  return found;
}

/* ---- patterns ---- */

static bool is_pattern(const char *name) { return strpbrk(name, "*?") != NULL; }

static bool is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Whether the scene may list the folder in which a pattern begins. */
static bool may_list(const sinew_scene *scene, const char *pattern) {
  char folder[SCENE_PATH];
  size_t length = strcspn(pattern, "*?");
  while (length > 0 && length < strlen(pattern) && pattern[length - 1] != '/') length--;
  if (length >= sizeof folder - 1) return false;
  memcpy(folder, pattern, length);
  memcpy(folder + length, "/", 2);
  return !leads_outside(scene, folder);
}

typedef struct finding {
  const sinew_scene *scene;
  file_names *files;
} finding;

static void keep_file(void *user, const char *path) {
  const finding *f = user;
  char resolved[SCENE_PATH];
  size_t size = strlen(path) + 1;
  file_names *files = f->files;
  if (!real(path, resolved) || !may_read(f->scene, resolved)) return;
  if (size > SCENE_PATH || size > files->size - files->used) files->overflows = true;
  if (files->overflows) return;
  memcpy(files->text + files->used, path, size);
  files->used += size;
  files->count++;
}

static bool find_in(const sinew_scene *scene, const char *pattern, file_names *files, sinew_error *error) {
  finding f = {scene, files};
  if (sinew_find_files(pattern, keep_file, &f) < 0 || files->overflows)
    return declarations_fail(error, "'%s' names too many files", pattern);
  return true;
}

static bool list_file(sinew_scene *scene, const char *name, const char *folder, file_names *files, sinew_error *error) {
  char path[SCENE_PATH];
  finding f = {scene, files};
  if (!scene_resolve(scene, name, folder, path, error)) return false;
  keep_file(&f, path);
  return !files->overflows || declarations_fail(error, "'%s' is one file too many", name);
}

static bool resolve_all(sinew_scene *scene, const char *name, const char *folder, file_names *files,
                        sinew_error *error) {
  search s;
  char path[SCENE_PATH];
  int before = files->count;
  bool outside = false, seen = is_pattern(name);
  list_folders(scene, folder, &s);
  for (int i = 0; i < s.count && files->count == before; i++) {
    if (!join(path, s.folders[i], name) || !may_list(scene, path)) {
      outside = true;
      continue;
    }
    if (!is_pattern(name) && !is_folder(path)) continue;
    if (!find_in(scene, path, files, error)) return false;
    seen = true;
  }
  if (!seen) return list_file(scene, name, folder, files, error);
  files->from_pattern = true;
  if (files->count == before && outside) return refuse_outside(name, error);
  return files->count > before || declarations_fail(error, "no model file matches '%s' in %s", name, scene->folder);
}

/* The answer is a list of zero-terminated paths; before them, whether they come from a pattern. */
static bool take_names(const sinew_answer *answer, file_names *files, sinew_error *error) {
  const char *data = answer->data;
  if (answer->refused) return false;
  if (answer->size < 1 || data[answer->size - 1] || answer->size - 1 > files->size - files->used)
    return declarations_fail(error, "the recording has a list of files that is too long, or damaged");
  files->from_pattern = data[0] == '*';
  for (size_t i = 1; i < answer->size; i++) files->count += data[i] == 0;
  memcpy(files->text + files->used, data + 1, answer->size - 1);
  files->used += answer->size - 1;
  return true;
}

static void note_names(const sinew_scene *scene, const char *name, const file_names *files, size_t from) {
  size_t size = files->used - from;
  char *list = sinew_host_is_recorded(scene->host) ? malloc(size + 1) : NULL;
  if (!list) return;
  list[0] = files->from_pattern ? '*' : ' ';
  memcpy(list + 1, files->text + from, size);
  outside_note_text(scene, "files", name, list, size + 1);
  free(list);
}

bool scene_resolve_all(sinew_scene *scene, const char *name, const char *folder, file_names *files,
                       sinew_error *error) {
  sinew_answer answer;
  size_t from = files->used;
  if (outside_recall_text(scene, "files", name, &answer, error)) return take_names(&answer, files, error);
  admit_own(scene);
  bool found = resolve_all(scene, name, folder, files, error);
  if (found) note_names(scene, name, files, from);
  else outside_note_refusal(scene, "files", name, error);
  return found;
}

/* ---- where a scene may write ---- */

static bool ends_with(const char *text, const char *end) {
  size_t size = strlen(text), tail = strlen(end);
  return size > tail && strcmp(text + size - tail, end) == 0;
}

/* Files of sinew_baked_clip_write begin with this text. */
bool scene_is_take(const char *path) {
  static const char asset[] = "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Sinew\"}";
  char head[20 + sizeof asset] = "";
  FILE *file = script_open(path);
  size_t got = file ? fread(head, 1, sizeof head - 1, file) : 0;
  if (file) fclose(file);
  return got > 20 && strncmp(head + 20, asset, sizeof asset - 1) == 0;
}

/* Videos of sinew_host_record end with this text; a GIF has two more bytes. */
static bool is_film(const char *path) {
  static const char mark[] = "recorded: Sinew\n";
  enum { SIZE = sizeof mark - 1, END = SIZE + 2 };
  char end[END] = "";
  FILE *file = script_open(path);
  bool found = file && fseek(file, -END, SEEK_END) == 0 && fread(end, 1, END, file) == END &&
               (memcmp(end + 2, mark, SIZE) == 0 || memcmp(end, mark, SIZE) == 0);
  if (file) fclose(file);
  return found;
}

static bool folder_is_own(const sinew_scene *scene, const char *path) {
  char folder[SCENE_PATH], resolved[SCENE_PATH];
  declarations_copy(folder, sizeof folder, path);
  char *slash = strrchr(folder, '/');
  if (slash) *slash = 0;
  return slash && scene->root_count > 0 && !scene->is_recorded && real(folder, resolved) &&
         (strcmp(resolved, scene->roots[0]) == 0 || is_inside(resolved, scene->roots[0]));
}

/* Files of sinew_pose_write begin with this text. */
static bool is_pose(const char *path) {
  static const char begin[] = "sinew pose ";
  char head[sizeof begin] = "";
  FILE *file = script_open(path);
  size_t got = file ? fread(head, 1, sizeof head - 1, file) : 0;
  if (file) fclose(file);
  return got == sizeof head - 1 && strcmp(head, begin) == 0;
}

static bool resolve_own(const sinew_scene *scene, const char *name, char out[SCENE_PATH], sinew_error *error) {
  return (!is_absolute(name) && join(out, scene->folder, name) && folder_is_own(scene, out)) ||
         declarations_fail(error, "'%s' is not in the scene's own folder, or in an existing folder below it", name);
}

/* A link is nobody's file, wherever it leads. */
static bool may_replace(const char *path, bool (*is_own)(const char *path)) {
  struct stat info;
  return lstat(path, &info) != 0 || (S_ISREG(info.st_mode) && is_own(path));
}

static bool resolve_film(const sinew_scene *scene, const char *name, char out[SCENE_PATH], sinew_error *error) {
  if (!ends_with(name, ".mp4") && !ends_with(name, ".webm") && !ends_with(name, ".gif"))
    return declarations_fail(error, "'%s' does not end in .mp4, .webm or .gif", name);
  return resolve_own(scene, name, out, error) &&
         (may_replace(out, is_film) ||
          declarations_fail(error, "'%s' exists and was not recorded by Sinew; it is not replaced", name));
}

static bool resolve_bake(const sinew_scene *scene, const char *name, char out[SCENE_PATH], sinew_error *error) {
  if (!ends_with(name, ".glb")) return declarations_fail(error, "'%s' does not end in .glb", name);
  return resolve_own(scene, name, out, error) &&
         (may_replace(out, scene_is_take) ||
          declarations_fail(error, "'%s' exists and was not baked by Sinew; it is not replaced", name));
}

static bool resolve_saved_pose(const sinew_scene *scene, const char *name, char out[SCENE_PATH], sinew_error *error) {
  if (!ends_with(name, ".pose")) return declarations_fail(error, "'%s' does not end in .pose", name);
  return resolve_own(scene, name, out, error) &&
         (may_replace(out, is_pose) ||
          declarations_fail(error, "'%s' exists and is not a pose; it is not replaced", name));
}

typedef bool resolve_function(const sinew_scene *scene, const char *name, char out[SCENE_PATH], sinew_error *error);

/* A replay of recorded scripts writes nothing (scene->is_recorded), without their knowing. */
static bool as_it_was(const sinew_scene *scene, resolve_function *ask, const char *name, char out[SCENE_PATH],
                      sinew_error *error) {
  sinew_answer answer = {0};
  out[0] = 0;
  if (scene->is_recorded && !outside_recall_text(scene, "write", name, &answer, error)) return true;
  if (scene->is_recorded) {
    take_path(&answer, out);
    return !answer.refused;
  }
  bool may = ask(scene, name, out, error);
  if (may) outside_note_text(scene, "write", name, out, strlen(out));
  else outside_note_refusal(scene, "write", name, error);
  return may;
}

bool scene_resolve_film(const sinew_scene *scene, const char *name, char out[SCENE_PATH], sinew_error *error) {
  return as_it_was(scene, resolve_film, name, out, error);
}

bool scene_resolve_bake(const sinew_scene *scene, const char *name, char out[SCENE_PATH], sinew_error *error) {
  return as_it_was(scene, resolve_bake, name, out, error);
}

bool scene_resolve_saved_pose(const sinew_scene *scene, const char *name, char out[SCENE_PATH], sinew_error *error) {
  return as_it_was(scene, resolve_saved_pose, name, out, error);
}

/* Called before the file is read, so that no save is missed. Files no longer needed stay watched, which does no harm.
 */
void scene_watch(sinew_scene *scene, const char *path) {
  sinew_error error;
  if (!sinew_host_watch(scene->host, path, &error))
    declarations_say(&scene->declarations, SINEW_LOG_WARNING, "%s", error.message);
}

void scene_add_file(sinew_scene *scene, const char *path) {
  watched_file *file = NULL;
  for (int i = 0; i < scene->file_count; i++)
    if (strcmp(scene->files[i].path, path) == 0) file = &scene->files[i];
  if (!file && scene->file_count < SCENE_FILES) {
    file = &scene->files[scene->file_count++];
    declarations_copy(file->path, SCENE_PATH, path);
  }
  if (file) file->seen = true;
  scene_watch(scene, path);
}

static long size_of(FILE *file) {
  if (fseek(file, 0, SEEK_END) != 0) return -1;
  long size = ftell(file);
  rewind(file);
  return size;
}

typedef struct file_box {
  FILE *file;
} file_box;

static int close_box(lua_State *L) {
  file_box *box = lua_touserdata(L, 1);
  if (box->file) fclose(box->file);
  box->file = NULL;
  return 0;
}

/* A box that closes the file when an allocation fails half-way. */
static file_box *push_box(lua_State *L) {
  file_box *box = lua_newuserdatauv(L, sizeof *box, 0);
  box->file = NULL;
  if (luaL_newmetatable(L, "sinew.file")) {
    lua_pushcfunction(L, close_box);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  return box;
}

static bool push_file(lua_State *L, const char *path, sinew_error *error) {
  file_box *box = push_box(L);
  box->file = script_open(path);
  long size = box->file ? size_of(box->file) : -1;
  bool fine = size > 0 && size <= SCENE_FILE_LIMIT;
  if (size == 0)
    declarations_fail(error, "the file '%s' is empty", path); /* some editors empty a file before they write it */
  if (!box->file) declarations_fail(error, "the file '%s' cannot be read", path);
  if (box->file && size != 0 && !fine) declarations_fail(error, "the file '%s' is larger than 16 MiB", path);
  if (fine) {
    char *text = lua_newuserdatauv(L, (size_t)size + 1, 0);
    size_t got = fread(text, 1, (size_t)size, box->file);
    lua_pushlstring(L, text, got);
    lua_remove(L, -2);
  }
  if (box->file) fclose(box->file);
  box->file = NULL;
  lua_remove(L, fine ? -2 : -1);
  return fine;
}

/* If the replay was given a scene, its initial files are compared with the recorded ones. */
static void compare_with_recorded(lua_State *L, const char *path) {
  sinew_scene *scene = scene_of(L);
  sinew_answer answer;
  sinew_error error;
  size_t size;
  if (scene->loaded_once || sinew_host_is_recorded(scene->host) ||
      !outside_recall_text(scene, "text", path, &answer, &error) || answer.refused)
    return;
  const char *text = lua_tolstring(L, -1, &size);
  if (size != answer.size || memcmp(text, answer.data, size) != 0)
    declarations_say(&scene->declarations, SINEW_LOG_WARNING,
                     "%s has changed since the run was recorded, so the replay may differ", path);
}

bool scene_push_file(lua_State *L, const char *path, sinew_error *error) {
  const sinew_scene *scene = scene_of(L);
  sinew_answer answer;
  size_t size;
  if (scene->is_recorded && outside_recall_text(scene, "text", path, &answer, error)) {
    if (!answer.refused) lua_pushlstring(L, answer.data, answer.size);
    return !answer.refused;
  }
  bool read = scene_uses_disk(scene)
                  ? push_file(L, path, error)
                  : declarations_fail(error, "the file '%s' is not in the %s", path, outside_source(scene));
  const char *text = read ? lua_tolstring(L, -1, &size) : NULL;
  if (read) compare_with_recorded(L, path);
  if (read) outside_note_text(scene, "text", path, text, size);
  else outside_note_refusal(scene, "text", path, error);
  return read;
}
