/* sanitizers – constants that tell which sanitizers are compiled in: they need additional memory, files and system
 * calls. */
#ifndef SINEW_BASE_SANITIZERS_H
#define SINEW_BASE_SANITIZERS_H

#include <stdbool.h>

#if defined(__SANITIZE_ADDRESS__)
enum { SANITIZES_ADDRESSES = true, SANITIZES_THREADS = false };
#elif defined(__SANITIZE_THREAD__)
enum { SANITIZES_ADDRESSES = false, SANITIZES_THREADS = true };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { SANITIZES_ADDRESSES = true, SANITIZES_THREADS = false };
#elif __has_feature(thread_sanitizer)
enum { SANITIZES_ADDRESSES = false, SANITIZES_THREADS = true };
#else
enum { SANITIZES_ADDRESSES = false, SANITIZES_THREADS = false };
#endif
#else
enum { SANITIZES_ADDRESSES = false, SANITIZES_THREADS = false };
#endif

#endif
