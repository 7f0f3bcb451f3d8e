/*
 * The only door to OpenAL Soft.
 *
 * Every call that needs a current context, an entry point looked up at run time, or a constant that old headers lack is
 * made here. There is no policy and no arithmetic: ranges, decibels and states are Swift's.
 *
 * Devices and contexts are opaque and owned by whoever created them. A context outlives its sources and buffers, and a
 * device its contexts: the Swift objects retain their parents, so the order cannot go wrong. Every function may be
 * called from any thread; s3d_context_render alone from one thread at a time.
 */
#ifndef SPATIAL3D_SHIM_H
#define SPATIAL3D_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spatial3d_capabilities.h"

typedef struct s3d_device s3d_device;
typedef struct s3d_context s3d_context;
typedef struct s3d_capture s3d_capture;
typedef struct { uint32_t id; } s3d_source;
typedef struct {
    uint32_t id;
    uintptr_t borrowed; /* where the samples are that the library plays in place; 0 where it has a copy */
} s3d_buffer;

/* 0 is success, a positive value the library's own error code, a negative one of these. */
typedef int32_t s3d_error;
enum {
    S3D_OK = 0,
    S3D_REFUSED = -1,        /* the library failed without an error code */
    S3D_NOT_IN_LIBRARY = -2, /* the loaded library lacks a function or a format that the call needs */
    S3D_CHANGED = -3,        /* the contexts of a device changed while its replacement was prepared */
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

/* Devices. */

/*
 * Lists of names are a run of strings, each ending in a zero byte, and an empty one at the end. Free them. NULL: no
 * list.
 */
char *s3d_copy_output_names(void);
/* The name of the default output; free it. NULL: no default output. */
char *s3d_copy_default_output_name(void);
/*
 * Opens an output for a moment, by name or the default one, and returns the system's name of it; free it. NULL: it does
 * not open. Unlike an enumeration this does not block other calls in OpenAL Soft 1.19, and it is right in 1.25 after
 * the sound server has restarted.
 */
char *s3d_copy_name_of_output(const char *name);

/* A NULL name is the default output. */
s3d_error s3d_device_open(const char *name, s3d_disabled_features disabled, s3d_device **out);
s3d_error s3d_device_open_loopback(s3d_disabled_features disabled, s3d_device **out);
/* Another loopback device, with the same features. */
s3d_error s3d_device_open_beside(const s3d_device *loopback, s3d_device **out);
/* A loopback device that has several contexts, as an output may. Each asks for a rate and a layout. */
s3d_error s3d_device_open_silent(s3d_disabled_features disabled, s3d_device **out);
/*
 * Mixes the next frames of a silent device that has a context, and discards them; on one thread at a time. Returns how
 * many frames it mixed: fewer where the device is suspended meanwhile.
 */
size_t s3d_device_discard(s3d_device *device, size_t frame_count);
/* Not while another thread reopens it. */
char *s3d_device_copy_name(s3d_device *device);
void s3d_device_close(s3d_device *device);

/*
 * Whether this is a child that was forked from the process that opened a device. The child has none of the library's
 * threads, and shares the connection to a sound server with its parent: closing the device there has aborted the
 * parent. The child therefore leaves everything as it is.
 */
bool s3d_device_is_inherited(const s3d_device *device);

/* Output. */

typedef enum s3d_choice { S3D_AUTOMATIC, S3D_OFF, S3D_ON } s3d_choice;

/* The settings that a context asks for; zeroes ask for nothing. */
typedef struct s3d_settings {
    int32_t sample_rate; /* in hertz; 0 for the device's own */
    bool has_layout;     /* false for the device's own */
    s3d_layout layout;
    int32_t ambisonic_order; /* of a loopback device, in place of a layout; 0 for a layout */
    s3d_choice hrtf;
    int32_t hrtf_number; /* an index into the list of names, counted from 1; 0 for the library's choice */
    s3d_choice limiter;
    int32_t source_limit; /* 0 for the library's default */
    bool has_send_limit;  /* false for the library's default */
    int32_t send_limit;
    int32_t least_send_limit; /* the least that a restart grants; 0 for any number */
    bool asks_for_defaults; /* whether automatic values are asked for: a restart may keep earlier requests */
    int32_t present_rate;     /* which a restart keeps where sample_rate is 0; 0 for any rate */
} s3d_settings;

typedef enum s3d_hrtf_status {
    S3D_HRTF_OFF,
    S3D_HRTF_ON,
    S3D_HRTF_FORBIDDEN_BY_USER,
    S3D_HRTF_REQUIRED_BY_USER,
    S3D_HRTF_FOR_HEADPHONES,
    S3D_HRTF_WRONG_FORMAT,
    S3D_HRTF_NOT_IN_LIBRARY,
} s3d_hrtf_status;

/* The configuration that an output granted to its contexts. */
typedef struct s3d_output {
    int32_t sample_rate;
    bool has_layout; /* whether the library reports it; never for a loopback device */
    s3d_layout layout;
    s3d_hrtf_status hrtf;
    s3d_choice limiter; /* S3D_AUTOMATIC: the library does not report it */
    int32_t source_limit;
    int32_t send_limit;
    int32_t refresh_rate; /* mixes per second; 0 for a loopback device */
} s3d_output;

s3d_output s3d_device_read_output(s3d_device *device);
/* The rate of the mix, in hertz. Takes no lock, and calls nothing of the library. */
int32_t s3d_device_sample_rate(s3d_device *device);
/* A list of names. */
char *s3d_device_copy_hrtf_names(s3d_device *device);
/* Whether a mix with HRTF may have the rate of the HRTF: true up to OpenAL Soft 1.21, which does so up to 1.20.0. */
bool s3d_device_may_take_hrtf_rate(const s3d_device *device);
/* The name of the HRTF that is on; free it. NULL: none is. */
char *s3d_device_copy_hrtf_name(s3d_device *device);

/* Time. */

/* Pauses the mixer, or resumes it. A paused loopback device renders silence. */
void s3d_device_suspend(s3d_device *device, bool is_suspended);
/* Whether a device can be suspended. */
bool s3d_device_can_suspend(s3d_device *device);
/*
 * Nanoseconds that the mixer has mixed. If the library has no clock, the shim counts the frames that it mixes, and the
 * time of an output.
 */
int64_t s3d_context_clock(s3d_context *context);
/* Sets the clock of a loopback device to the clock of another one, between the mixes of both. */
void s3d_device_adopt_clock(s3d_device *device, s3d_device *other);
/*
 * The time from the mix to the ear, as the library estimates it, and the clock of the estimate; both in nanoseconds,
 * and negative where the library has no clock.
 */
typedef struct s3d_latency {
    int64_t nanoseconds, clock;
} s3d_latency;
s3d_latency s3d_context_read_latency(s3d_context *context);

/* The features of the loaded library, less those that a test disabled. */
s3d_capabilities s3d_context_capabilities(s3d_context *context);

typedef enum s3d_library_string { S3D_VERSION, S3D_VENDOR, S3D_RENDERER } s3d_library_string;

/* A string that identifies the library; free it. */
char *s3d_context_copy_string(s3d_context *context, s3d_library_string string);

/* Resamplers, by an index below their count. The count is 0 and the default -1 where the library offers no choice. */
int32_t s3d_context_resampler_count(s3d_context *context);
int32_t s3d_context_default_resampler(s3d_context *context);
/* Free it. */
char *s3d_context_copy_resampler_name(s3d_context *context, int32_t index);

/* Contexts. */

s3d_error s3d_context_create(s3d_device *device, const s3d_settings *settings, s3d_context **out);
/*
 * For a loopback device. Frames are interleaved floats of exactly the rate and layout asked for; else the call fails.
 */
s3d_error s3d_context_create_offline(s3d_device *device, const s3d_settings *settings, s3d_context **out);
void s3d_context_destroy(s3d_context *context);
/* Mixes the next frames of an offline context into room for frame_count whole frames. */
void s3d_context_render(s3d_context *context, float *samples, size_t frame_count);
/* Returns the number of frames until a crossfade of a reverb ends a mix (mix.c), and at most the limit. */
size_t s3d_context_frames_until_cut(s3d_context *context, size_t limit);

/*
 * Restarts a device that has contexts with other settings, and with as many sends as before. S3D_NOT_IN_LIBRARY: the
 * library cannot. S3D_REFUSED: the device has no output at present. Any other error may have disconnected the device.
 */
s3d_error s3d_device_reset(s3d_device *device, const s3d_settings *settings);

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
 * Takes over samples that malloc allocated, also where it fails. The library plays them without a copy if it can; else
 * they are moved into the library's memory. A move into mapped memory needs hardly more than one copy at any time.
 */
s3d_error s3d_buffer_create_owning(s3d_context *context, const s3d_sound *sound, void *samples, s3d_buffer *out);
/*
 * Copies a buffer of another context, which may be the same one, after some silence; the byte count of `sound` includes
 * the silence. S3D_NOT_IN_LIBRARY: the buffer cannot be read.
 */
s3d_error s3d_buffer_create_after_silence(
    s3d_context *context,
    const s3d_sound *sound,
    s3d_context *other,
    s3d_buffer buffer,
    int32_t silent_byte_count,
    s3d_buffer *out
);
/* No source may hold the buffer any more. Frees the samples that the library played without a copy. */
void s3d_buffer_destroy(s3d_context *context, s3d_buffer buffer);

/* Sources. */

/* Buffer 0 creates a source for a queue. */
s3d_error s3d_source_create(s3d_context *context, s3d_buffer buffer, s3d_source *out);
/* Stops the source and releases its buffer first. */
void s3d_source_destroy(s3d_context *context, s3d_source source);
typedef enum s3d_verb { S3D_PLAY, S3D_PAUSE, S3D_STOP, S3D_REWIND } s3d_verb;
/* A call for sources, by their names, which applies to all of them at the same frame of the mix. */
void s3d_sources_perform(s3d_context *context, s3d_verb verb, const uint32_t *ids, int32_t count);
/*
 * Whether the library can start sources at a time of the clock, and the call that does; a paused source resumes at
 * once.
 */
bool s3d_context_can_delay(s3d_context *context);
void s3d_sources_play_at(s3d_context *context, const uint32_t *ids, int32_t count, int64_t nanoseconds);
s3d_state s3d_source_state(s3d_context *context, s3d_source source);
/* The states of many sources, as s3d_state. */
void s3d_sources_read_states(s3d_context *context, const uint32_t *ids, int32_t count, uint8_t *states);
/*
 * Frames from the beginning of the source's buffer, or of its queue. A seek takes a frame inside of it, with a fraction
 * where the library has AL_SOFT_source_latency.
 */
int32_t s3d_source_frame(s3d_context *context, s3d_source source);
void s3d_source_seek(s3d_context *context, s3d_source source, double frame);
/* Appends buffers, by their names and all of one format, to the queue of a source without a buffer of its own. */
s3d_error s3d_source_queue(s3d_context *context, s3d_source source, const uint32_t *buffers, int32_t count);
/* Unqueues the first buffers, which are processed. */
void s3d_source_unqueue(s3d_context *context, s3d_source source, int32_t count);
/* Unqueues all buffers, processed or not, and rewinds the source. */
void s3d_source_clear_queue(s3d_context *context, s3d_source source);
/* Gives a source that neither plays nor is paused other buffers: a queue, or one of its own. */
void s3d_source_set_buffers(s3d_context *context, s3d_source source, const uint32_t *buffers, int32_t count, bool is_queue);
/* Gives a new source the buffers of another. */
void s3d_source_copy_buffers(s3d_context *context, s3d_source from, s3d_source to);
/* Plays from a frame, or a fraction of one, with the next mix. */
void s3d_source_restart(s3d_context *context, s3d_source source, float frame);
/* How many buffers of the queue are processed; 0 while looping. */
int32_t s3d_source_processed(s3d_context *context, s3d_source source);


/* The calling thread's innermost batch of changes, which Swift owns; NULL for none. */
extern _Thread_local void *s3d_thread_batch;
static inline void *s3d_batch_of_thread(void) { return s3d_thread_batch; }
static inline void s3d_set_batch_of_thread(void *batch) { s3d_thread_batch = batch; }

#include "spatial3d_capture.h"
#include "spatial3d_effects.h"
#include "spatial3d_events.h"
#include "spatial3d_player.h"
#include "spatial3d_replacement.h"
#include "spatial3d_servers.h"

#endif
