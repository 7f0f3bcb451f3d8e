/* For clock_gettime. */
#define _POSIX_C_SOURCE 200809L

#ifdef DESKTOP_SESSION

#include <time.h>

#include "internal.h"

/* The pause after the first attempt, in microseconds. */
enum { FIRST_PAUSE = 100000 };

uint64_t s3d_desktop_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void s3d_desktop_try_later(attempt *next, uint64_t longest_pause) {
    if (!next->pause) next->pause = FIRST_PAUSE;
    next->due = s3d_desktop_now() + next->pause;
    next->pause = next->pause * 2 < longest_pause ? next->pause * 2 : longest_pause;
}

bool s3d_desktop_is_due(attempt *next, uint64_t now) {
    if (!next->due || next->due > now) return false;
    next->due = 0;
    return true;
}

#endif
