/* Events of the library. A part of spatial3d_shim.h. */
#ifndef SPATIAL3D_EVENTS_H
#define SPATIAL3D_EVENTS_H

#include "spatial3d_shim.h"
#include "spatial3d_support.h"

/*
 * Lets the library signal a semaphore when sources may have stopped, buffers were processed or the device disconnected.
 * A hint may be late, doubled, lost, or about a deleted source: the caller reads the source's state. False where the
 * library has no events. Called once for a context, whose destruction ends the subscription. The semaphore outlives the
 * context.
 */
bool s3d_context_subscribe(s3d_context *context, s3d_semaphore *semaphore);
void s3d_context_unsubscribe(s3d_context *context);
/* While false, the library signals for its device alone. */
void s3d_context_enable_hints(s3d_context *context, bool wanted);
/* Takes the names of sources that may have changed; `lost` is true where some names are missing. For one thread. */
int32_t s3d_context_take_hints(s3d_context *context, uint32_t *ids, int32_t capacity, bool *lost);
bool s3d_context_take_disconnection(s3d_context *context);

/*
 * Lets the library signal when outputs are added, are removed, or become the default; false where it has no such
 * events. Called once for a process, whose own callback for system events it replaces. The semaphore is never
 * destroyed.
 */
bool s3d_subscribe_to_output_events(s3d_semaphore *semaphore);
/* The time of the last signal; 0 before the first. */
int64_t s3d_time_of_last_output_event(void);

/* False once an output is gone; true where the library cannot report it. */
bool s3d_device_is_connected(s3d_device *device);
/* For tests: makes the device seem gone. */
void s3d_device_force_unplugged(s3d_device *device, bool is_unplugged);

/* The position of a source in its buffer or queue, in 1 / 2^32 of a frame, and the clock of that position. */
typedef struct s3d_position {
    int64_t fixed_frame;
    int64_t clock;
} s3d_position;
s3d_position s3d_source_read_position(s3d_context *context, s3d_source source);

#endif
