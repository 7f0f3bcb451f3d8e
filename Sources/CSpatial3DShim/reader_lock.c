#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/membarrier.h>
#include <sys/syscall.h>
#endif

#include "reader_lock.h"

/* How often a writer yields while it waits for calls in progress, before it sleeps between two looks. */
enum { YIELDS = 1000 };

_Thread_local s3d_reader *s3d_thread_reader = NULL;
atomic_bool s3d_readers_need_fence = true;
atomic_uintptr_t s3d_exiting_thread = 0;

/* All records. None is freed: a thread that ends leaves its record to the next thread that starts. */
static s3d_reader *_Atomic readers = NULL;
static pthread_key_t reader_key;
static bool has_key = false;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_without_barrier = false;

static bool fence_others(void) {
#ifdef __linux__
    return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0) == 0;
#else
    return false;
#endif
}

static bool can_fence_others(void) {
#ifdef __linux__
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0) == 0 && fence_others();
#else
    return false;
#endif
}

static void end_thread(void *reader) {
    s3d_thread_reader = NULL;
    atomic_store(&((s3d_reader *)reader)->is_in_use, false);
}

static void prepare(void) {
    atomic_store(&s3d_readers_need_fence, is_without_barrier || !can_fence_others());
    /* Without a key the record of an ended thread stays in use. */
    has_key = pthread_key_create(&reader_key, end_thread) == 0;
}

void s3d_disable_barrier(void) {
    is_without_barrier = true;
}

s3d_reader *s3d_register_reader(void) {
    pthread_once(&once, prepare);
    s3d_reader *reader = atomic_load(&readers);
    while (reader && atomic_exchange(&reader->is_in_use, true)) reader = reader->next;
    if (!reader) {
        reader = calloc(1, sizeof *reader);
        /* Swift aborts as well where there is no memory for an object. */
        if (!reader) abort();
        atomic_init(&reader->is_in_use, true);
        reader->next = atomic_load(&readers);
        while (!atomic_compare_exchange_weak(&readers, &reader->next, reader)) {}
    }
    reader->depth = 0;
    reader->call_depth = 0;
    s3d_thread_reader = reader;
    if (has_key) pthread_setspecific(reader_key, reader);
    return reader;
}

void s3d_clear_other_readers(void) {
    for (s3d_reader *reader = atomic_load(&readers); reader; reader = reader->next) {
        if (reader == s3d_thread_reader) continue;
        atomic_store(&reader->device, NULL);
        atomic_store(&reader->is_calling, false);
    }
}

void s3d_wait_for_writer(s3d_reader *reader, s3d_device *device) {
    s3d_reader_lock *lock = &device->reader_lock;
    const uintptr_t here = s3d_this_thread();
    do {
        if (atomic_load(&lock->writer) == here || atomic_load(&s3d_exiting_thread) == here) return;
        atomic_store(&reader->device, NULL);
        if (s3d_is_exiting_elsewhere()) s3d_park_thread();
        /* The writer holds the mutex for as long as a replacement takes. */
        pthread_mutex_lock(&lock->mutex);
        pthread_mutex_unlock(&lock->mutex);
        atomic_store(&reader->device, device);
    } while (atomic_load(&lock->has_writer));
}

bool s3d_try_begin_call(void) {
    s3d_reader *reader = s3d_current_reader();
    if (reader->call_depth++ > 0) return true;
    atomic_store_explicit(&reader->is_calling, true, memory_order_relaxed);
    s3d_fence_reader();
    if (!s3d_is_exiting_elsewhere()) return true;
    s3d_end_call();
    return false;
}

void s3d_begin_call(void) {
    if (!s3d_try_begin_call()) s3d_park_thread();
}

void s3d_end_call(void) {
    s3d_reader *reader = s3d_thread_reader;
    reader->call_depth -= 1;
    if (reader->call_depth == 0) atomic_store_explicit(&reader->is_calling, false, memory_order_release);
}

void s3d_fence_readers(void) {
    pthread_once(&once, prepare);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load(&s3d_readers_need_fence) || fence_others()) return;
    /*
     * A sandbox has denied membarrier since. Readers fence from now on; a millisecond drains the stores of earlier
     * readers.
     */
    atomic_store(&s3d_readers_need_fence, true);
    const struct timespec millisecond = { .tv_nsec = 1000000 };
    nanosleep(&millisecond, NULL);
}

bool s3d_has_readers(const s3d_device *device) {
    for (s3d_reader *reader = atomic_load(&readers); reader; reader = reader->next) {
        if (reader == s3d_thread_reader) continue;
        const s3d_device *called = atomic_load(&reader->device);
        if (device ? called == device : called || atomic_load(&reader->is_calling)) return true;
    }
    return false;
}

void s3d_lock_exclusive(s3d_device *device) {
    s3d_reader_lock *lock = &device->reader_lock;
    pthread_mutex_lock(&lock->mutex);
    /* The end of the process waits for the writer. */
    s3d_begin_call();
    atomic_store(&lock->writer, s3d_this_thread());
    atomic_store(&lock->has_writer, true);
    s3d_fence_readers();
    /* A reader needs no lock that this thread has, so it ends in a moment, or when a server answers. */
    const struct timespec pause = { .tv_nsec = 50000 };
    for (int looks = 0; s3d_has_readers(device); looks += 1)
        if (looks < YIELDS) sched_yield();
        else nanosleep(&pause, NULL);
}

void s3d_unlock_exclusive(s3d_device *device) {
    s3d_reader_lock *lock = &device->reader_lock;
    atomic_store(&lock->has_writer, false);
    /* The end of the process sets the flag for good, before this store or after it. */
    if (atomic_load(&s3d_exiting_thread) != 0) atomic_store(&lock->has_writer, true);
    atomic_store(&lock->writer, 0);
    pthread_mutex_unlock(&lock->mutex);
    s3d_end_call();
}

bool s3d_is_exiting_elsewhere(void) {
    const uintptr_t exiting = atomic_load(&s3d_exiting_thread);
    return exiting != 0 && exiting != s3d_this_thread();
}

void s3d_park_thread(void) {
    /* No other thread waits for this thread any more. */
    atomic_store(&s3d_thread_reader->device, NULL);
    atomic_store(&s3d_thread_reader->is_calling, false);
    for (;;) pause();
}
