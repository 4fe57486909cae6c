#include "import/source/assimp/assimp_scene.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* Without a rate in the file, 25 ticks per second. */
static double ticks_per_second(const struct aiAnimation *animation) {
  return animation->mTicksPerSecond > 0 ? animation->mTicksPerSecond : 25;
}

static raw_track *add_track(raw_model *raw, raw_clip *clip, track_kind kind, int node, unsigned keys) {
  raw_track *track =
      raw_grow(raw, (void **)&clip->tracks, &clip->track_count, &clip->track_capacity, sizeof *clip->tracks);
  if (!track) return NULL;
  *track = (raw_track){.kind = kind, .node = node, .key_count = (int)keys};
  track->times = raw_alloc(raw, keys, sizeof *track->times);
  track->values = raw_alloc(raw, (size_t)keys * (size_t)clip_kind_width(kind), sizeof *track->values);
  return track->times && track->values ? track : NULL;
}

static bool add_vectors(raw_model *raw, raw_clip *clip, track_kind kind, int node, const struct aiVectorKey *keys,
                        unsigned count, double rate) {
  if (count == 0) return true;
  raw_track *track = add_track(raw, clip, kind, node, count);
  if (!track) return false;
  for (unsigned i = 0; i < count; i++) {
    track->times[i] = keys[i].mTime / rate;
    memcpy(track->values + (size_t)i * 3, (float[]){keys[i].mValue.x, keys[i].mValue.y, keys[i].mValue.z},
           3 * sizeof(float));
  }
  return true;
}

static bool add_rotations(raw_model *raw, raw_clip *clip, int node, const struct aiQuatKey *keys, unsigned count,
                          double rate) {
  if (count == 0) return true;
  raw_track *track = add_track(raw, clip, TRACK_ROTATION, node, count);
  if (!track) return false;
  for (unsigned i = 0; i < count; i++) {
    const struct aiQuaternion *q = &keys[i].mValue;
    track->times[i] = keys[i].mTime / rate;
    memcpy(track->values + (size_t)i * 4, (float[]){q->x, q->y, q->z, q->w}, 4 * sizeof(float));
  }
  return true;
}

static bool add_channel(assimp_source *source, raw_clip *clip, const struct aiNodeAnim *channel, double rate,
                        int *unbound) {
  raw_model *raw = source->raw;
  int node = name_index_find(&source->names, channel->mNodeName.data);
  if (node < 0) {
    (*unbound)++;
    return true;
  }
  return add_rotations(raw, clip, node, channel->mRotationKeys, channel->mNumRotationKeys, rate) &&
         add_vectors(raw, clip, TRACK_TRANSLATION, node, channel->mPositionKeys, channel->mNumPositionKeys, rate) &&
         add_vectors(raw, clip, TRACK_SCALE, node, channel->mScalingKeys, channel->mNumScalingKeys, rate);
}

/* ---- morph weights ---- */

/* Adds one curve for each target; a key contains values only for the targets that it lists. `tracks` has room for one
 * number per target. */
static bool add_morph_tracks(raw_model *raw, raw_clip *clip, int mesh, const struct aiMeshMorphAnim *anim, double rate,
                             int *tracks) {
  unsigned targets = (unsigned)raw->meshes[mesh].morph_count;
  for (unsigned t = 0; t < targets; t++) tracks[t] = 0;
  for (unsigned k = 0; k < anim->mNumKeys; k++)
    for (unsigned i = 0; i < anim->mKeys[k].mNumValuesAndWeights; i++)
      if (anim->mKeys[k].mValues[i] < targets) tracks[anim->mKeys[k].mValues[i]]++;
  for (unsigned t = 0; t < targets; t++) {
    raw_track *track = tracks[t] ? add_track(raw, clip, TRACK_MORPH, mesh, (unsigned)tracks[t]) : NULL;
    if (tracks[t] && !track) return false;
    if (!track) continue;
    track->target = (int)t;
    track->key_count = 0;
    tracks[t] = clip->track_count - 1;
  }
  for (unsigned k = 0; k < anim->mNumKeys; k++)
    for (unsigned i = 0; i < anim->mKeys[k].mNumValuesAndWeights; i++) {
      if (anim->mKeys[k].mValues[i] >= targets) continue;
      raw_track *track = clip->tracks + tracks[anim->mKeys[k].mValues[i]];
      track->times[track->key_count] = anim->mKeys[k].mTime / rate;
      track->values[track->key_count++] = (float)anim->mKeys[k].mWeights[i];
    }
  return true;
}

/* FBX writes "Node*0"; glTF the node's name. */
static bool is_morph_of(const char *channel, const char *name) {
  size_t length = strlen(name);
  return length > 0 && strncmp(channel, name, length) == 0 && (channel[length] == '\0' || channel[length] == '*');
}

static bool add_morph_channel(assimp_source *source, raw_clip *clip, const struct aiMeshMorphAnim *anim, double rate,
                              int *unbound) {
  raw_model *raw = source->raw;
  bool bound = false;
  for (int m = 0; m < raw->mesh_count; m++) {
    const raw_mesh *mesh = raw->meshes + m;
    const char *node = mesh->node < 0 ? "" : raw->nodes[mesh->node].name;
    if (!is_morph_of(anim->mName.data, node) && !is_morph_of(anim->mName.data, mesh->name)) continue;
    bound = true;
    int *tracks = raw_alloc(raw, (size_t)mesh->morph_count, sizeof *tracks);
    if (!tracks || !add_morph_tracks(raw, clip, m, anim, rate, tracks)) return false;
  }
  *unbound += !bound;
  return true;
}

/* ---- clips ---- */

/* Assimp 5.2 calls the Collada clip 'Walk' 'Walk_Walk'. */
static void fold_double_name(char *name) {
  size_t half = strlen(name) / 2;
  if (half > 0 && strlen(name) == 2 * half + 1 && name[half] == '_' && strncmp(name, name + half + 1, half) == 0)
    name[half] = '\0';
}

static bool read_clip(assimp_source *source, const struct aiAnimation *animation) {
  raw_model *raw = source->raw;
  raw_clip *clip = raw_grow(raw, (void **)&raw->clips, &raw->clip_count, &raw->clip_capacity, sizeof *raw->clips);
  if (!clip) return false;
  char *name = assimp_string(raw, &animation->mName);
  *clip = (raw_clip){.name = name};
  if (!name) return false;
  if (raw->format == RAW_COLLADA) fold_double_name(name);
  double rate = ticks_per_second(animation);
  int unbound = 0;
  for (unsigned i = 0; i < animation->mNumChannels; i++)
    if (!add_channel(source, clip, animation->mChannels[i], rate, &unbound)) return false;
  for (unsigned i = 0; i < animation->mNumMorphMeshChannels; i++)
    if (!add_morph_channel(source, clip, animation->mMorphMeshChannels[i], rate, &unbound)) return false;
  if (unbound &&
      !raw_note_count(raw, unbound, "clip '%s': %d {channel|channels} dropped: the file has no node of that name",
                      clip->name, unbound))
    return false;
  return animation->mNumMeshChannels == 0 ||
         raw_note_count(raw, animation->mNumMeshChannels,
                        "clip '%s': %u {mesh sequence is|mesh sequences are} not read", clip->name,
                        animation->mNumMeshChannels);
}

bool assimp_read_clips(assimp_source *source) {
  if (!name_index_build(&source->names, source->raw)) return false;
  for (unsigned i = 0; i < source->scene->mNumAnimations; i++)
    if (!read_clip(source, source->scene->mAnimations[i])) return false;
  return true;
}
