#include <sinew/pose_file.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "base/text.h"
#include "model/model.h"
#include "model/names/model_names.h"
#include "model/pose_group.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VERSION = 1, NUMBERS = 10, NUMBER_SIZE = 17, MOST_JOINTS = 65536, LIMIT = 16 << 20 };

/* ---- writing ---- */

static size_t most_bytes(const sinew_model *model) {
  size_t size = 64;
  for (int i = 1; i < model->joint_count; i++) size += 4 * strlen(sinew_model_joint_name(model, i)) + 1;
  return size + (size_t)model->joint_count * NUMBERS * NUMBER_SIZE;
}

static char *put_name(char *at, const char *name) {
  for (; *name; name++) {
    unsigned char c = (unsigned char)*name;
    if (c < ' ' || c == '\\') at += sprintf(at, "\\x%02x", c);
    else *at++ = (char)c;
  }
  *at++ = '\n';
  return at;
}

static bool put_joint(char **at, const sinew_model *model, int joint, sinew_pose pose) {
  float v[NUMBERS];
  sinew_transform t = sinew_pose_joint(&pose, joint);
  memcpy(v, &t, sizeof v);
  for (int i = 0; i < NUMBERS; i++) {
    if (!isfinite(v[i])) return false;
    *at += text_format(*at, NUMBER_SIZE, "%.9g ", (double)v[i]);
  }
  *at = put_name(*at, sinew_model_joint_name(model, joint));
  return true;
}

bool sinew_pose_write(const char *path, const sinew_model *model, sinew_pose pose, sinew_error *error) {
  if (pose.joint_count != model->joint_count)
    return error_set(error, "%s: the pose has %d joints and the model %d", path, pose.joint_count, model->joint_count);
  size_t most = most_bytes(model);
  char *text = mem_alloc(most);
  if (!text) return error_memory(error, path, most);
  char *at = text + sprintf(text, "sinew pose %d\njoints %d\n", VERSION, model->joint_count - 1);
  int joint = 1;
  while (joint < model->joint_count && put_joint(&at, model, joint, pose)) joint++;
  bool finite = joint == model->joint_count;
  at += sprintf(at, "end\n");
  bool written = finite && file_write(path, text, (size_t)(at - text), error);
  if (!finite) error_set(error, "%s: the joint '%s' is not finite", path, sinew_model_joint_name(model, joint));
  mem_free(text);
  return written;
}

/* ---- reading ---- */

typedef struct reader {
  const char *path;
  char *at;
  int line;
  const sinew_model *model;
  sinew_transform *joints;  /* of the model */
  joint_entry *entries;     /* of names */
  int entry_count, *passed; /* for the first entry with a name: the number of joints taken with that name */
  uint8_t *found;
  sinew_error *error;
} reader;

static bool fail(const reader *r, const char *what) { return error_set(r->error, "%s:%d: %s", r->path, r->line, what); }

/* The next line with content; NULL at the end. */
static char *next_line(reader *r) {
  for (;;) {
    char *line = r->at;
    if (!*line) return NULL;
    size_t size = strcspn(line, "\n");
    r->at += size + (line[size] == '\n');
    r->line++;
    line[size] = 0;
    if (size > 0 && line[size - 1] == '\r') line[size - 1] = 0;
    if (*line && *line != '#') return line;
  }
}

static int hex(char c) {
  const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c | 32) : NULL;
  return at ? (int)(at - digits) : -1;
}

/* In place, because the name only becomes shorter. */
static void read_name(char *name) {
  char *to = name;
  for (const char *from = name; *from; to++) {
    bool escaped = from[0] == '\\' && from[1] == 'x' && hex(from[2]) >= 0 && hex(from[3]) >= 0;
    *to = escaped ? (char)(hex(from[2]) * 16 + hex(from[3])) : *from;
    from += escaped ? 4 : 1;
  }
  *to = 0;
}

static const char *read_joint(char *line, sinew_transform *t, char **name) {
  float v[NUMBERS];
  for (int i = 0; i < NUMBERS; i++) {
    char *end;
    v[i] = (float)text_number(line, &end);
    if (end == line || (*end != ' ' && *end)) return "a joint is ten numbers and a name";
    if (!isfinite(v[i])) return "a number is not finite";
    line = end;
  }
  memcpy(t, v, sizeof v);
  double length = 0;
  for (int i = 3; i < 7; i++) length += (double)v[i] * (double)v[i];
  if (!(fabs(length - 1) <= 1e-3)) return "the rotation is not of unit length";
  *name = line + (*line == ' ');
  read_name(*name);
  return NULL;
}

/* A file has as many names as the model has joints, so all are sorted first: rank 0 is a joint's name, rank 1 the name
 * without a prefix. */
static void sort_names(reader *r) {
  for (int i = 1; i < r->model->joint_count; i++) {
    const char *name = sinew_model_joint_name(r->model, i), *bare = joint_name_bare(name);
    r->entries[r->entry_count++] = (joint_entry){.name = name, .joint = i};
    if (bare != name) r->entries[r->entry_count++] = (joint_entry){.name = bare, .joint = i, .rank = 1};
  }
  joint_index_sort(r->entries, r->entry_count);
}

