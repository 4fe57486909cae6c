/* sinew info – what is in a model file, for people and (--json) for programs. */
#include "cli/cli.h"
#include "cli/json.h"
#include "cli/pack_print.h"

#include "base/file.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- counting ---- */

typedef struct totals {
  int vertices, triangles, nodes, bound_joints;
} totals;

static bool is_bound(const sinew_model *model, int joint) {
  for (int s = 0; s < sinew_model_skin_count(model); s++) {
    sinew_skin_view skin = sinew_model_skin(model, s);
    if (skin.count == 1) continue; /* a rigid mesh's own node */
    for (int i = 0; i < skin.count; i++)
      if (skin.joints[i] == joint) return true;
  }
  return false;
}

static totals count_all(const sinew_model *model) {
  totals sum = {0};
  for (int i = 0; i < sinew_model_joint_count(model); i++) {
    sum.nodes += sinew_model_joint_file_index(model, i) >= 0;
    sum.bound_joints += is_bound(model, i);
  }
  for (int i = 0; i < sinew_model_mesh_count(model); i++) {
    sinew_mesh_view mesh = sinew_model_mesh(model, i);
    sum.vertices += mesh.vertex_count;
    sum.triangles += mesh.index_count / 3;
  }
  return sum;
}

/* The most influences that a vertex of the mesh really has. */
static int count_influences(const sinew_mesh_view *mesh) {
  int most = 0;
  for (int v = 0; v < mesh->vertex_count; v++)
    for (int k = most; k < mesh->influences; k++)
      if (mesh->weights[v * mesh->influences + k] > 0) most = k + 1;
  return most;
}

static double clip_rate(const sinew_clip *clip) {
  double duration = sinew_clip_duration(clip);
  int rows = sinew_clip_frame_count(clip);
  return duration > 0 && rows > 1 ? (rows - 1) / duration : 0;
}

static const char *shown(const char *name) { return name[0] ? name : "(no name)"; }

static const char *plural(int count) { return count == 1 ? "" : "s"; }

/* ---- for people ---- */

static int file_depth(const sinew_model *model, int joint) {
  int depth = -1;
  for (; joint > 0; joint = sinew_model_joint_parent(model, joint))
    depth += sinew_model_joint_file_index(model, joint) >= 0;
  return depth;
}

/* The joints in the file's order. */
static int *order_nodes(const sinew_model *model, int count) {
  int *nodes = calloc((size_t)count + 1, sizeof *nodes);
  for (int i = 0; nodes && i < sinew_model_joint_count(model); i++) {
    int index = sinew_model_joint_file_index(model, i);
    if (index >= 0) nodes[index] = i;
  }
  return nodes;
}

static void print_branch(const sinew_model *model, int joint);

static void print_hung_meshes(const sinew_model *model, int joint) {
  const char *before = "   mesh ";
  for (int i = 0; i < sinew_model_mesh_count(model); i++) {
    sinew_mesh_view mesh = sinew_model_mesh(model, i);
    if (mesh.joint != joint) continue;
    printf("%s%s", before, shown(mesh.name));
    before = ", ";
  }
}

static void print_children(const sinew_model *model, int joint) {
  for (int i = joint + 1; i < sinew_model_joint_count(model); i++)
    if (sinew_model_joint_parent(model, i) == joint) print_branch(model, i);
}

static void print_branch(const sinew_model *model, int joint) {
  if (sinew_model_joint_file_index(model, joint) >= 0) {
    printf("  %*s%s%s", 2 * file_depth(model, joint), "", shown(sinew_model_joint_name(model, joint)),
           is_bound(model, joint) ? " *" : "");
    print_hung_meshes(model, joint);
    putchar('\n');
  }
  print_children(model, joint);
}

static void print_tree(const sinew_model *model, const totals *sum) {
  printf("\nNodes (%d, of which %d are bound to skins, marked *)\n", sum->nodes, sum->bound_joints);
  print_children(model, 0);
}

static void print_meshes(const sinew_model *model) {
  int count = sinew_model_mesh_count(model);
  if (count) printf("\nMeshes (%d)\n", count);
  for (int i = 0; i < count; i++) {
    sinew_mesh_view mesh = sinew_model_mesh(model, i);
    sinew_material material = {.name = ""};
    if (mesh.material >= 0) material = sinew_model_material(model, mesh.material);
    printf("  %-24s %7d vertices %7d triangles  %d influence%s  %d joint%s  material %s", shown(mesh.name),
           mesh.vertex_count, mesh.index_count / 3, count_influences(&mesh), plural(count_influences(&mesh)),
           sinew_model_skin(model, mesh.skin).count, plural(sinew_model_skin(model, mesh.skin).count),
           mesh.material >= 0 ? shown(material.name) : "none");
    for (int m = 0; m < mesh.morph_count; m++) printf("%s%s", m ? ", " : "  morphs ", shown(mesh.morphs[m].name));
    putchar('\n');
  }
}

