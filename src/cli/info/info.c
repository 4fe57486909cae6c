/* sinew info – lists the contents of a model file, for people and (--json) for programs. */
#include "cli/info/info.h"

#include "base/file.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/info/facts.h"
#include "cli/info/space_hint.h"
#include "cli/pack.h"

#include <math.h>
#include <sinew/graph.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a model for people (info.c), and for programs as JSON (model_json.c) ---- */

static const char *shown(const char *name) { return name[0] ? name : "(no name)"; }

typedef struct tree {
  const sinew_model *model;
  const model_facts *facts;
} tree;

static void print_hung_meshes(const tree *t, int joint) {
  const char *before = "   mesh ";
  for (int i = t->facts->joints[joint].first_mesh; i >= 0; i = t->facts->next_mesh[i]) {
    text_show(stdout, "%s%s", before, shown(sinew_model_mesh(t->model, i).name));
    before = ", ";
  }
}

static void print_joint(const tree *t, int joint) {
  const joint_facts *facts = t->facts->joints + joint;
  if (sinew_model_joint_file_index(t->model, joint) < 0) return;
  text_show(stdout, "  %*s%s%s", 2 * facts->depth, "", shown(sinew_model_joint_name(t->model, joint)),
            facts->is_bound ? " *" : "");
  print_hung_meshes(t, joint);
  putchar('\n');
}

/* Without recursion, which a chain of thousands of joints would take far. */
static void print_tree(const tree *t, const model_totals *sum) {
  const joint_facts *joints = t->facts->joints;
  int bound = 0;
  for (int i = 0; i < sinew_model_joint_count(t->model); i++) bound += joints[i].is_bound;
  printf("\nNodes (%d, of which %d are bound to skins, marked *)\n", sum->nodes, bound);
  for (int joint = joints[0].first_child; joint > 0;) {
    print_joint(t, joint);
    int next = joints[joint].first_child;
    while (next < 0 && joint > 0) {
      next = joints[joint].next_child;
      joint = sinew_model_joint_parent(t->model, joint);
    }
    joint = next;
  }
}

static void print_meshes(const sinew_model *model) {
  int count = sinew_model_mesh_count(model);
  if (count) printf("\nMeshes (%d)\n", count);
  for (int i = 0; i < count; i++) {
    sinew_mesh_view mesh = sinew_model_mesh(model, i);
    sinew_material material = {.name = ""};
    int triangles = mesh.index_count / 3, influences = facts_influences(&mesh);
    int joints = sinew_model_skin(model, mesh.skin).count;
    if (mesh.material >= 0) material = sinew_model_material(model, mesh.material);
    text_show(stdout, "  %-24s %7d vertices %7d %s  %d %s  %d %s  material %s", shown(mesh.name), mesh.vertex_count,
              triangles, text_plural(triangles, "triangle", "triangles"), influences,
              text_plural(influences, "influence", "influences"), joints, text_plural(joints, "joint", "joints"),
              mesh.material >= 0 ? shown(material.name) : "none");
    for (int m = 0; m < mesh.morph_count; m++)
      text_show(stdout, "%s%s", m ? ", " : "  morphs ", shown(mesh.morphs[m].name));
    putchar('\n');
  }
}

static void print_materials(const sinew_model *model) {
  int materials = sinew_model_material_count(model), images = sinew_model_image_count(model);
  if (materials) printf("\nMaterials (%d)\n", materials);
  for (int i = 0; i < materials; i++) {
    sinew_material m = sinew_model_material(model, i);
    text_show(stdout, "  %-24s colour %.2g %.2g %.2g  roughness %.2g  metallic %.2g", shown(m.name),
              (double)m.base_color[0], (double)m.base_color[1], (double)m.base_color[2], (double)m.roughness,
              (double)m.metallic);
    int image = m.textures[SINEW_TEXTURE_BASE_COLOR].image;
    if (image >= 0) text_show(stdout, "  image %s", shown(sinew_model_image(model, image).name));
    putchar('\n');
  }
  if (images) printf("\nImages (%d)\n", images);
  for (int i = 0; i < images; i++) {
    sinew_image_view image = sinew_model_image(model, i);
    text_show(stdout, "  %-24s %d x %d", shown(image.name), image.width, image.height);
    if (image.packed) printf("  packed in %llu KB", (unsigned long long)image.packed_size / 1024);
    putchar('\n');
  }
}

