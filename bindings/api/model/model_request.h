/* model_request – the arguments of a sinew.model call, as a userdata that stays with the model, to load it again. */
#ifndef SINEW_BINDINGS_MODEL_REQUEST_H
#define SINEW_BINDINGS_MODEL_REQUEST_H

#include "scene/loads.h"

/* The pairs of a table { ["their joint"] = "our joint" }, or false where theirs moves nothing, in the order of names;
 * the table at `keep` keeps their strings. How many (REQUEST_PAIRS at most), or -1 and an error message. */
int joint_pairs_read(lua_State *L, int map, int keep, sinew_joint_pair *pairs, sinew_error *error);
/* From the path at 1 and the options at 2; the request is pushed at REQUEST_INDEX. NULL and an error message where a
 * file is not there; raises for misuse. */
model_request *request_push(lua_State *L, sinew_error *error);
/* Pushes a string that is the same for what gives the same model; stamped: as long as its files stay as they are. */
void request_push_key(lua_State *L, const model_request *r, bool stamped);
bool request_has_file(const model_request *r, const char *path);
/* Watches the files, and the folders that a pattern has found some in. */
void request_watch(lua_State *L, const model_request *r);
/* Is it a folder that a pattern has found clip files in? */
bool request_has_folder(const model_request *r, const char *path);
/* Looks again: is there a clip file that was not there? */
bool request_finds_more(lua_State *L, const model_request *r);

#endif
