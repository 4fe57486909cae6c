/* Finds our counterpart of a name in another engine: of an option ("duration" of a transition, "bone", "timeScale"), or
 * of a field (action:fadeIn, actor.timeScale, sinew.tween). */
#include "core/api.h"

#include <ctype.h>
#include <string.h>

/* Words from other engines, in lower case without underscores; our words for them, in order of preference; or a
 * sentence, if we have no such word. */
static const struct {
  const char *said, *ours, *owner, *sentence;
} options_said[] = {
    {"from", "", "transition", "the two states come first: { \"idle\", \"walk\", fade = 0.2 }"},
    {"to", "", "transition", "the two states come first: { \"idle\", \"walk\", fade = 0.2 }"},
    {"target", "", "transition", "the two states come first: { \"idle\", \"walk\", fade = 0.2 }"},
    {"children", "", "", "the children are listed in the table itself, without a name"},
    {"samples", "", "", "the samples are listed in the table itself, without a name"},
    {"motions", "", "", "the samples are listed in the table itself, without a name"},
    {"points", "", "", "the samples are listed in the table itself, without a name"},
    {"duration", "fade seconds", "", NULL},
    {"transition", "fade", "", NULL},
    {"transitionduration", "fade", "", NULL},
    {"transitiontime", "fade", "", NULL},
    {"crossfade", "fade", "", NULL},
    {"crossfadetime", "fade", "", NULL},
    {"blendtime", "fade", "", NULL},
    {"blendin", "fade", "", NULL},
    {"fadein", "fade", "", NULL},
    {"fadeduration", "fade", "", NULL},
    {"xfade", "fade", "", NULL},
    {"xfadetime", "fade", "", NULL},
    {"blendout", "fade_out", "", NULL},
    {"blendouttime", "fade_out", "", NULL},
    {"condition", "when", "", NULL},
    {"conditions", "when", "", NULL},
    {"predicate", "when", "", NULL},
    {"advancecondition", "when", "", NULL},
    {"event", "on", "", NULL},
    {"trigger", "on", "", NULL},
    {"message", "on", "", NULL},
    {"exittime", "before_end", "", NULL},
    {"hasexittime", "before_end", "", NULL},
    {"atend", "before_end", "", NULL},
    {"easing", "ease", "", NULL},
    {"curve", "ease", "", NULL},
    {"interpolation", "ease", "", NULL},
    {"offset", "time position", "", NULL},
    {"starttime", "time from", "", NULL},
    {"startoffset", "time from", "", NULL},
    {"start", "time from", "", NULL},
    {"normalizedtime", "time", "", NULL},
    {"endtime", "to", "", NULL},
    {"rate", "speed", "", NULL},
    {"playrate", "speed", "", NULL},
    {"timescale", "speed", "", NULL},
    {"playbackrate", "speed", "", NULL},
    {"playbackspeed", "speed", "", NULL},
    {"speedscale", "speed", "", NULL},
    {"loops", "loop", "", NULL},
    {"looping", "loop", "", NULL},
    {"repeat", "loop", "", NULL},
    {"repetitions", "loop", "", NULL},
    {"wrapmode", "loop", "", NULL},
    {"loopmode", "loop", "", NULL},
    {"influence", "weight", "", NULL},
    {"intensity", "weight", "", NULL},
    {"strength", "weight", "", NULL},
    {"alpha", "weight opacity", "", NULL},
    {"amount", "weight", "", NULL},
    {"avatarmask", "mask", "", NULL},
    {"bonemask", "mask", "", NULL},
    {"filter", "mask", "", NULL},
    {"filters", "mask", "", NULL},
    {"blendmode", "mode blend", "", NULL},
    {"additive", "mode", "", NULL},
    {"bone", "joint tip joints chain", "", NULL},
    {"bones", "joints chain", "", NULL},
    {"joint", "tip chain joints", "", NULL},
    {"joints", "chain joint", "", NULL},
    {"tipbone", "tip", "", NULL},
    {"endbone", "tip", "", NULL},
    {"effector", "tip", "", NULL},
    {"endeffector", "tip", "", NULL},
    {"rootbone", "root upper joint", "", NULL},
    {"goal", "target", "", NULL},
    {"lookat", "target", "", NULL},
    {"aim", "target", "", NULL},
    {"hint", "pole", "", NULL},
    {"poletarget", "pole", "", NULL},
    {"polevector", "pole", "", NULL},
    {"elbow", "pole", "", NULL},
    {"knee", "pole", "", NULL},
    {"maxangle", "limit", "", NULL},
    {"clamp", "limit", "", NULL},
    {"smoothtime", "half_life smooth", "", NULL},
    {"damping", "half_life smooth", "", NULL},
    {"smoothing", "half_life smooth", "", NULL},
    {"parameter", "param param_x", "", NULL},
    {"axis", "param param_x", "", NULL},
    {"blendparameter", "param param_x", "", NULL},
    {"parameters", "params", "", NULL},
    {"parameterx", "param_x", "", NULL},
    {"parametery", "param_y", "", NULL},
    {"synchronize", "sync", "", NULL},
    {"syncgroup", "sync", "", NULL},
    {"entry", "start", "", NULL},
    {"initial", "start", "", NULL},
    {"initialstate", "start", "", NULL},
    {"default", "start", "", NULL},
    {"animations", "clips states", "", NULL},
    {"pos", "position", "", NULL},
    {"location", "position", "", NULL},
    {"translation", "position", "", NULL},
    {"rot", "rotation", "", NULL},
    {"orientation", "rotation", "", NULL},
    {"size", "scale", "", NULL},
    {"color", "tint", "", NULL},
    {"parent", "joint", "", NULL},
    {"units", "unit", "", NULL},
    {"importscale", "unit", "", NULL},
    {"upaxis", "up", "", NULL},
};