/* Returns whether the clip walks on the spot. */
static bool print_clip(const sinew_model *model, int index, bool *measured) {
  const sinew_clip *clip = sinew_model_clip(model, index);
  sinew_clip_survey survey;
  *measured = facts_survey(model, index, &survey);
  if (!*measured) return false;
  char speed[FACTS_SPEED];
  facts_speed_text(facts_speed(&survey), speed);
  text_show(stdout, "  #%-3d %-24s %7.3f s  %9s%s  %5d frames  %5.1f a second  %6zu bytes  %4.1f bits  within %.3f mm",
            index, shown(sinew_clip_name(clip)), sinew_clip_duration(clip), speed, survey.on_the_spot ? " *" : "  ",
            sinew_clip_frame_count(clip), facts_rate(clip), sinew_clip_size(clip), sinew_clip_bits(clip),
            sinew_clip_error(clip) * 1000);
  const char *own = sinew_clip_file_name(clip);
  if (own[0] && strcmp(own, sinew_clip_name(clip)) != 0) text_show(stdout, "  in its file '%s'", own);
  if (sinew_clip_start(clip) != 0) text_print(stdout, "  begins at %.4g s in the file", sinew_clip_start(clip));
  for (int i = 0; i < sinew_clip_curve_count(clip); i++)
    text_show(stdout, "%s%s", i ? ", " : "  curves ", sinew_clip_curve(clip, i).name);
  putchar('\n');
  return survey.on_the_spot;
}

static bool print_clips(const sinew_model *model) {
  int count = sinew_model_clip_count(model);
  bool on_the_spot = false, measured = true;
  if (count) printf("\nClips (%d)\n", count);
  for (int i = 0; i < count && measured; i++)
    if (print_clip(model, i, &measured)) on_the_spot = true;
  if (on_the_spot) printf("  * walks on the spot: the speed is that of its feet\n");
  return measured;
}

/* ---- clip files ---- */

static int count_kind(const sinew_clip_file_view *file, sinew_match_kind kind) {
  int count = 0;
  for (int i = 0; i < file->match_count; i++) count += file->matches[i].kind == (int32_t)kind;
  return count;
}

/* "  guessed: theirs -> ours, …" */
static void print_pairs(const sinew_model *model, const sinew_clip_file_view *file, sinew_match_kind kind,
                        const char *title) {
  if (count_kind(file, kind) == 0) return;
  text_show(stdout, "    %s:", title);
  const char *before = " ";
  for (int i = 0; i < file->match_count; i++) {
    const sinew_joint_match *match = file->matches + i;
    if (match->kind != (int32_t)kind) continue;
    text_show(stdout, "%s%s", before, match->theirs);
    if (match->joint >= 0) text_show(stdout, " -> %s", sinew_model_joint_name(model, match->joint));
    before = ", ";
  }
  putchar('\n');
}

static bool is_matched(const sinew_clip_file_view *file, int joint) {
  for (int i = 0; i < file->match_count; i++)
    if (file->matches[i].joint == joint) return true;
  return false;
}

/* Lists the joints that bend the skin but are in no clip of the file. */
static void print_unreached(const sinew_model *model, const model_facts *facts, const sinew_clip_file_view *file) {
  const char *before = "    stay at rest: ";
  bool any = false;
  for (int i = 1; i < sinew_model_joint_count(model); i++) {
    if (!facts->joints[i].is_bound || is_matched(file, i)) continue;
    text_show(stdout, "%s%s", before, shown(sinew_model_joint_name(model, i)));
    before = ", ";
    any = true;
  }
  if (any) putchar('\n');
}