static void print_materials(const sinew_model *model) {
  int materials = sinew_model_material_count(model), images = sinew_model_image_count(model);
  if (materials) printf("\nMaterials (%d)\n", materials);
  for (int i = 0; i < materials; i++) {
    sinew_material m = sinew_model_material(model, i);
    text_print(stdout, "  %-24s colour %.2g %.2g %.2g  roughness %.2g  metallic %.2g", shown(m.name),
               (double)m.base_color[0], (double)m.base_color[1], (double)m.base_color[2], (double)m.roughness,
               (double)m.metallic);
    int image = m.textures[SINEW_TEXTURE_BASE_COLOR].image;
    if (image >= 0) printf("  image %s", shown(sinew_model_image(model, image).name));
    putchar('\n');
  }
  if (images) printf("\nImages (%d)\n", images);
  for (int i = 0; i < images; i++) {
    sinew_image_view image = sinew_model_image(model, i);
    printf("  %-24s %d x %d", shown(image.name), image.width, image.height);
    if (image.packed) printf("  packed in %llu KB", (unsigned long long)image.packed_size / 1024);
    putchar('\n');
  }
}

static void print_clips(const sinew_model *model) {
  int count = sinew_model_clip_count(model);
  if (count) printf("\nClips (%d)\n", count);
  for (int i = 0; i < count; i++) {
    const sinew_clip *clip = sinew_model_clip(model, i);
    text_print(stdout, "  #%-3d %-24s %7.3f s  %5d rows  %5.1f a second  %6zu bytes  %4.1f bits  within %.3f mm", i,
               shown(sinew_clip_name(clip)), sinew_clip_duration(clip), sinew_clip_frame_count(clip), clip_rate(clip),
               sinew_clip_size(clip), sinew_clip_bits(clip), sinew_clip_error(clip) * 1000);
    if (strcmp(sinew_clip_file_name(clip), sinew_clip_name(clip)) != 0)
      printf("  in its file '%s'", sinew_clip_file_name(clip));
    if (sinew_clip_start(clip) != 0) text_print(stdout, "  begins at %.4g s in the file", sinew_clip_start(clip));
    putchar('\n');
  }
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
  printf("    %s:", title);
  const char *before = " ";
  for (int i = 0; i < file->match_count; i++) {
    const sinew_joint_match *match = file->matches + i;
    if (match->kind != (int32_t)kind) continue;
    printf("%s%s", before, match->theirs);
    if (match->joint >= 0) printf(" -> %s", sinew_model_joint_name(model, match->joint));
    before = ", ";
  }
  putchar('\n');
}

static bool is_matched(const sinew_clip_file_view *file, int joint) {
  for (int i = 0; i < file->match_count; i++)
    if (file->matches[i].joint == joint) return true;
  return false;
}

/* Joints that bend the skin and that no clip of the file reaches. */
static void print_unreached(const sinew_model *model, const sinew_clip_file_view *file) {
  const char *before = "    stay at rest: ";
  bool any = false;
  for (int i = 1; i < sinew_model_joint_count(model); i++) {
    if (!is_bound(model, i) || is_matched(file, i)) continue;
    printf("%s%s", before, shown(sinew_model_joint_name(model, i)));
    before = ", ";
    any = true;
  }
  if (any) putchar('\n');
}

static void print_clip_files(const sinew_model *model) {
  int count = sinew_model_clip_file_count(model);
  if (count) printf("\nClip files (%d): whose joints move which\n", count);
  for (int i = 0; i < count; i++) {
    sinew_clip_file_view file = sinew_model_clip_file(model, i);
    printf("  %-24s %d by name, %d by the map, %d guessed, %d without a partner; %s", file.path,
           count_kind(&file, SINEW_MATCH_NAME), count_kind(&file, SINEW_MATCH_MAP),
           count_kind(&file, SINEW_MATCH_GUESS), count_kind(&file, SINEW_MATCH_NONE),
           file.corrected ? "corrected for another skeleton" : "curves as they are");
    if (file.scale != 1) text_print(stdout, ", lengths times %.4g", (double)file.scale);
    putchar('\n');
    print_pairs(model, &file, SINEW_MATCH_MAP, "by the map");
    print_pairs(model, &file, SINEW_MATCH_GUESS, "guessed");
    print_pairs(model, &file, SINEW_MATCH_NONE, "without a partner");
    print_unreached(model, &file);
  }
}

