#include "import/source/fbx/geometry/fbx_material.h"

#include "base/memory/memory.h"
#include "import/source/image.h"

#include <math.h>
#include <string.h>

/* ---- Pictures ---- */

/* ---- embedded pictures ---- */

static int base64_digit(unsigned char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Text files have base64, in one string or several; each may end with padding, whose bits are no content. */
static unsigned char *decode(const fbx_record *content, size_t *size) {
  size_t most = 1;
  for (uint32_t i = 0; i < content->value_count; i++)
    most += content->values[i].kind == FBX_STRING ? content->values[i].size : 0;
  unsigned char *out = mem_alloc(most);
  uint32_t bits = 0;
  int held = 0;
  *size = 0;
  for (uint32_t i = 0; out && i < content->value_count; i++)
    for (uint32_t k = 0; content->values[i].kind == FBX_STRING && k < content->values[i].size; k++) {
      int digit = base64_digit(content->values[i].bytes[k]);
      if (content->values[i].bytes[k] == '=') held = 0;
      if (digit < 0) continue;
      bits = bits << 6 | (uint32_t)digit;
      held += 6;
      if (held < 8) continue;
      held -= 8;
      out[(*size)++] = (unsigned char)(bits >> held);
    }
  return out;
}

static bool is_content(const fbx_record *content) {
  return content && content->value_count && content->values[0].kind == FBX_STRING && content->values[0].size > 0;
}

static const char *last_part(const char *path) {
  const char *part = path;
  for (const char *c = path; *c; c++)
    if (*c == '/' || *c == '\\') part = c + 1;
  return part;
}

static const char *const relative_names[] = {"RelativeFilename", "RelativeFileName"};
static const char *const names[] = {"FileName", "Filename"};

static const char *file_name(fbx_scene *scene, const fbx_record *record, const char *const *spelled) {
  const fbx_record *found = fbx_child(record, spelled[0]);
  return fbx_text(scene->file, found ? found : fbx_child(record, spelled[1]), 0);
}

/* The texture's own video, else any with the same file name: a picture used several times may be stored once. */
static const fbx_record *find_content(fbx_scene *scene, const fbx_object *texture, const char *name) {
  const fbx_object *own = fbx_first_child(scene, texture, FBX_VIDEO);
  const fbx_record *content = own ? fbx_child(own->record, "Content") : NULL;
  if (is_content(content)) return content;
  for (int i = 0; name[0] && i < scene->object_count; i++) {
    const fbx_object *video = scene->objects + i;
    if (video->type != FBX_VIDEO || !is_content(fbx_child(video->record, "Content"))) continue;
    const char *other = file_name(scene, video->record, names);
    if (other && strcmp(last_part(other), last_part(name)) == 0) return fbx_child(video->record, "Content");
  }
  return NULL;
}

static bool load_content(fbx_scene *scene, const fbx_record *content, const char *name, sinew_image_view *image) {
  raw_model *raw = scene->raw;
  if (!scene->file->text) return image_from_memory(raw, name, content->values[0].bytes, content->values[0].size, image);
  size_t size;
  unsigned char *bytes = decode(content, &size);
  bool loaded =
      bytes ? image_from_memory(raw, name, bytes, size, image) : image_placeholder(raw, name, "is too large", image);
  mem_free(bytes);
  return loaded;
}

/* ---- names ---- */

static sinew_wrap wrap_of(const fbx_object *texture, const char *name) {
  return fbx_property(texture, name, 0) == 1 ? SINEW_WRAP_CLAMP : SINEW_WRAP_REPEAT;
}

/* A program without a path for a picture may write that of a folder: ".", "C:\\art\\". */
static bool is_folder(const char *path) {
  const char *part = last_part(path);
  return !part[0] || strcmp(part, ".") == 0 || strcmp(part, "..") == 0;
}

/* The file name in a texture or its video, the relative one first. "" if there is none. */
static const char *find_name(fbx_scene *scene, const fbx_object *texture) {
  const fbx_object *video = fbx_first_child(scene, texture, FBX_VIDEO);
  const fbx_record *records[] = {texture->record, video ? video->record : NULL};
  const char *name = "";
  for (int i = 0; name && !name[0] && i < 2; i++) {
    name = file_name(scene, records[i], relative_names);
    if (name && !name[0]) name = file_name(scene, records[i], names);
    if (name && is_folder(name)) name = "";
  }
  return name;
}

/* The lowest of several layers. */
static const fbx_object *lowest(const fbx_scene *scene, const fbx_object *texture) {
  return texture->type == FBX_LAYERED_TEXTURE ? fbx_first_child(scene, texture, FBX_TEXTURE) : texture;
}

/* The same without adding a raw image: sets `found`, and puts the pixels into raw memory. */
static bool fbx_load_texture(fbx_scene *scene, const fbx_object *texture, sinew_image_view *image, bool *found) {
  texture = lowest(scene, texture);
  const char *name = texture ? find_name(scene, texture) : "";
  *found = false;
  if (!name) return false;
  const fbx_record *content = texture ? find_content(scene, texture, name) : NULL;
  if (!texture) return true;
  if (!name[0] && !content) scene->without_picture = texture->name;
  if (!name[0] && !content) return true;
  if (!name[0]) name = texture->name;
  *image = (sinew_image_view){
      .name = name, .wrap_u = wrap_of(texture, "WrapModeU"), .wrap_v = wrap_of(texture, "WrapModeV")};
  *found = true;
  int known = image_find(scene->raw, image);
  if (known >= 0) {
    *image = scene->raw->images[known];
    return true;
  }
  image->name = raw_string(scene->raw, name);
  if (!image->name) return false;
  return content ? load_content(scene, content, image->name, image) : image_from_file(scene->raw, image->name, image);
}

/* ---- where it lies ---- */

/* A property's transform about a pivot: `turn` is 2 × 2. */
static void rotate_about(const double *rotation, const double *pivot, double m[6]) {
  double about[6];
  for (int r = 0; r < 2; r++) {
    const double *row = rotation + 2 * r;
    for (int c = 0; c < 3; c++) about[3 * r + c] = row[0] * m[c] + row[1] * m[3 + c];
    about[3 * r + 2] += pivot[r] - row[0] * pivot[0] - row[1] * pivot[1];
  }
  memcpy(m, about, sizeof about);
}

/* From positions in the picture to coordinates: [swap] · T · Rp · R · Rp⁻¹ · Sp · S · Sp⁻¹. */
static void picture_to_uv(const fbx_object *texture, double m[6]) {
  double move[3] = {0}, angles[3] = {0}, scale[3] = {1, 1, 1}, turn_pivot[3] = {0}, scale_pivot[3] = {0};
  static const double identity[6] = {1, 0, 0, 0, 1, 0}, swap[4] = {0, 1, 1, 0}, origin[2] = {0, 0};
  fbx_property_vector(texture, "Translation", move);
  fbx_property_vector(texture, "Rotation", angles);
  fbx_property_vector(texture, "Scaling", scale);
  fbx_property_vector(texture, "TextureRotationPivot", turn_pivot);
  fbx_property_vector(texture, "TextureScalingPivot", scale_pivot);
  double radians = angles[2] * 0.017453292519943295, c = sinew_cos(radians), s = sinew_sin(radians);
  memcpy(m, identity, sizeof identity);
  rotate_about((double[]){scale[0], 0, 0, scale[1]}, scale_pivot, m);
  rotate_about((double[]){c, -s, s, c}, turn_pivot, m);
  m[2] += move[0];
  m[5] += move[1];
  if (fbx_property(texture, "UVSwap", 0) != 0) rotate_about(swap, origin, m);
}

/* The texture's transform is the inverse of the above. V points up there, and down here. */
static bool read_transform(fbx_scene *scene, const fbx_object *texture, float t[6]) {
  static const double plain[6] = {1, 0, 0, 0, 1, 0};
  double m[6];
  picture_to_uv(texture, m);
  double determinant = m[0] * m[4] - m[1] * m[3];
  if (memcmp(m, plain, sizeof m) == 0) return true;
  if (!(fabs(determinant) > 1e-12) || !isfinite(determinant + m[2] + m[5]))
    return raw_note(scene->raw, "texture '%s': its scale is zero, so the coordinates are used as they are",
                    texture->name);
  double a = m[4] / determinant, b = -m[1] / determinant, c = -m[3] / determinant, d = m[0] / determinant;
  double up = 1 - m[5];
  t[0] = (float)a, t[1] = (float)-b, t[2] = (float)(b * up - a * m[2]);
  t[3] = (float)-c, t[4] = (float)d, t[5] = (float)(1 + c * m[2] - d * up);
  return true;
}

/* fbx_material.c: reads the picture of a texture (or of the lowest layer of a layered one) as a raw image, and its
 * transform; `out` does not change if there is none. False when memory runs out. */
static bool fbx_read_texture(fbx_scene *scene, const fbx_object *texture, sinew_texture *out) {
  sinew_image_view image;
  bool found;
  if (!fbx_load_texture(scene, texture, &image, &found)) return false;
  if (!found) return true;
  out->image = image_find(scene->raw, &image);
  if (out->image < 0) out->image = image_add(scene->raw, &image);
  return out->image >= 0 && read_transform(scene, lowest(scene, texture), out->transform);
}

/* ---- the roles of textures ---- */

typedef enum role { COLOR, NORMAL, EMISSIVE, OPACITY, ROLE_COUNT } role;

/* The properties that textures are connected to, preferred ones first. */
static const char *const channels[ROLE_COUNT][9] = {
    [COLOR] = {"Maya|baseColor", "Maya|TEX_color_map", "3dsMax|Parameters|base_color_map", "DiffuseColor",
               "DiffuseFactor", "Diffuse", "Texture alpha"},
    [NORMAL] = {"NormalMap", "Maya|normalCamera", "Maya|TEX_normal_map", "3dsMax|Parameters|norm_map"},
    [EMISSIVE] = {"EmissiveColor", "Maya|emissionColor", "Maya|TEX_emissive_map", "3dsMax|Parameters|emit_color_map"},
    [OPACITY] = {"TransparentColor", "TransparencyFactor", "Opacity", "Maya|opacity", "3dsMax|Parameters|cutout_map"},
};

static const fbx_object *texture_at(const fbx_scene *scene, const fbx_object *material, const char *channel) {
  for (int i = 0; i < material->child_count; i++) {
    const fbx_link *link = scene->links + scene->children[material->first_child + i];
    const fbx_object *from = scene->objects + link->from;
    bool texture = from->type == FBX_TEXTURE || from->type == FBX_LAYERED_TEXTURE;
    if (texture && strcmp(link->property, channel) == 0) return from;
  }
  return NULL;
}

static const fbx_object *find_texture(const fbx_scene *scene, const fbx_object *material, role what) {
  const fbx_object *found = NULL;
  for (int i = 0; !found && channels[what][i]; i++) found = texture_at(scene, material, channels[what][i]);
  return found;
}

/* Before 7.0, textures are connected to the model beside its material. */
static const fbx_object *find_model_texture(const fbx_scene *scene, const fbx_object *material) {
  const fbx_object *model = scene->file->version < 7000 ? fbx_first_owner(scene, material, FBX_MODEL) : NULL;
  return model ? fbx_first_child(scene, model, FBX_TEXTURE) : NULL;
}

static bool read_textures(fbx_scene *scene, const fbx_object *material, sinew_material *m) {
  const fbx_object *color = find_texture(scene, material, COLOR), *normal = find_texture(scene, material, NORMAL);
  const fbx_object *emissive = find_texture(scene, material, EMISSIVE);
  if (!color) color = find_model_texture(scene, material);
  return (!color || fbx_read_texture(scene, color, m->textures + SINEW_TEXTURE_BASE_COLOR)) &&
         (!normal || fbx_read_texture(scene, normal, m->textures + SINEW_TEXTURE_NORMAL)) &&
         (!emissive || fbx_read_texture(scene, emissive, m->textures + SINEW_TEXTURE_EMISSIVE));
}

/* ---- opacity ---- */

/* A missing picture leaves the material opaque. */
static bool read_opacity(fbx_scene *scene, const fbx_object *material, sinew_material *m) {
  const fbx_object *texture = find_texture(scene, material, OPACITY);
  sinew_image_view opacity;
  bool found = false;
  if (!texture || !fbx_load_texture(scene, texture, &opacity, &found)) return !texture;
  return !found || image_take_opacity(scene->raw, m, &opacity);
}

/* Writers disagree on TransparencyFactor: a value that would make a material invisible is ignored. */
static double find_opacity(const fbx_object *material) {
  double color[3] = {0}, factor = fbx_property(material, "TransparencyFactor", 0), opacity = 1;
  if (fbx_has_property(material, "Opacity")) opacity = fbx_property(material, "Opacity", 1);
  else if (fbx_property_vector(material, "TransparentColor", color) != FBX_ABSENT)
    opacity = 1 - factor * (color[0] + color[1] + color[2]) / 3;
  return opacity > 0 && opacity < 1 ? opacity : 1;
}

/* ---- colours ---- */

/* A colour and its factor; in older files a single property has both. */
static bool read_color(const fbx_object *material, const char *color, const char *factor, const char *both,
                       float *rgb) {
  double value[3] = {0}, f = fbx_property(material, factor, 1);
  bool found = fbx_property_vector(material, color, value) != FBX_ABSENT;
  if (!found) {
    f = 1;
    found = fbx_property_vector(material, both, value) != FBX_ABSENT;
  }
  for (int k = 0; found && k < 3; k++) rgb[k] = (float)(f * value[k]);
  return found;
}

/* The same formula as in Blender's exporter and importer. */
static float read_roughness(const fbx_object *material) {
  double shininess = fbx_property(material, "ShininessExponent", fbx_property(material, "Shininess", -1));
  double guess = shininess >= 0 ? 1 - sqrt(fmin(shininess, 100)) / 10 : 0.8;
  double said = fbx_property(material, "Maya|specularRoughness", fbx_property(material, "Maya|roughness", guess));
  return (float)fmax(fbx_property(material, "3dsMax|Parameters|roughness", said), 0.05);
}

static float read_metallic(const fbx_object *material) {
  double said = fbx_property(material, "Maya|metalness", fbx_property(material, "Maya|metallic", 0));
  return (float)fbx_property(material, "3dsMax|Parameters|metalness", said);
}

static bool is_black(const float *rgb) { return rgb[0] == 0 && rgb[1] == 0 && rgb[2] == 0; }

static bool read_material(fbx_scene *scene, const fbx_object *from, sinew_material *m) {
  static const float white[3] = {1, 1, 1};
  *m = sinew_material_default();
  m->name = raw_string(scene->raw, from->name);
  for (int i = 0; i < 3; i++) m->base_color[i] = 0.8f;
  m->double_sided = true;
  if (!m->name || !read_textures(scene, from, m)) return false;
  read_color(from, "DiffuseColor", "DiffuseFactor", "Diffuse", m->base_color);
  read_color(from, "Maya|baseColor", "Maya|base", "3dsMax|Parameters|base_color", m->base_color);
  if (m->textures[SINEW_TEXTURE_BASE_COLOR].image >= 0)
    memcpy(m->base_color, white, sizeof white); /* a texture replaces the colour */
  read_color(from, "EmissiveColor", "EmissiveFactor", "Emissive", m->emissive);
  if (m->textures[SINEW_TEXTURE_EMISSIVE].image >= 0 && is_black(m->emissive)) memcpy(m->emissive, white, sizeof white);
  m->metallic = read_metallic(from);
  m->roughness = read_roughness(from);
  m->base_color[3] = (float)find_opacity(from);
  if (m->base_color[3] < 1) m->alpha_mode = SINEW_ALPHA_BLEND;
  return read_opacity(scene, from, m);
}

bool fbx_read_materials(fbx_scene *scene, fbx_materials *materials) {
  raw_model *raw = scene->raw;
  int count = 0;
  for (int i = 0; i < scene->object_count; i++) count += scene->objects[i].type == FBX_MATERIAL;
  raw->materials = raw_alloc(raw, (size_t)count, sizeof *raw->materials);
  materials->index = fbx_take(scene->file, (size_t)scene->object_count, sizeof *materials->index);
  if (!raw->materials || !materials->index) return false;
  for (int i = 0; i < scene->object_count; i++) {
    if (scene->objects[i].type != FBX_MATERIAL) continue;
    if (!read_material(scene, scene->objects + i, raw->materials + raw->material_count)) return false;
    materials->index[i] = ++raw->material_count;
  }
  return true;
}
