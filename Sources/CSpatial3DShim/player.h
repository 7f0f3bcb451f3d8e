/* The structures of the player of a mix, for player.c and player_callback.c. */
#ifndef SPATIAL3D_SHIM_PLAYER_H
#define SPATIAL3D_SHIM_PLAYER_H

#include "internal.h"

/*
 * The permission of one source to read the ring.
 *
 * A device that was replaced mixes on until the replacement closes it, and calls back for its source meanwhile. Each
 * source therefore has a permit of its own, which ends before another source reads the ring, or before anybody else
 * changes what a callback uses. The callback sets `is_reading` and then loads `is_open`, and s3d_permit_close clears
 * `is_open` and then loads `is_reading`: one of both sees the other.
 */
typedef struct s3d_permit {
    struct s3d_kept_memory kept; /* the first member, because the device frees it */
    struct s3d_player *player;
    atomic_bool is_open;
    atomic_bool is_reading;
} s3d_permit;

struct s3d_player {
    struct s3d_kept_memory kept; /* the first member, because the device frees it */
    s3d_context *context;
    s3d_semaphore *wake;
    size_t channel_count;
    int32_t sample_rate;
    ALenum format;
    bool uses_callback;
    ALuint source;              /* 0 without one */
    unsigned source_generation; /* the replacements of the device before the source: the names of objects come again */
    /* Between s3d_player_write and the callback: one thread writes, and one permit is open. */
    s3d_permit *permit;
    atomic_size_t written; /* frames since the beginning */
    atomic_size_t taken;
    atomic_bool has_begun; /* whether the output has taken a frame since the start */
    atomic_size_t ahead;   /* the frames with which it begins */
    atomic_llong missed;
    atomic_llong underruns;
    atomic_bool is_dry; /* whether the last request of a callback lacked frames at its end */
    /* Of a queue. */
    ALuint *buffers; /* `buffer_count`, of which the first `free_count` are not queued */
    size_t buffer_count;
    size_t free_count;
    /* Of a ring; the capacity is a power of two. */
    size_t capacity;
    float *ring;
};

/* player_callback.c */
/* The callback of the library for a source with a permit; returns the number of bytes that it is asked for. */
ALsizei AL_APIENTRY s3d_player_pull(ALvoid *permit, ALvoid *samples, ALsizei byte_count);
/* Ends a permit, and waits for a callback that is reading. */
void s3d_permit_close(s3d_permit *permit);

#endif