static void print_clip_files(const sinew_model *model, const model_facts *facts) {
  int count = sinew_model_clip_file_count(model);
  if (count) printf("\nClip files (%d) and the joints that they move\n", count);
  for (int i = 0; i < count; i++) {
    sinew_clip_file_view file = sinew_model_clip_file(model, i);
    text_show(stdout, "  %-24s %d by name, %d by the map, %d guessed, %d without a partner; %s", file.path,
              count_kind(&file, SINEW_MATCH_NAME), count_kind(&file, SINEW_MATCH_MAP),
              count_kind(&file, SINEW_MATCH_GUESS), count_kind(&file, SINEW_MATCH_NONE),
              file.corrected ? "corrected for another skeleton" : "curves as they are");
    if (file.scale != 1) text_print(stdout, ", lengths times %.4g", (double)file.scale);
    putchar('\n');
    print_pairs(model, &file, SINEW_MATCH_MAP, "by the map");
    print_pairs(model, &file, SINEW_MATCH_GUESS, "guessed");
    print_pairs(model, &file, SINEW_MATCH_NONE, "without a partner");
    print_unreached(model, facts, &file);
  }
}

static void print_notes(const sinew_model *model) {
  int count = sinew_model_note_count(model);
  if (count) printf("\nNotes: what was repaired, dropped or guessed (%d)\n", count);
  for (int i = 0; i < count; i++) text_show(stdout, "  - %s\n", sinew_model_note(model, i));
}

/* A millionth of the height is rounding. */
static double without_rounding(float y, float height) { return fabsf(y) < 1e-6f * height ? 0 : (double)y; }

/* Many files are in centimetres without saying so, and many have z up. */
static void print_size(const sinew_model *model, const model_totals *sum) {
  char text[SPACE_HINT];
  sinew_vec3 low, high;
  sinew_model_bounds(model, &low, &high);
  if (sum->vertices)
    text_print(stdout, "  %.4g m wide, %.4g m high, %.4g m deep; stands between y %.4g and %.4g\n",
               (double)(high.x - low.x), (double)(high.y - low.y), (double)(high.z - low.z),
               without_rounding(low.y, high.y - low.y), without_rounding(high.y, high.y - low.y));
  double unit = space_hint_unit(model, text);
  if (unit > 0) text_show(stdout, "  %s --unit %.4g, in Lua unit = %.4g\n", text, unit, unit);
  const char *up = space_hint_up(model, text);
  if (up) text_show(stdout, "  %s --up %s, in Lua up = \"%s\"\n", text, up, up);
  const char *front = space_hint_front(model, text);
  if (front) text_show(stdout, "  %s --front %s, in Lua front = \"%s\"\n", text, front, front);
}

static void print_importer(void) {
  sinew_importer importer = sinew_importer_check();
  text_show(stdout, "\nImport\n  %s\n",
            !importer.is_separate ? "in this process, without limits and without a jail: only for files that you trust"
            : !importer.limits_calls ? "by sinew-import, under limits and without a jail: this system has no seccomp"
            : importer.limits_files
                ? "by sinew-import, under limits and in a jail (seccomp, Landlock)"
                : "by sinew-import, under limits and in a jail (seccomp; this kernel has no Landlock)");
}

/* Lists the joints that plant, root_motion and find_steps use by default. */
static void print_roles(const sinew_model *model) {
  int joints[SINEW_ROLES], count = 0;
  sinew_model_roles(model, joints);
  for (int i = 0; i < SINEW_ROLES; i++) {
    if (joints[i] < 0) continue;
    text_show(stdout, "%s%s %s", count++ ? ", " : "\nRoles\n  ", sinew_role_name((sinew_role)i),
              sinew_model_joint_name(model, joints[i]));
  }
  if (count) printf("\n");
}

