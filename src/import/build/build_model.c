#include "import/body/raw_body.h"
#include "import/build/build.h"

static bool describe(raw_model *raw, const sinew_load_options *options, model_desc *desc) {
  if (!build_skeleton(raw, options->raw, desc) || !build_clips(raw, options->exact, options->tolerance, desc) ||
      !build_meshes(raw, options->max_influences, desc))
    return false;
  if (raw->notes_left_out) {
    int left_out = raw->notes_left_out;
    raw->note_count--; /* room for the last word */
    if (!raw_note_count(raw, left_out + 1, "and %d more {note like this|notes like these}", left_out + 1)) return false;
  }
  desc->body = raw->body ? raw->body : raw_body(raw, raw, options);
  if (!desc->body) return false;
  desc->path = raw->path;
  desc->materials = raw->materials;
  desc->material_count = raw->material_count;
  desc->images = raw->images;
  desc->image_count = raw->image_count;
  desc->notes = raw->notes;
  desc->note_count = raw->note_count;
  desc->clip_files = raw->clip_files;
  desc->clip_file_count = raw->clip_file_count;
  return true;
}

sinew_model *build_model(raw_model *raw, const sinew_load_options *options) {
  model_desc desc = {0};
  return describe(raw, options, &desc) ? model_create(&desc, raw->error) : NULL;
}
