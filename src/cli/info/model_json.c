#include "cli/info/info.h"

#include "base/text.h"
#include "cli/info/facts.h"
#include "cli/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int json_parent(const sinew_model *model, int joint) {
  do joint = sinew_model_joint_parent(model, joint);
  while (joint > 0 && sinew_model_joint_file_index(model, joint) < 0);
  return joint > 0 ? sinew_model_joint_file_index(model, joint) : -1;
}

static bool print_json_nodes(const sinew_model *model, const model_totals *sum) {
  model_facts facts;
  int *nodes = facts_find(model, &facts) ? facts_nodes(model, sum->nodes) : NULL;
  printf("\"nodes\":[");
  for (int i = 0; nodes && i < sum->nodes; i++) {
    printf("%s{\"name\":", i ? ",\n" : "");
    json_string(sinew_model_joint_name(model, nodes[i]));
    printf(",\"parent\":%d,\"bound\":%s}", json_parent(model, nodes[i]),
           facts.joints[nodes[i]].is_bound ? "true" : "false");
  }
  printf("]");
  facts_free(&facts);
  free(nodes);
  return nodes != NULL;
}

static void print_json_meshes(const sinew_model *model) {
  printf(",\n\"meshes\":[");
  for (int i = 0; i < sinew_model_mesh_count(model); i++) {
    sinew_mesh_view mesh = sinew_model_mesh(model, i);
    printf("%s{\"name\":", i ? ",\n" : "");
    json_string(mesh.name);
    printf(",\"node\":%d,\"vertices\":%d,\"triangles\":%d,\"influences\":%d,\"joints\":%d,\"material\":%d,\"morphs\":[",
           sinew_model_joint_file_index(model, mesh.joint), mesh.vertex_count, mesh.index_count / 3,
           facts_influences(&mesh), sinew_model_skin(model, mesh.skin).count, mesh.material);
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

/* For a clip of another file. */
static void print_json_fit(const sinew_clip *clip) {
  sinew_fit fit = sinew_clip_fit(clip);
  if (fit.clip_file < 0) return;
  text_print(stdout, ",\"clip_file\":%d,\"compared\":%s,\"fits\":%s,\"under_ground\":%.9g,\"hips\":%.9g,\"limbs\":%.9g",
             fit.clip_file, fit.is_compared ? "true" : "false", fit.fits ? "true" : "false", (double)fit.under_ground,
             (double)fit.hips, (double)fit.limbs);
}

static bool print_json_survey(const sinew_model *model, int clip) {
  sinew_clip_survey survey;
  if (!facts_survey(model, clip, &survey)) return false;
  printf(",\"speed\":");
  json_number(facts_speed(&survey));
  text_print(stdout, ",\"turn\":%.9g,\"seam\":%.9g,\"slide\":", (double)survey.turn, (double)survey.seam);
  if (survey.has_feet) text_print(stdout, "%.9g", (double)survey.slide);
  else printf("null");
  printf(",\"on_the_spot\":%s,\"velocity\":", survey.on_the_spot ? "true" : "false");
  if (survey.has_velocity) json_floats(&survey.velocity.x, 3);
  else printf("null");
  return true;
}

static void print_json_curves(const sinew_clip *clip) {
  printf(",\"curves\":[");
  for (int i = 0; i < sinew_clip_curve_count(clip); i++) {
    sinew_curve_view curve = sinew_clip_curve(clip, i);
    printf("%s{\"name\":", i ? "," : "");
    json_string(curve.name);
    printf(",\"keys\":[");
    for (int k = 0; k < curve.count; k++)
      text_print(stdout, "%s[%.17g,%.17g]", k ? "," : "", curve.keys[k].time, curve.keys[k].value);
    printf("]}");
  }
  printf("]");
}

static bool print_json_clips(const sinew_model *model) {
  bool measured = true;
  printf(",\n\"clips\":[");
  for (int i = 0; measured && i < sinew_model_clip_count(model); i++) {
    const sinew_clip *clip = sinew_model_clip(model, i);
    printf("%s{\"name\":", i ? ",\n" : "");
    json_string(sinew_clip_name(clip));
    printf(",\"file_name\":");
    json_string(sinew_clip_file_name(clip));
    print_json_fit(clip);
    print_json_curves(clip);
    text_print(
        stdout,
        ",\"duration\":%.9g,\"start\":%.9g,\"frames\":%d,\"rate\":%.9g,\"bytes\":%zu,\"bits\":%.3g,\"error\":%.9g",
        sinew_clip_duration(clip), sinew_clip_start(clip), sinew_clip_frame_count(clip), facts_rate(clip),
        sinew_clip_size(clip), sinew_clip_bits(clip), sinew_clip_error(clip));
    measured = print_json_survey(model, i);
    printf("}");
  }
  printf("]");
  return measured;
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

bool model_print_json(const sinew_model *model) {
  model_totals sum = facts_count(model);
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
  bool measured = print_json_clips(model);
  print_json_clip_files(model);
  print_json_roles(model);
  printf(",\n\"notes\":[");
  for (int i = 0; i < sinew_model_note_count(model); i++) {
    if (i) printf(",\n");
    json_string(sinew_model_note(model, i));
  }
  printf("]}\n");
  return measured;
}