static bool is_named(const reader *r, int entry, const char *name, int rank) {
  return entry < r->entry_count && r->entries[entry].rank == rank && strcmp(r->entries[entry].name, name) == 0;
}

/* The first joint with that name that is still free; −1 if there is none, −2 if all are taken. */
static int find_joint(const reader *r, const char *name) {
  int first = joint_index_find(r->entries, r->entry_count, name), *passed = r->passed + first;
  for (; is_named(r, first + *passed, name, 0); ++*passed) {
    int joint = r->entries[first + *passed].joint;
    if (!r->found[joint]) return joint;
  }
  if (is_named(r, first, name, 0)) return -2;
  bool bare = *name && is_named(r, first, name, 1) && !r->found[r->entries[first].joint];
  return bare ? r->entries[first].joint : -1;
}

static bool read_line(reader *r, char *line, const sinew_pose_report *report) {
  sinew_transform t;
  char *name;
  const char *reason = read_joint(line, &t, &name);
  if (reason) return fail(r, reason);
  int joint = find_joint(r, name);
  if (joint == -2) return error_set(r->error, "%s:%d: the joint '%s' is listed twice", r->path, r->line, name);
  if (joint > 0) r->joints[joint] = t, r->found[joint] = 1;
  else if (report && report->unknown) report->unknown(report->user, name);
  return true;
}

static bool read_head(reader *r, int *count) {
  int version, used = 0;
  const char *line = next_line(r);
  if (!line || sscanf(line, "sinew pose %d%n", &version, &used) != 1 || line[used])
    return error_set(r->error, "%s: this is not a pose: it does not begin with \"sinew pose 1\"", r->path);
  if (version != VERSION)
    return error_set(r->error, "%s: the pose has version %d, and this program reads version %d", r->path, version,
                     VERSION);
  used = 0;
  line = next_line(r);
  if (!line || sscanf(line, "joints %d%n", count, &used) != 1 || line[used] || *count < 0 || *count > MOST_JOINTS)
    return fail(r, "\"joints\" and their number, 65536 at most, come second");
  return true;
}

static bool read_all(reader *r, const sinew_pose_report *report) {
  int count;
  if (!read_head(r, &count)) return false;
  for (int i = 0; i < count; i++) {
    char *line = next_line(r);
    if (!line || strcmp(line, "end") == 0)
      return error_set(r->error, "%s: it ends after %d of %d joints", r->path, i, count);
    if (!read_line(r, line, report)) return false;
  }
  const char *line = next_line(r);
  if (!line) return error_set(r->error, "%s: \"end\" is missing: the file is not whole", r->path);
  if (strcmp(line, "end") != 0) return fail(r, "after the last joint comes \"end\"");
  return !next_line(r) || fail(r, "there is something after \"end\"");
}

static void take_over(const reader *r, sinew_pose output, const sinew_pose_report *report) {
  sinew_pose rest = model_rest_pose(r->model);
  memcpy(output.groups, rest.groups, (size_t)sinew_pose_group_count(rest.joint_count) * sizeof *rest.groups);
  for (int i = 1; i < r->model->joint_count; i++) {
    if (r->found[i]) sinew_pose_set_joint(&output, i, r->joints + i);
    else if (report && report->missing) report->missing(report->user, i);
  }
}

/* Terminates the lines in the text. */
static bool read_lines(reader *r, sinew_pose output, const sinew_pose_report *report) {
  size_t count = (size_t)r->model->joint_count;
  const size_t each = 2 * sizeof *r->entries + 2 * sizeof *r->passed + sizeof *r->joints + 1;
  r->entries = mem_alloc_array(count, each);
  if (!r->entries) return error_memory(r->error, r->path, count * each);
  r->joints = (sinew_transform *)(r->entries + 2 * count);
  r->passed = (int *)(r->joints + count);
  r->found = (uint8_t *)(r->passed + 2 * count);
  sort_names(r);
  bool good = read_all(r, report);
  if (good) take_over(r, output, report);
  mem_free(r->entries);
  return good;
}

static bool fits(const char *path, const sinew_model *model, sinew_pose output, sinew_error *error) {
  return output.joint_count == model->joint_count ||
         error_set(error, "%s: the pose has %d joints and the model %d", path, output.joint_count, model->joint_count);
}

bool sinew_pose_read(const char *path, const sinew_model *model, sinew_pose output, const sinew_pose_report *report,
                     sinew_error *error) {
  size_t size;
  if (!fits(path, model, output, error)) return false;
  char *text = (char *)file_read(path, LIMIT, &size, error);
  bool good = text && (strlen(text) == size || error_set(error, "%s: this is not text", path)) &&
              read_lines(&(reader){.path = path, .at = text, .model = model, .error = error}, output, report);
  mem_free(text);
  return good;
}

bool sinew_pose_read_text(const char *path, const char *text, const sinew_model *model, sinew_pose output,
                          const sinew_pose_report *report, sinew_error *error) {
  if (!fits(path, model, output, error)) return false;
  char *copy = mem_copy_string(text);
  reader r = {.path = path, .at = copy, .model = model, .error = error};
  bool good = copy ? read_lines(&r, output, report) : error_memory(error, path, strlen(text));
  mem_free(copy);
  return good;
}
