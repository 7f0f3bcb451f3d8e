#define _GNU_SOURCE
#include <time.h>
#include <unistd.h>

#include "gate.h"

/*
 * OpenAL Soft cleans up when a process exits, and its mutexes are no more; 1.19 aborts a process whose threads call it then.
 * Threads that still run are a program's own, a task's, and this package's. So before the library cleans up, all of them are
 * kept out of it for good: those inside are waited for, and those who come stay outside.
 */

/* How long who exits waits for calls that do not end: a server may hang. */
enum { SECONDS = 2 };

atomic_uintptr_t s3d_exiting_thread = 0;

/* All open devices, linked by `next`. */
static s3d_device *devices = NULL;
static pthread_mutex_t devices_lock = PTHREAD_MUTEX_INITIALIZER;

bool s3d_exits_elsewhere(void) {
    const uintptr_t exiting = atomic_load(&s3d_exiting_thread);
    return exiting != 0 && exiting != s3d_this_thread();
}

void s3d_stay_outside(void) {
    /* Whatever else it was at: nobody waits for it any more. */
    atomic_store(&s3d_this_visitor->device, NULL);
    atomic_store(&s3d_this_visitor->is_calling, false);
    for (;;) pause();
}

void s3d_note_device(s3d_device *device) {
    pthread_mutex_lock(&devices_lock);
    device->next = devices;
    devices = device;
    if (atomic_load(&s3d_exiting_thread) != 0) atomic_store(&device->gate.is_closed, true);
    pthread_mutex_unlock(&devices_lock);
}

void s3d_forget_device(s3d_device *device) {
    pthread_mutex_lock(&devices_lock);
    s3d_device **link = &devices;
    while (*link && *link != device) link = &(*link)->next;
    if (*link) *link = device->next;
    pthread_mutex_unlock(&devices_lock);
}

/* A child has this thread alone, whatever the others were at. */
static void begin_child(void) {
    devices_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    s3d_forget_who_asks();
    s3d_forget_other_visitors();
}

__attribute__((constructor)) static void look_after_children(void) {
    pthread_atfork(NULL, NULL, begin_child);
}

/* After the program's own handlers, and before the library's: what uses a library is ended before it. */
__attribute__((destructor)) static void keep_all_out(void) {
    atomic_store(&s3d_exiting_thread, s3d_this_thread());
    pthread_mutex_lock(&devices_lock);
    for (s3d_device *device = devices; device; device = device->next) atomic_store(&device->gate.is_closed, true);
    pthread_mutex_unlock(&devices_lock);
    s3d_fence_visitors();
    const int64_t end = s3d_monotonic_time() + (int64_t)SECONDS * 1000000000;
    const struct timespec moment = { .tv_nsec = 50000 };
    while (s3d_has_visitors(NULL) && s3d_monotonic_time() < end) nanosleep(&moment, NULL);
}