/* Its size, feet, sides and front, with the evidence for each. */
static void model_print_rig(const sinew_model *model) {
  char text[SPACE_HINT], line[FACTS_FINDING];
  const char *front = space_hint_front(model, text);
  text_show(stdout, "\nBody\n  size %.3g of a person's, faces %s\n", sinew_model_size(model), front ? front : "+z");
  for (int i = 0; i < SINEW_FINDINGS; i++) {
    facts_finding_text(model, (sinew_finding_kind)i, line);
    text_show(stdout, "  %s\n", line);
  }
}

static bool print(const sinew_model *model, const model_facts *facts) {
  model_totals sum = facts_count(model);
  int meshes = sinew_model_mesh_count(model), clips = sinew_model_clip_count(model);
  text_show(stdout, "%s\n  %d %s, %d %s (%d vertices, %d %s), %d %s\n", sinew_model_path(model), sum.nodes,
            text_plural(sum.nodes, "node", "nodes"), meshes, text_plural(meshes, "mesh", "meshes"), sum.vertices,
            sum.triangles, text_plural(sum.triangles, "triangle", "triangles"), clips,
            text_plural(clips, "clip", "clips"));
  print_size(model, &sum);
  print_tree(&(tree){model, facts}, &sum);
  print_roles(model);
  print_meshes(model);
  print_materials(model);
  bool measured = print_clips(model);
  print_clip_files(model, facts);
  print_notes(model);
  print_importer();
  return measured;
}

/* False when memory runs out. */
static bool model_print(const sinew_model *model) {
  model_facts facts;
  bool printed = facts_find(model, &facts) && print(model, &facts);
  facts_free(&facts);
  return printed;
}

/* ---- info ---- */

typedef struct info_request {
  bool json, rig;
  const char *path, *model, *order;
  cli_load more;
  sinew_load_options load;
} info_request;

static int print_folder(const info_request *r) {
  pack p;
  sinew_error error;
  pack_column column = PACK_NAME;
  bool descending = false;
  if (r->order && !pack_read_order(r->order, &column, &descending))
    return cli_misuse("info", "--sort wants clip, file, length, speed, turn, seam, slide or fit, or -speed …, got '%s'",
                      r->order);
  bool opened = pack_open(&p, r->path, r->model, &r->load, &error);
  if (opened && r->order) pack_sort(&p, column, descending);
  if (opened) pack_print(&p, r->path, r->json);
  pack_close(&p);
  return opened ? 0 : cli_fail("%s", error.message);
}

static int print_model(const info_request *r) {
  sinew_error error = {""};
  sinew_model *model = sinew_model_load(r->path, &r->load, &error);
  if (!model) return cli_fail("%s", error.message);
  bool printed = r->json ? model_print_json(model) : model_print(model);
  if (printed && r->rig && !r->json) model_print_rig(model);
  sinew_model_release(model);
  return printed ? 0 : cli_fail("%s: out of memory", r->path);
}

int cli_info(int argc, char **argv) {
  info_request r = {.load = sinew_load_options_default()};
  int count;
  const cli_option options[] = {
      {"--json", CLI_FLAG, &r.json, "print JSON"},
      {"--rig", CLI_FLAG, &r.rig, "say what its body is taken for, and by what evidence"},
      {"--model", CLI_TEXT, &r.model, "FILE  for a folder: the model that plays its clips"},
      {"--sort", CLI_TEXT, &r.order, "COLUMN  for a folder: sort by this; -speed puts the fastest first"},
      CLI_CLIPS_OPTION(&r.more),
      CLI_LOAD_OPTIONS(&r.more)};
  const cli_usage usage = {"info",
                           "MODEL|FOLDER",
                           "Lists the contents of a model file, and what the import repaired or dropped. For a "
                           "folder, prints a row for each clip.",
                           options,
                           sizeof options / sizeof *options,
                           1,
                           1};
  int status = cli_parse(&usage, argc, argv, &r.path, &count);
  if (status < 0) status = cli_load_options("info", &r.more, &r.load);
  if (status >= 0) return status;
  r.load.max_influences = 8;
  return folder_exists(r.path) ? print_folder(&r) : print_model(&r);
}
