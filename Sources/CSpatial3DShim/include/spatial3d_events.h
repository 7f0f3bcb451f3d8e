/* What the library has done by itself, and the threads that look after it; a part of spatial3d_shim.h. */
#ifndef SPATIAL3D_EVENTS_H
#define SPATIAL3D_EVENTS_H

#include "spatial3d_shim.h"

/* Rung by any thread, the library's among them, and waited for by one. It takes no lock. NULL: there is no memory. */
typedef struct s3d_semaphore s3d_semaphore;
s3d_semaphore *s3d_semaphore_create(void);
void s3d_semaphore_destroy(s3d_semaphore *semaphore);
void s3d_semaphore_signal(s3d_semaphore *semaphore);
/* Waits for a ring, at most some nanoseconds, or for ever where negative. All rings since the last wait are one. */
bool s3d_semaphore_wait(s3d_semaphore *semaphore, int64_t nanoseconds);
/* The same for one of several waiters: each ring wakes one of them. */
void s3d_semaphore_take(s3d_semaphore *semaphore);

/* Nanoseconds since some moment. */
int64_t s3d_monotonic_time(void);
/* What tells this thread from the others that there are. */
uintptr_t s3d_this_thread(void);
/* Runs a function on a thread of its own, which takes no signals but those it raises itself and SIGPROF. False: there is none to be had. */
bool s3d_thread_start(void (*body)(void *), void *argument);

/*
 * Lets the library ring a semaphore when sources may have stopped, buffers were played or the device went. Hints may be late,
 * doubled, of sources that are gone, or lost: what they hint at is to be read. False where the library has no events.
 * Once for a context, whose destruction ends it and whom the semaphore outlives.
 */
bool s3d_context_subscribe(s3d_context *context, s3d_semaphore *semaphore);
void s3d_context_unsubscribe(s3d_context *context);
/* While false, the library rings for its device alone. */
void s3d_context_enable_hints(s3d_context *context, bool wanted);
/* Takes the names of sources that something may have happened to; `lost`: and there were others. For one thread. */
int32_t s3d_context_take_hints(s3d_context *context, uint32_t *ids, int32_t capacity, bool *lost);
bool s3d_context_take_disconnection(s3d_context *context);

/*
 * Has the library ring when outputs come, go, or become the default; false where it does not tell. Once for a process, whose
 * own call back for system events this replaces. The semaphore is never destroyed.
 */
bool s3d_subscribe_to_output_events(s3d_semaphore *semaphore);
/* When it did last; 0 before. */
int64_t s3d_time_of_last_output_event(void);

/* False once an output is gone; true where the library cannot say. */
bool s3d_device_is_connected(s3d_device *device);
/* For tests: has the device seem gone. */
void s3d_device_force_unplugged(s3d_device *device, bool is_unplugged);

/* The states of many sources, as s3d_state. */
void s3d_sources_read_states(s3d_context *context, const uint32_t *ids, int32_t count, uint8_t *states);

/* Where a source is in its buffer or queue, in 1 / 2^32 of a frame, and the clock at that moment; -1: it cannot be said. */
typedef struct s3d_position {
    int64_t fixed_frame;
    int64_t clock;
} s3d_position;
s3d_position s3d_source_read_position(s3d_context *context, s3d_source source);

#endif