static void print_notes(const sinew_model *model) {
  int count = sinew_model_note_count(model);
  if (count) printf("\nNotes: what was repaired, dropped or guessed (%d)\n", count);
  for (int i = 0; i < count; i++) printf("  - %s\n", sinew_model_note(model, i));
}

/* Many files are in centimetres and do not say so. */
static void print_size(const sinew_model *model, const totals *sum) {
  sinew_vec3 low, high;
  sinew_model_bounds(model, &low, &high);
  double width = (double)(high.x - low.x), height = (double)(high.y - low.y), depth = (double)(high.z - low.z);
  double size = fmax(width, fmax(height, depth));
  text_print(stdout, "  %.4g m wide, %.4g m high, %.4g m deep; stands between y %.4g and %.4g\n", width, height, depth,
             (double)low.y, (double)high.y);
  if (sum->bound_joints > 0 && (size > 30 || size < 0.03))
    printf("  That is %s for a character. Is the file in %smetres? --unit %s, in Lua unit = %s\n",
           size > 1 ? "large" : "small", size > 1 ? "centi" : "", size > 1 ? "0.01" : "1", size > 1 ? "0.01" : "1");
}

static void print_importer(void) {
  sinew_importer importer = sinew_importer_check();
  printf("\nImport\n  %s\n",
         !importer.is_separate    ? "in this process, without limits and without a jail: only for files that you trust"
         : !importer.limits_calls ? "by sinew-import, under limits and without a jail: this system has no seccomp"
         : importer.limits_files
             ? "by sinew-import, under limits and in a jail (seccomp, Landlock)"
             : "by sinew-import, under limits and in a jail (seccomp; this kernel has no Landlock)");
}

/* Those that plant, root_motion and find_steps take where a scene names no joints. */
static void print_roles(const sinew_model *model) {
  int joints[SINEW_ROLES], count = 0;
  if (!sinew_model_roles(model, joints)) return;
  for (int i = 0; i < SINEW_ROLES; i++) {
    if (joints[i] < 0) continue;
    printf("%s%s %s", count++ ? ", " : "\nRoles, guessed from names\n  ", sinew_role_name((sinew_role)i),
           sinew_model_joint_name(model, joints[i]));
  }
  if (count) printf("\n");
}

static void print_json_roles(const sinew_model *model) {
  int joints[SINEW_ROLES], count = 0;
  printf(",\n\"roles\":{");
  sinew_model_roles(model, joints);
  for (int i = 0; i < SINEW_ROLES; i++) {
    if (joints[i] < 0) continue;
    printf("%s\"%s\":", count++ ? "," : "", sinew_role_name((sinew_role)i));
    json_string(sinew_model_joint_name(model, joints[i]));
  }
  printf("}");
}

static void print_text(const sinew_model *model) {
  totals sum = count_all(model);
  printf("%s\n  %d node%s, %d mesh%s (%d vertices, %d triangles), %d clip%s\n", sinew_model_path(model), sum.nodes,
         plural(sum.nodes), sinew_model_mesh_count(model), sinew_model_mesh_count(model) == 1 ? "" : "es", sum.vertices,
         sum.triangles, sinew_model_clip_count(model), plural(sinew_model_clip_count(model)));
  if (sum.vertices) print_size(model, &sum);
  print_tree(model, &sum);
  print_roles(model);
  print_meshes(model);
  print_materials(model);
  print_clips(model);
  print_clip_files(model);
  print_notes(model);
  print_importer();
}

/* ---- for programs ---- */

static int json_parent(const sinew_model *model, int joint) {
  do joint = sinew_model_joint_parent(model, joint);
  while (joint > 0 && sinew_model_joint_file_index(model, joint) < 0);
  return joint > 0 ? sinew_model_joint_file_index(model, joint) : -1;
}

