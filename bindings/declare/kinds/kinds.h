/* kinds – the tables of fields, one for each kind of thing that a scene declares. */
#ifndef SINEW_BINDINGS_KINDS_H
#define SINEW_BINDINGS_KINDS_H

#include "declare/field.h"

extern const store_kind kind_action, kind_layer, kind_node, kind_transition, kind_modifier, kind_root, kind_attachment,
    kind_actor, kind_morph, kind_param, kind_camera, kind_light, kind_view, kind_crowd, kind_marker, kind_model,
    kind_kept, kind_variable;

/* The Lua functions that make nodes and modifiers, by kind: "clip", "ik". sinew.modifier makes the kind whose function
 * is a script's. */
extern const char *const node_makers[], *const modifier_makers[];

#endif
