/* raw_body – the body of a raw model (model/body/body.h); node i is joint i + 1. */
#ifndef SINEW_IMPORT_RAW_BODY_H
#define SINEW_IMPORT_RAW_BODY_H

#include "import/raw/raw.h"
#include "model/body/body.h"

/* Finds it, in the memory of `owner`. `options` or NULL: the author's roles; what is unclear is then noted, and so are
 * roles that cannot be, which are left out. NULL, and the owner's error set, for a role that does not exist, and when
 * memory runs out. */
const model_body *raw_body(raw_model *owner, const raw_model *raw, const sinew_load_options *options);

#endif
