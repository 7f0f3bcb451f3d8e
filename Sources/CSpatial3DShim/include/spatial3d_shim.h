/*
 * The only door to OpenAL Soft.
 *
 * Every call that needs a current context, an entry point looked up at run time, or a constant that old headers lack is
 * made here. There is no policy and no arithmetic: ranges, decibels and states are Swift's.
 *
 * Devices and contexts are opaque and owned by whoever created them. A context outlives its sources and buffers, and a
 * device its contexts: the Swift objects retain their parents, so the order cannot go wrong. Every function may be called
 * from any thread; s3d_context_render alone from one thread at a time.
 */
#ifndef SPATIAL3D_SHIM_H
#define SPATIAL3D_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct s3d_device s3d_device;
typedef struct s3d_context s3d_context;
typedef struct { uint32_t id; } s3d_source;
typedef struct {
    uint32_t id;
    uintptr_t borrowed; /* where the samples are that the library plays in place; 0 where it has a copy */
} s3d_buffer;

/* 0 is success, a positive value the library's own error code, a negative one of these. */
typedef int32_t s3d_error;
enum {
    S3D_OK = 0,
    S3D_REFUSED = -1,        /* the library said no and gave no reason */
    S3D_NOT_IN_LIBRARY = -2, /* the loaded library lacks a function or a format that the call needs */
};

typedef enum s3d_layout {
    S3D_MONO,
    S3D_STEREO,
    S3D_QUAD,
    S3D_SURROUND_51,
    S3D_SURROUND_61,
    S3D_SURROUND_71,
    S3D_BFORMAT_2D, /* buffers alone */
    S3D_BFORMAT_3D, /* buffers alone */
} s3d_layout;

typedef enum s3d_sample { S3D_INT16, S3D_FLOAT32 } s3d_sample;

typedef enum s3d_state { S3D_INITIAL, S3D_PLAYING, S3D_PAUSED, S3D_STOPPED } s3d_state;

/* What tests take away from a device and its contexts, so that one machine covers what another library lacks. */
typedef struct s3d_force {
    bool no_thread_context;   /* as without ALC_EXT_thread_local_context */
    bool no_deferred_updates; /* as without AL_SOFT_deferred_updates */
    bool no_device_clock;     /* as without ALC_SOFT_device_clock */
    bool no_static_buffer;    /* as without AL_EXT_STATIC_BUFFER */
    bool no_buffer_mapping;   /* as without AL_SOFTX_map_buffer */
    int32_t failing_creation; /* the n-th source or buffer of a context fails, counted from 1; 0 for none */
} s3d_force;

/* Devices. */

/* Lists of names are a run of strings, each ending in a zero byte, and an empty one at the end. Free them. NULL: no list. */
char *s3d_copy_output_names(void);
/* The name of the default output; free it. NULL: there is none. */
char *s3d_copy_default_output_name(void);

/* A NULL name is the default output. */
s3d_error s3d_device_open(const char *name, s3d_force force, s3d_device **out);
s3d_error s3d_device_open_loopback(s3d_force force, s3d_device **out);
char *s3d_device_copy_name(s3d_device *device);
void s3d_device_close(s3d_device *device);

/* Contexts. */

s3d_error s3d_context_create(s3d_device *device, s3d_context **out);
/* For a loopback device. Frames are interleaved floats at exactly this rate, or the creation fails. */
s3d_error s3d_context_create_offline(s3d_device *device, int32_t sample_rate, s3d_layout layout, s3d_context **out);
void s3d_context_destroy(s3d_context *context);
/* The rate that was granted, in hertz. */
int32_t s3d_context_sample_rate(s3d_context *context);
/* Nanoseconds that the mixer has mixed; negative where the library cannot say. */
int64_t s3d_context_clock(s3d_context *context);
/* Mixes the next frames of an offline context into room for frame_count whole frames. */
void s3d_context_render(s3d_context *context, float *samples, size_t frame_count);

/* Buffers. */

typedef struct s3d_sound {
    s3d_layout layout;
    s3d_sample sample;
    int32_t sample_rate;
    int32_t byte_count;
    bool has_loop_points; /* else all of it loops */
    int32_t loop_start;   /* frames */
    int32_t loop_end;     /* after the last frame of the loop */
} s3d_sound;

/* The library copies the samples before this returns. */
s3d_error s3d_buffer_create(s3d_context *context, const s3d_sound *sound, const void *samples, s3d_buffer *out);
/*
 * Takes over samples that malloc gave, whatever it answers. The library plays them in place where it can; else they are
 * moved into its own memory, which needs hardly more than one copy of them at any time where the library lends that memory.
 */
s3d_error s3d_buffer_create_owning(s3d_context *context, const s3d_sound *sound, void *samples, s3d_buffer *out);
/* No source may hold the buffer any more. Frees the samples that the library played in place. */
void s3d_buffer_destroy(s3d_context *context, s3d_buffer buffer);

/* Sources. */

s3d_error s3d_source_create(s3d_context *context, s3d_buffer buffer, s3d_source *out);
/* Stops the source and lets go of its buffer first. */
void s3d_source_destroy(s3d_context *context, s3d_source source);
void s3d_source_play(s3d_context *context, s3d_source source);
void s3d_source_pause(s3d_context *context, s3d_source source);
void s3d_source_stop(s3d_context *context, s3d_source source);
void s3d_source_rewind(s3d_context *context, s3d_source source);
s3d_state s3d_source_state(s3d_context *context, s3d_source source);

/* Settable state. */

enum {
    S3D_SOURCE_GAIN = 1 << 0,
    S3D_SOURCE_PITCH = 1 << 1,
    S3D_SOURCE_LOOPING = 1 << 2,
    S3D_SOURCE_POSITION = 1 << 3,
    S3D_SOURCE_VELOCITY = 1 << 4,
    S3D_SOURCE_RELATIVE = 1 << 5,
};

enum {
    S3D_LISTENER_POSITION = 1 << 0,
    S3D_LISTENER_VELOCITY = 1 << 1,
    S3D_LISTENER_ORIENTATION = 1 << 2,
    S3D_LISTENER_GAIN = 1 << 3,
};

/* The values of a source, and which of them changed. Values are finite and in the library's range. */
typedef struct s3d_source_update {
    s3d_source source;
    uint32_t changed;
    float gain;
    float pitch;
    float position[3];
    float velocity[3];
    bool is_looping;
    bool is_relative;
} s3d_source_update;

typedef struct s3d_listener_update {
    uint32_t changed;
    float gain;
    float position[3];
    float velocity[3];
    float orientation[6]; /* forward, then up */
} s3d_listener_update;

/* Hands all changes to the library so that one mix sees either none or all of them. */
void s3d_context_apply(
    s3d_context *context,
    const s3d_listener_update *listener,
    const s3d_source_update *sources,
    size_t source_count
);

/* Reads back what the library holds, so that tests can compare; `changed` is left alone. */
void s3d_source_read(s3d_context *context, s3d_source source, s3d_source_update *out);
void s3d_listener_read(s3d_context *context, s3d_listener_update *out);

/* What the library still has, for tests of what is freed. Addresses and numbers may be used again by others. */
uintptr_t s3d_device_address(s3d_device *device);
uintptr_t s3d_context_address(s3d_context *context);
bool s3d_library_has_device(uintptr_t address);
bool s3d_library_has_context(uintptr_t address);
bool s3d_library_has_buffer(s3d_context *context, s3d_buffer buffer);
/* Whether a context is current on the calling thread alone. */
bool s3d_thread_has_context(void);

/* Writes a line to standard error. */
void s3d_log(const char *line);

#endif
