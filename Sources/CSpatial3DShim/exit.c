#define _GNU_SOURCE
#include <time.h>

#include "reader_lock.h"

/*
 * The end of the process, and the start of a forked child.
 *
 * OpenAL Soft cleans up when a process exits and destroys its mutexes; 1.19 aborts a process whose threads call it
 * after that. A program's own threads, tasks and this package's threads may still run then. Before the library cleans
 * up, this file therefore locks all of them out: it waits for calls in progress, and parks each thread that begins
 * another.
 */

/* How long the end of the process waits for calls that do not return: a sound server may hang. */
enum { SECONDS = 2 };

/* All open devices, linked by `next`. */
static s3d_device *devices = NULL;
static pthread_mutex_t devices_lock = PTHREAD_MUTEX_INITIALIZER;

void s3d_register_device(s3d_device *device) {
    S3D_LOCK(&devices_lock);
    device->next = devices;
    devices = device;
    if (atomic_load(&s3d_exiting_thread) != 0) atomic_store(&device->reader_lock.has_writer, true);
}

void s3d_unregister_device(s3d_device *device) {
    S3D_LOCK(&devices_lock);
    s3d_device **link = &devices;
    while (*link && *link != device) link = &(*link)->next;
    if (*link) *link = device->next;
}

/* A child has the thread that forked and no other, whichever locks the others held. */
static void reset_in_child(void) {
    devices_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    for (s3d_device *device = devices; device; device = device->next) {
        device->reader_lock.mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
        atomic_store(&device->reader_lock.has_writer, false);
        atomic_store(&device->reader_lock.writer, 0);
        atomic_store(&device->deferring, 0);
        atomic_store(&device->restarts, 0);
    }
    s3d_names_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    s3d_clear_other_readers();
}

__attribute__((constructor)) static void install_fork_handler(void) {
    pthread_atfork(NULL, NULL, reset_in_child);
}

/*
 * Runs after the program's own exit handlers and before the library's, because a loaded object ends before the objects
 * it uses.
 */
__attribute__((destructor)) static void lock_out_all_threads(void) {
    atomic_store(&s3d_exiting_thread, s3d_this_thread());
    {
        S3D_LOCK(&devices_lock);
        for (s3d_device *device = devices; device; device = device->next)
            atomic_store(&device->reader_lock.has_writer, true);
    }
    s3d_fence_readers();
    const int64_t end = s3d_monotonic_time() + (int64_t)SECONDS * 1000000000;
    const struct timespec pause = { .tv_nsec = 50000 };
    while (s3d_has_readers(NULL) && s3d_monotonic_time() < end) nanosleep(&pause, NULL);
}
