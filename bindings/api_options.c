/* Sets of options, and the list of all tables. */
#include "api.h"

#define OPTION(owner, name, type, doc)                                                                                 \
  { owner, name, API_OPTION, type, "", doc, .data = 0 }

const api_entry api_option_entries[] = {
    OPTION("model_options", "clips", "table", "Further files whose clips join the model's."),
    OPTION("actor_options", "position", "vec3", "Where it stands, in metres."),
    OPTION("actor_options", "rotation", "rotation", "A quaternion {x, y, z, w}, or radians about y."),
    OPTION("actor_options", "scale", "vec3|positive", "Its size."),
    OPTION("actor_options", "visible", "boolean", "Whether it is drawn."),
    OPTION("layer_options", "mode", "mode", "\"override\" (the default) covers what is below; \"additive\" adds."),
    OPTION("layer_options", "weight", "weight", "How much it covers or adds; 1."),
    OPTION("layer_options", "mask", "mask|table", "Which joints it has, as model:mask takes them; all."),
    OPTION("play_options", "layer", "string", "The name of a layer; \"base\"."),
    OPTION("play_options", "fade", "seconds", "How long it takes to come in; 0.2."),
    OPTION("play_options", "fade_out", "seconds",
           "A one-shot leaves in this time as its clip ends; without it, it holds its last pose."),
    OPTION("play_options", "loop", "loop", "\"forever\" (the default), \"once\", \"ping_pong\" or a number of times."),
    OPTION("play_options", "speed", "number", "1 is the clip's own."),
    OPTION("play_options", "weight", "weight", "Joins the mix with this weight; without it, it crossfades."),
    OPTION("play_options", "time", "seconds", "Where it begins."),
    OPTION("simulate_options", "seconds", "seconds", "How long to run."),
    OPTION("simulate_options", "frames", "count", "How many frames to run."),
    OPTION("simulate_options", "keys", "table",
           "What is pressed when: { { 0, \"+w\" }, { 2, \"space\" }, { 3, \"-w\" } }."),
    {0}};

const api_entry *const api_tables[] = {api_sinew_entries,
                                       api_scene_entries,
                                       api_model_entries,
                                       api_actor_entries,
                                       api_action_entries,
                                       api_layer_entries,
                                       api_view_entries,
                                       api_ui_entries,
                                       api_debug_entries,
                                       api_option_entries,
                                       NULL};
