/* Finds our counterpart of a field in another engine: action:fadeIn, actor.timeScale, sinew.tween. */
#include "core/api.h"

#include <string.h>

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
} known[] = {
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
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].owner, owner) == 0 && strcmp(known[i].said, word) == 0) return known[i].sentence;
  return NULL;
}
