/* joints – a panel with the joints of the chosen actor, and why the chosen one is where it is. */
#ifndef SINEW_HOST_JOINTS_H
#define SINEW_HOST_JOINTS_H

#include <sinew/host.h>

/* A joint's own rotation by what makes it, then what each joint above adds. Cut at the size. */
void joints_explain(sinew_host *host, sinew_actor actor, int joint, char *out, size_t size);

/* Between the application's update and the evaluation. */
void joints_draw(sinew_host *host);

#endif
