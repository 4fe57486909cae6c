/* joints – a panel that lists the joints of the chosen actor, and explains why the chosen joint is where it is. */
#ifndef SINEW_HOST_JOINTS_H
#define SINEW_HOST_JOINTS_H

#include <sinew/host.h>

/* A joint's own rotation with its causes, then the contribution of each joint above it. Cut at `size`. */
void joints_explain(sinew_host *host, sinew_actor actor, int joint, char *out, size_t size);

/* Between the application's update and the evaluation. */
void joints_draw(sinew_host *host);

#endif
