/* bind – clips of one file onto the nodes of another, by name. */
#ifndef SINEW_IMPORT_BIND_H
#define SINEW_IMPORT_BIND_H

#include "import/raw.h"

/* Adds the clips of `from` to `raw`: a curve goes to the node of that name, else to the one of that name without
 * namespaces ("mixamorig:Hips" and "Hips" match). Notes say what found no node. The rest poses are taken as they are.
 * Nothing of `from` is kept. False when memory is out, or where no curve of a clip found its node. */
bool bind_clips(raw_model *raw, const raw_model *from);

#endif
