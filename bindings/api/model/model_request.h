/* model_request – the arguments of a sinew.model call, as a userdata that stays with the model, to load it again. */
#ifndef SINEW_BINDINGS_MODEL_REQUEST_H
#define SINEW_BINDINGS_MODEL_REQUEST_H

#include "scene/loads.h"

/* The pairs of a table { ["their joint"] = "our joint" }, or false if theirs moves nothing, sorted by name; the table
 * at `keep` keeps their strings. Returns their number (REQUEST_PAIRS at most), or -1 and an error message. */
int joint_pairs_read(lua_State *L, int map, int keep, sinew_joint_pair *pairs, sinew_error *error);
/* Reads the path at 1 and the options at 2, and pushes the request at REQUEST_INDEX. NULL and an error message if a
 * file does not exist; raises for misuse. */
model_request *request_push(lua_State *L, sinew_error *error);
/* Pushes a string that is equal for requests of the same model; `stamped`: only as long as its files are unchanged. */
void request_push_key(lua_State *L, const model_request *r, bool stamped);
bool request_has_file(const model_request *r, const char *path);
/* Watches the files, and the folders in which a pattern found some. */
void request_watch(lua_State *L, const model_request *r);
/* Whether a pattern has found clip files in that folder. */
bool request_has_folder(const model_request *r, const char *path);
/* Whether there are clip files now that were not there before. */
bool request_finds_more(lua_State *L, const model_request *r);

#endif
