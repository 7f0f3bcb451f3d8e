#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

#include "gate.h"

/*
 * OpenAL Soft cleans up when a process exits, and its mutexes are no more; 1.19 aborts a process whose threads call it then.
 * Threads that still run are a program's own, a task's, and this package's. So before the library cleans up, all of them are
 * kept out of it for good: those inside are waited for, and those who come wait for the end.
 */

/* How long who exits waits for a call that does not end: a server may hang. */
enum { SECONDS = 1 };

/* Held for reading over calls that need no device, or that open or close one; for writing, for good, by the thread that exits. */
#ifdef __GLIBC__
/* Who exits comes first, however busy the threads are. */
#define CALLS_LOCK PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP
#else
#define CALLS_LOCK PTHREAD_RWLOCK_INITIALIZER
#endif
static pthread_rwlock_t calls_lock = CALLS_LOCK;

/* All open devices, linked by `next`. */
static s3d_device *devices = NULL;
static pthread_mutex_t devices_lock = PTHREAD_MUTEX_INITIALIZER;

void s3d_begin_call(void) {
    pthread_rwlock_rdlock(&calls_lock);
}

bool s3d_try_begin_call(void) {
    return pthread_rwlock_tryrdlock(&calls_lock) == 0;
}

void s3d_end_call(void) {
    pthread_rwlock_unlock(&calls_lock);
}

void s3d_note_device(s3d_device *device) {
    pthread_mutex_lock(&devices_lock);
    device->next = devices;
    devices = device;
    pthread_mutex_unlock(&devices_lock);
}

void s3d_forget_device(s3d_device *device) {
    pthread_mutex_lock(&devices_lock);
    s3d_device **link = &devices;
    while (*link && *link != device) link = &(*link)->next;
    if (*link) *link = device->next;
    pthread_mutex_unlock(&devices_lock);
}

/* A child has none of the calls that its parent's other threads were in. */
static void forget_calls(void) {
    calls_lock = (pthread_rwlock_t)CALLS_LOCK;
    devices_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

__attribute__((constructor)) static void forget_calls_in_children(void) {
    pthread_atfork(NULL, NULL, forget_calls);
}

static bool is_before(const struct timespec *until) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec < until->tv_sec || (now.tv_sec == until->tv_sec && now.tv_nsec < until->tv_nsec);
}

/* After the program's own handlers, and before the library's: what uses a library is ended before it. */
__attribute__((destructor)) static void keep_all_out(void) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += SECONDS;
    pthread_rwlock_clockwrlock(&calls_lock, CLOCK_MONOTONIC, &until);
    if (pthread_mutex_clocklock(&devices_lock, CLOCK_MONOTONIC, &until) != 0) return;
    for (s3d_device *device = devices; device; device = device->next) {
        /* A swap is waited for. */
        if (!s3d_is_inherited(device) && pthread_mutex_clocklock(&device->gate.lock, CLOCK_MONOTONIC, &until) == 0)
            s3d_close_gate(&device->gate);
    }
    s3d_fence_visitors();
    const struct timespec pause = { .tv_nsec = 50000 };
    while (s3d_has_visitors(NULL) && is_before(&until)) nanosleep(&pause, NULL);
}