/* "timeScale", "time_scale" and "TimeScale" are one word. */
void api_plain_word(const char *said, char out[API_WORD]) {
  int size = 0;
  for (; *said && size + 1 < API_WORD; said++)
    if (*said != '_' && *said != ' ') out[size++] = (char)tolower((unsigned char)*said);
  out[size] = 0;
}

static const char *first_of(const char *words, const char *const *options, int count) {
  while (*words) {
    size_t size = strcspn(words, " ");
    for (int i = 0; i < count; i++)
      if (strlen(options[i]) == size && memcmp(options[i], words, size) == 0) return options[i];
    words += size + (words[size] == ' ');
  }
  return NULL;
}

option_hint option_hint_for(const char *owner, const char *said, const char *const *options, int count) {
  char word[API_WORD];
  api_plain_word(said, word);
  for (int i = 0; i < count; i++) {
    char plain[API_WORD];
    api_plain_word(options[i], plain);
    if (strcmp(plain, word) == 0) return (option_hint){options[i], NULL};
  }
  for (size_t i = 0; i < sizeof options_said / sizeof *options_said; i++) {
    bool here = !options_said[i].owner[0] || strcmp(options_said[i].owner, owner) == 0;
    if (strcmp(options_said[i].said, word) != 0 || !here) continue;
    const char *ours = first_of(options_said[i].ours, options, count);
    if (ours || options_said[i].sentence) return (option_hint){ours, options_said[i].sentence};
  }
  return (option_hint){NULL, NULL};
}

/* ---- fields ---- */

#define MODULE(name) "it is a module: local " name " = require \"sinew." name "\""
#define WEIGHT                                                                                                         \
  "set action.weight, or move it: tween.to(action, \"weight\", 0, 0.3); action:stop(0.3) fades an action out for good"
#define PARAMS "set a parameter by its name: actor.params.speed = 1.4; a trigger is an event: actor:send \"jump\""
#define CROSSFADE "actor:play(clip, { fade = 0.3 }) fades from whatever plays"
#define SPEED "actions, clips and other nodes of a graph have a speed: actor:play(clip, { speed = 2 })"

#define ONE_SHOT "actor:play(clip, { layer = \"upper\", loop = \"once\", fade_out = 0.2 }) returns by itself"

/* In lower case, without underscores. */
static const struct {
  const char *owner, *said, *sentence;
} fields_said[] = {
    {"sinew", "tween", MODULE("tween")},
    {"sinew", "task", MODULE("task")},
    {"sinew", "machine", MODULE("machine")},
    {"sinew", "input", MODULE("input")},
    {"sinew", "random", MODULE("random")},
    {"sinew", "vec", MODULE("vec")},
    {"sinew", "oneshot", ONE_SHOT},
    {"sinew", "montage", ONE_SHOT},
    {"sinew", "timescale", SPEED},
    {"sinew", "transition", "sinew.switch { param =, fade =, node, … } is one; so is a state of sinew.state_machine"},
    {"sinew", "blendtree", "sinew.blend, sinew.blend_space_1d and sinew.blend_space_2d are the nodes that blend"},
    {"sinew", "aimoffset", "an additive layer with a graph of its own: actor:set_graph(node, { layer = \"aim\" })"},
    {"action", "fade", WEIGHT},
    {"action", "fadein", WEIGHT},
    {"action", "fadeout", WEIGHT},
    {"action", "setweight", WEIGHT},
    {"action", "seteffectiveweight", WEIGHT},
    {"action", "startfade", WEIGHT},
    {"action", "crossfadeto", CROSSFADE},
    {"action", "crossfadefrom", CROSSFADE},
    {"action", "play", "it plays from the start; actor:play plays a clip again, action.time moves it"},
    {"actor", "crossfade", CROSSFADE},
    {"actor", "crossfadeto", CROSSFADE},
    {"actor", "speed", SPEED},
    {"actor", "timescale", SPEED},
    {"actor", "playbackspeed", SPEED},
    {"actor", "setfloat", PARAMS},
    {"actor", "setbool", PARAMS},
    {"actor", "setinteger", PARAMS},
    {"actor", "settrigger", PARAMS},
    {"actor", "trigger", PARAMS},
    {"actor", "set", PARAMS},
    {"actor", "travel", "a machine goes where its transitions lead: actor:send \"jump\" is the event of on = \"jump\""},
    {"layer", "playing", "actor:playing { layer = \"name\" }"},
    {"layer", "setweight", "set layer.weight, or fade it: layer:fade(0, 0.3)"},
};

const char *field_hint(const char *owner, const char *said) {
  char word[API_WORD];
  api_plain_word(said, word);
  for (size_t i = 0; i < sizeof fields_said / sizeof *fields_said; i++)
    if (strcmp(fields_said[i].owner, owner) == 0 && strcmp(fields_said[i].said, word) == 0)
      return fields_said[i].sentence;
  return NULL;
}
