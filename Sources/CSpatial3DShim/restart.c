#define _GNU_SOURCE
#include <sched.h>
#include <time.h>

#include "internal.h"

/*
 * Deferred updates beside a restart of the device.
 *
 * A context with settings, and a reopening, restart the device: the library allocates new mix buffers, and hands their
 * addresses to its effects and voices with the updates that the next mix takes. A thread that ends deferred updates
 * makes the mixer leave all updates for a moment. If that moment is in the first mix after a restart, some effects
 * write to the buffers that the library has freed (every version to 1.25.2), and so do voices (1.19.1).
 *
 * No thread defers updates from the start of a restart to the end of the mix behind it. Changes then take effect
 * singly.
 *
 * Each thread counts itself in `deferring` before it reads `restarts`, and a restart counts itself in `restarts` before
 * it reads `deferring`, so that one of the two sees the other.
 */

void s3d_begin_restart(s3d_device *device) {
    atomic_fetch_add(&device->restarts, 1);
    /*
     * Deferred updates wait for no restart. A thread of a real-time priority has to sleep for a thread without one to
     * go on.
     */
    const struct timespec pause = { .tv_nsec = 100000 };
    for (int turns = 0; atomic_load(&device->deferring) > 0; turns += 1) {
        if (turns < 1000) sched_yield();
        else nanosleep(&pause, NULL);
    }
}

/* The caller has the settings lock, so the time belongs to the last restart. */
void s3d_end_restart(s3d_device *device) {
    atomic_store(&device->restart_time, s3d_mixed_time(&device->api, device->alc));
    atomic_store(&device->is_unmixed, true);
    atomic_fetch_sub(&device->restarts, 1);
}

bool s3d_begin_deferral(s3d_device *device) {
    atomic_fetch_add(&device->deferring, 1);
    bool may_defer = atomic_load(&device->restarts) == 0;
    if (may_defer && atomic_load(&device->is_unmixed)) {
        const int64_t time = s3d_mixed_time(&device->api, device->alc);
        may_defer = time < 0 || time != atomic_load(&device->restart_time);
        if (may_defer) atomic_store(&device->is_unmixed, false);
    }
    if (!may_defer) s3d_end_deferral(device);
    return may_defer;
}

void s3d_end_deferral(s3d_device *device) {
    atomic_fetch_sub(&device->deferring, 1);
}
