/* The fields of every kind of thing that a scene declares. */
#include "declare/kinds.h"

#include "declare/world.h"

static const char *const eases[] = {"linear", "in", "out", "in_out", NULL};
static const char *const transitions[] = {"crossfade", "frozen", "inertial", NULL};
static const char *const mixes[] = {"mix", "crossfade", NULL};

#define AT(struct, member) offsetof(struct, member), (int)sizeof((struct *)0)->member

/* ---- actions ---- */

#define PLAY(name, type, effect, ...)                                                                                  \
  { #name, type, AT(play_values, name), effect, __VA_ARGS__ }

static const store_field action_fields[] = {
    PLAY(fade, FIELD_NUMBER, FIELD_START, NULL, "seconds", "How long it takes to come in; 0.2."),
    PLAY(fade_out, FIELD_NUMBER, FIELD_LIVE, NULL, "seconds",
         "A one-shot leaves in this time as its clip ends; without it, it holds its last pose."),
    PLAY(loop, FIELD_LOOP, FIELD_LIVE, NULL, "loop",
         "\"forever\" (the default), \"once\", \"ping_pong\" or a number of times."),
    PLAY(speed, FIELD_NUMBER, FIELD_LIVE, NULL, "number", "1 is the clip's own."),
    PLAY(weight, FIELD_NUMBER, FIELD_LIVE, NULL, "weight",
         "Joins the mix with this weight; without it, it crossfades."),
    PLAY(time, FIELD_NUMBER, FIELD_LIVE, NULL, "seconds", "Where it begins."),
    PLAY(ease, FIELD_WORD, FIELD_START, eases, "ease",
         "How the fade goes: \"linear\" (the default), \"in\", \"out\", \"in_out\"."),
    PLAY(blend, FIELD_WORD, FIELD_START, transitions, "transition_kind",
         "How the others go: \"crossfade\" (the default), \"frozen\" (they stand still) or \"inertial\" (they end at "
         "once, and their motion dies away)."),
    PLAY(from, FIELD_NUMBER, FIELD_REJOIN, NULL, "seconds", "The part of the clip that plays begins here."),
    PLAY(to, FIELD_NUMBER, FIELD_REJOIN, NULL, "seconds", "The part of the clip that plays ends here."),
    PLAY(sync, FIELD_TEXT, FIELD_REJOIN, NULL, "string", "A name: clips of the actor under one name share one phase."),
    PLAY(paused, FIELD_FLAG, FIELD_LIVE, NULL, NULL, NULL),
    PLAY(way, FIELD_WORD, FIELD_START, mixes, NULL, NULL),
    {0}};

const store_kind kind_action = {"action", "play_options", action_fields};

const store_kind *const store_kinds[] = {&kind_action, NULL};
