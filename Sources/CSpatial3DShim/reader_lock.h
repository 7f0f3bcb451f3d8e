/*
 * A reader-writer lock of each device, whose readers are calls of the library.
 *
 * A thread that calls the library for a device reads. A thread that replaces the library's device writes
 * (replacement/replace.c). A thread also writes if its new context reallocates the sends of all sources (context.c). A
 * thread that ends the process writes for good, so that no call reaches a library that cleans up (exit.c).
 *
 * Readers are frequent and writers are rare, so the cost lies with the writer. A reader stores the device into a record
 * of its thread, and then loads the writer's flag. A writer stores the flag, and then loads the records of all threads.
 * Each side must order its store before its load. The writer does that for both sides, with a barrier on all threads of
 * the process (membarrier), so that a reader needs no atomic step. Without this barrier each reader executes a fence.
 */
#ifndef SPATIAL3D_SHIM_READER_LOCK_H
#define SPATIAL3D_SHIM_READER_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "internal.h"

/* The record of a thread that calls the library. */
struct s3d_reader {
    s3d_device *_Atomic device; /* the device that the thread calls the library for; NULL outside of calls */
    atomic_bool is_calling;     /* whether the thread calls the library without a device */
    uint32_t depth;             /* nested shared locks; the thread's own */
    uint32_t call_depth;        /* nested calls without a device; the thread's own */
    atomic_bool is_in_use;      /* whether a live thread has the record */
    s3d_reader *next;
};

extern _Thread_local s3d_reader *s3d_thread_reader;
extern atomic_bool s3d_readers_need_fence;
/* The thread that ends the process; 0 before. */
extern atomic_uintptr_t s3d_exiting_thread;

s3d_reader *s3d_register_reader(void);
void s3d_wait_for_writer(s3d_reader *reader, s3d_device *device);

static inline s3d_reader *s3d_current_reader(void) {
    return s3d_thread_reader ? s3d_thread_reader : s3d_register_reader();
}

/*
 * Orders a reader's store before its load: either the reader loads the writer's flag, or the writer loads the reader's
 * record.
 */
static inline void s3d_fence_reader(void) {
    if (atomic_load_explicit(&s3d_readers_need_fence, memory_order_relaxed)) atomic_thread_fence(memory_order_seq_cst);
    else atomic_signal_fence(memory_order_seq_cst);
}

/*
 * Begins calls of the library for a device. Shared locks of one device may be nested; shared locks of two devices may
 * not.
 */
static inline void s3d_lock_shared(s3d_device *device) {
    s3d_reader *reader = s3d_current_reader();
    if (reader->depth++ > 0) return;
    atomic_store_explicit(&reader->device, device, memory_order_relaxed);
    s3d_fence_reader();
    if (atomic_load_explicit(&device->reader_lock.has_writer, memory_order_acquire)) s3d_wait_for_writer(reader, device);
}

/* Releases all that the calls have stored. */
static inline void s3d_unlock_shared(void) {
    s3d_reader *reader = s3d_thread_reader;
    reader->depth -= 1;
    if (reader->depth == 0) atomic_store_explicit(&reader->device, NULL, memory_order_release);
}

static inline void s3d_end_shared_lock(const bool *is_shared) {
    (void)is_shared;
    s3d_unlock_shared();
}
#define S3D_LOCK_SHARED(device) s3d_lock_shared(device); S3D_GUARD(s3d_end_shared_lock) const bool s3d_is_shared = true

/*
 * Waits for calls of other threads for a device, and blocks later calls. The caller has no shared lock, and may take
 * one.
 */
void s3d_lock_exclusive(s3d_device *device);
void s3d_unlock_exclusive(s3d_device *device);
/* The writer's barrier, between its flag and its first look at the records. */
void s3d_fence_readers(void);
/* Whether other threads call the library for a device, or with NULL for any device or none. */
bool s3d_has_readers(const s3d_device *device);
/* Clears the records of a parent's threads in a forked child, which has the calling thread alone. */
void s3d_clear_other_readers(void);

/* Whether another thread ends the process. */
bool s3d_is_exiting_elsewhere(void);
/* Parks the thread of a process that ends. */
_Noreturn void s3d_park_thread(void);

#endif
