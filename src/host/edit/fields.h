/* fields – the fields of objects that a panel shows and changes. An application that describes its own fields
 * (sinew_app.control) comes first. The host itself has those of the view and the most common ones of what lives on the
 * stage, and these, which it draws in its own way:
 *
 *   an actor     params.NAME  pins.NAME (a parameter, until it is released)  morphs.NAME  joint.PATH (selects it)
 *   an action    time
 *   a layer      mask.PATH: the weight at that joint, and whether it applies to the joints below, too
 *   an attachment    offset: translation and rotation
 *   a sample     time, place (x, y)
 *   the view     joint (a text), pins (releases all) */
#ifndef SINEW_HOST_FIELDS_H
#define SINEW_HOST_FIELDS_H

#include <sinew/host.h>

/* The index-th field of an object; false past the last. */
bool edit_field(const sinew_host *host, const sinew_edit *of, int index, sinew_control *out);
/* The field with the name that the edit says. */
bool edit_find(const sinew_host *host, const sinew_edit *of, sinew_control *out);
/* Gives it values, or the edit's text; does not record it. */
bool edit_set(sinew_host *host, const sinew_edit *of, const double *values, int count);

#endif
