#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "spatial3d_support.h"

struct s3d_semaphore {
    sem_t semaphore;
};

s3d_semaphore *s3d_semaphore_create(void) {
    s3d_semaphore *semaphore = malloc(sizeof *semaphore);
    if (semaphore) sem_init(&semaphore->semaphore, 0, 0);
    return semaphore;
}

void s3d_semaphore_destroy(s3d_semaphore *semaphore) {
    sem_destroy(&semaphore->semaphore);
    free(semaphore);
}

void s3d_semaphore_signal(s3d_semaphore *semaphore) {
    sem_post(&semaphore->semaphore);
}

bool s3d_semaphore_wait(s3d_semaphore *semaphore, int64_t nanoseconds) {
    if (nanoseconds < 0) {
        s3d_semaphore_take(semaphore);
    } else {
        struct timespec until;
        /* The monotonic clock, because the wall clock may be set. */
        clock_gettime(CLOCK_MONOTONIC, &until);
        const int64_t total = until.tv_nsec + nanoseconds % 1000000000;
        until.tv_sec += nanoseconds / 1000000000 + total / 1000000000;
        until.tv_nsec = total % 1000000000;
        while (sem_clockwait(&semaphore->semaphore, CLOCK_MONOTONIC, &until) != 0) {
            if (errno != EINTR) return false;
        }
    }
    /* All signals so far count as one. */
    while (sem_trywait(&semaphore->semaphore) == 0) {}
    return true;
}

void s3d_semaphore_take(s3d_semaphore *semaphore) {
    while (sem_wait(&semaphore->semaphore) != 0 && errno == EINTR) {}
}

int64_t s3d_monotonic_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

uintptr_t s3d_this_thread(void) {
    return (uintptr_t)pthread_self();
}

struct start {
    void (*body)(void *);
    void *argument;
};

static void *run(void *argument) {
    const struct start start = *(struct start *)argument;
    free(argument);
#ifdef __linux__
    /* The name in debuggers and in /proc. */
    prctl(PR_SET_NAME, "Spatial3D");
#endif
    start.body(start.argument);
    return NULL;
}

bool s3d_thread_start(void (*body)(void *), void *argument) {
    struct start *start = malloc(sizeof *start);
    if (!start) return false;
    *start = (struct start) { .body = body, .argument = argument };
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    /* Blocks the program's signals, which its own threads handle. A thread's own faults and the profiler's signal stay
       unblocked. */
    sigset_t blocked, before;
    sigfillset(&blocked);
    const int own[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT, SIGPROF };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) sigdelset(&blocked, own[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    pthread_t thread;
    const bool is_started = pthread_create(&thread, &attributes, run, start) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (!is_started) free(start);
    return is_started;
}