static bool print_json_nodes(const sinew_model *model, const totals *sum) {
  int *nodes = order_nodes(model, sum->nodes);
  if (!nodes) return false;
  printf("\"nodes\":[");
  for (int i = 0; i < sum->nodes; i++) {
    printf("%s{\"name\":", i ? ",\n" : "");
    json_string(sinew_model_joint_name(model, nodes[i]));
    printf(",\"parent\":%d,\"bound\":%s}", json_parent(model, nodes[i]), is_bound(model, nodes[i]) ? "true" : "false");
  }
  printf("]");
  free(nodes);
  return true;
}

static void print_json_meshes(const sinew_model *model) {
  printf(",\n\"meshes\":[");
  for (int i = 0; i < sinew_model_mesh_count(model); i++) {
    sinew_mesh_view mesh = sinew_model_mesh(model, i);
    printf("%s{\"name\":", i ? ",\n" : "");
    json_string(mesh.name);
    printf(",\"node\":%d,\"vertices\":%d,\"triangles\":%d,\"influences\":%d,\"joints\":%d,\"material\":%d,\"morphs\":[",
           sinew_model_joint_file_index(model, mesh.joint), mesh.vertex_count, mesh.index_count / 3,
           count_influences(&mesh), sinew_model_skin(model, mesh.skin).count, mesh.material);
    for (int m = 0; m < mesh.morph_count; m++) {
      if (m) putchar(',');
      json_string(mesh.morphs[m].name);
    }
    printf("]}");
  }
  printf("]");
}

static void print_json_layers(const sinew_material *m) {
  text_print(stdout,
             ",\"unlit\":%s,\"normal_scale\":%.9g,\"occlusion_strength\":%.9g,\"clearcoat\":%.9g,"
             "\"clearcoat_roughness\":%.9g,\"clearcoat_normal_scale\":%.9g,\"sheen_roughness\":%.9g,\"sheen_color\":",
             m->unlit ? "true" : "false", (double)m->normal_scale, (double)m->occlusion_strength, (double)m->clearcoat,
             (double)m->clearcoat_roughness, (double)m->clearcoat_normal_scale, (double)m->sheen_roughness);
  json_floats(m->sheen_color, 3);
}

/* "normal_image", and beside it "normal_uv_set" and "normal_transform" where there is one. */
static void print_json_textures(const sinew_material *m) {
  static const char *const roles[] = {"base_color",      "normal",          "metallic_roughness",  "emissive",
                                      "occlusion",       "clearcoat",       "clearcoat_roughness", "sheen_color",
                                      "sheen_roughness", "clearcoat_normal"};
  for (int i = 0; i < SINEW_TEXTURE_ROLES; i++) {
    static const float none[6];
    const sinew_texture *t = m->textures + i;
    printf(",\"%s_image\":%d", roles[i], t->image);
    if (t->image < 0) continue;
    printf(",\"%s_uv_set\":%d", roles[i], t->uv_set);
    if (memcmp(t->transform, none, sizeof none) == 0) continue;
    printf(",\"%s_transform\":", roles[i]);
    json_floats(t->transform, 6);
  }
}

static void print_json_materials(const sinew_model *model) {
  static const char *const alpha[] = {"opaque", "mask", "blend"};
  printf(",\n\"materials\":[");
  for (int i = 0; i < sinew_model_material_count(model); i++) {
    sinew_material m = sinew_model_material(model, i);
    printf("%s{\"name\":", i ? ",\n" : "");
    json_string(m.name);
    printf(",\"base_color\":");
    json_floats(m.base_color, 4);
    printf(",\"emissive\":");
    json_floats(m.emissive, 3);
    text_print(stdout,
               ",\"metallic\":%.9g,\"roughness\":%.9g,\"alpha\":\"%s\",\"alpha_cutoff\":%.9g,\"double_sided\":%s",
               (double)m.metallic, (double)m.roughness, alpha[m.alpha_mode], (double)m.alpha_cutoff,
               m.double_sided ? "true" : "false");
    print_json_layers(&m);
    print_json_textures(&m);
    putchar('}');
  }
  printf("],\n\"images\":[");
  for (int i = 0; i < sinew_model_image_count(model); i++) {
    static const char *const wraps[] = {"repeat", "clamp", "mirror"};
    sinew_image_view image = sinew_model_image(model, i);
    printf("%s{\"name\":", i ? ",\n" : "");
    json_string(image.name);
    printf(",\"width\":%d,\"height\":%d,\"wrap\":[\"%s\",\"%s\"],\"packed\":%llu}", image.width, image.height,
           wraps[image.wrap_u], wraps[image.wrap_v], (unsigned long long)image.packed_size);
  }
  printf("]");
}

