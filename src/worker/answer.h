/* answer – writes to the pipe of the program that started this one. */
#ifndef SINEW_WORKER_ANSWER_H
#define SINEW_WORKER_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

bool answer_send(const void *bytes, size_t size);

#endif