/* Of a clip of another file. */
static void print_json_fit(const sinew_clip *clip) {
  sinew_fit fit = sinew_clip_fit(clip);
  if (fit.clip_file < 0) return;
  text_print(stdout, ",\"clip_file\":%d,\"compared\":%s,\"fits\":%s,\"under_ground\":%.9g,\"hips\":%.9g,\"limbs\":%.9g",
             fit.clip_file, fit.is_compared ? "true" : "false", fit.fits ? "true" : "false", (double)fit.under_ground,
             (double)fit.hips, (double)fit.limbs);
}

static void print_json_clips(const sinew_model *model) {
  printf(",\n\"clips\":[");
  for (int i = 0; i < sinew_model_clip_count(model); i++) {
    const sinew_clip *clip = sinew_model_clip(model, i);
    printf("%s{\"name\":", i ? ",\n" : "");
    json_string(sinew_clip_name(clip));
    printf(",\"file_name\":");
    json_string(sinew_clip_file_name(clip));
    print_json_fit(clip);
    text_print(
        stdout,
        ",\"duration\":%.9g,\"start\":%.9g,\"rows\":%d,\"rate\":%.9g,\"bytes\":%zu,\"bits\":%.3g,\"error\":%.9g}",
        sinew_clip_duration(clip), sinew_clip_start(clip), sinew_clip_frame_count(clip), clip_rate(clip),
        sinew_clip_size(clip), sinew_clip_bits(clip), sinew_clip_error(clip));
  }
  printf("]");
}

static void print_json_clip_files(const sinew_model *model) {
  static const char *const kinds[] = {"none", "map", "name", "guess"};
  printf(",\n\"clip_files\":[");
  for (int i = 0; i < sinew_model_clip_file_count(model); i++) {
    sinew_clip_file_view file = sinew_model_clip_file(model, i);
    printf("%s{\"path\":", i ? ",\n" : "");
    json_string(file.path);
    text_print(stdout, ",\"corrected\":%s,\"scale\":%.9g,\"joints\":[", file.corrected ? "true" : "false",
               (double)file.scale);
    for (int k = 0; k < file.match_count; k++) {
      printf("%s{\"theirs\":", k ? "," : "");
      json_string(file.matches[k].theirs);
      printf(",\"match\":\"%s\",\"ours\":", kinds[file.matches[k].kind]);
      if (file.matches[k].joint < 0) printf("null}");
      else json_string(sinew_model_joint_name(model, file.matches[k].joint)), putchar('}');
    }
    printf("]}");
  }
  printf("]");
}

static bool print_json(const sinew_model *model) {
  totals sum = count_all(model);
  sinew_vec3 low, high;
  sinew_model_bounds(model, &low, &high);
  printf("{\"path\":");
  json_string(sinew_model_path(model));
  printf(",\n\"bounds\":{\"minimum\":");
  json_floats(&low.x, 3);
  printf(",\"maximum\":");
  json_floats(&high.x, 3);
  printf("},\n");
  if (!print_json_nodes(model, &sum)) return false;
  print_json_meshes(model);
  print_json_materials(model);
  print_json_clips(model);
  print_json_clip_files(model);
  print_json_roles(model);
  printf(",\n\"notes\":[");
  for (int i = 0; i < sinew_model_note_count(model); i++) {
    if (i) printf(",\n");
    json_string(sinew_model_note(model, i));
  }
  printf("]}\n");
  return true;
}

typedef struct info_request {
  bool json;
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
  bool printed = !r->json || print_json(model);
  if (!r->json) print_text(model);
  sinew_model_release(model);
  return printed ? 0 : cli_fail("%s: out of memory", r->path);
}

int cli_info(int argc, char **argv) {
  info_request r = {.load = sinew_load_options_default()};
  int count;
  const cli_option options[] = {
      {"--json", CLI_FLAG, &r.json, "print JSON"},
      {"--model", CLI_TEXT, &r.model, "FILE  for a folder: the model that plays its clips"},
      {"--sort", CLI_TEXT, &r.order, "COLUMN  for a folder: sort by this; -speed puts the fastest first"},
      CLI_CLIPS_OPTION(&r.more),
      CLI_LOAD_OPTIONS(&r.more)};
  const cli_usage usage = {"info",
                           "MODEL|FOLDER",
                           "Says what is in a model file, and what the import repaired or dropped. For a folder, "
                           "prints a row for each clip.",
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
