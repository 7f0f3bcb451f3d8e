/* The structures of the shim, and the functions that its files call of each other. */
#ifndef SPATIAL3D_SHIM_INTERNAL_H
#define SPATIAL3D_SHIM_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "library.h"
#include "spatial3d_scene.h"
#include "spatial3d_shim.h"
#include "spatial3d_support.h"

/* The records from which a replacement device gets the objects of the device before it (registry.c). */

typedef struct s3d_buffer_record {
    bool is_present;
    s3d_sound sound;
    uintptr_t borrowed; /* as in s3d_buffer */
    void *copy;         /* the samples where the library cannot read them back; else NULL */
} s3d_buffer_record;

typedef struct s3d_source_record {
    bool is_present;
    bool has_queue;
    uint32_t *buffers; /* the queue, or the one buffer */
    uint32_t count;
    uint32_t capacity;
} s3d_source_record;

enum { S3D_MAX_EFFECT_VALUES = 32 };

typedef struct s3d_slot_record {
    bool is_present;
    bool is_unused; /* destroyed, and reserved for the next slot that is created */
    bool has_effect;
    s3d_effect_kind kind;
    float values[S3D_MAX_EFFECT_VALUES];
    float gain;
    uint32_t target;
} s3d_slot_record;

/* The length of a reverb's crossfade in OpenAL Soft 1.19. */
enum { S3D_CROSSFADE_FRAMES = 128 };

/* See reader_lock.h. */
typedef struct s3d_reader_lock {
    pthread_mutex_t mutex; /* held by the writer */
    atomic_bool has_writer;
    atomic_uintptr_t writer; /* the thread that writes, which may read as well */
} s3d_reader_lock;
typedef struct s3d_reader s3d_reader;

/* The time of a device whose library has no clock, in nanoseconds (device_time.c). */
typedef struct s3d_counted_time {
    int64_t passed; /* before the members below */
    int64_t frames; /* mixed at the rate, less than a second */
    int32_t rate;   /* in hertz; 0 before the first mix */
    bool is_running; /* whether an output counts the system's time */
    int64_t started; /* in the system's monotonic time */
} s3d_counted_time;

struct s3d_device {
    struct s3d_device *next; /* in the list of all open devices */
    ALCdevice *_Atomic alc;
    pid_t process; /* that opened the device */
    s3d_api api;   /* the library's table, less the functions that a test disabled */
    s3d_disabled_features disabled;
    /* Guards the device's settings and the strings that depend on them; a mix of a silent device or a placeholder; and,
       for versions that need it, a change of an effect slot and a mix of an offline device (mix.c). Taken inside a
       scope, before the library's locks. */
    pthread_mutex_t settings_lock;
    atomic_int version; /* of the library, such as 119; 0 before the first context, and of another library */
    atomic_int sample_rate; /* of the mix, in hertz, as of the last start: a read of the library may wait for a call of another thread */
    /* The changes of reverbs, for mix.c; guarded by the settings lock. */
    int64_t mixed_frames;
    int64_t reverb_changes[S3D_CROSSFADE_FRAMES]; /* the frame of a change, at its remainder */
    int64_t last_reverb_change;
    atomic_bool has_new_reverb; /* whether no mix has begun since the last change */
    /* For restart.c. */
    atomic_int deferring;      /* how many threads defer updates */
    atomic_int restarts;       /* how many restarts are in progress */
    atomic_llong restart_time; /* the time that the library had mixed at the end of the last restart */
    atomic_bool is_unmixed;    /* whether no mix is known to have ended since */
    pthread_mutex_t hrtf_lock;    /* held while the names of HRTFs are read: each count makes another list */
    pthread_mutex_t mapping_lock; /* held while a buffer is mapped, which one thread at a time may do */
    bool is_loopback;
    float *discarded; /* the mix of a silent device */
    bool has_output_limiter;
    bool has_output_mode;
    bool has_reopening;
    atomic_bool is_suspended;
    atomic_bool is_unplugged; /* by a test */
    atomic_bool is_stalled;   /* the output stands still, and the library has not reported its loss */
    s3d_reader_lock reader_lock;
    struct s3d_placeholder_clock *placeholder_clock; /* NULL where time stands still */
    atomic_bool is_placeholder;
    atomic_uint replacements; /* how often another device of the library has replaced the one before it */
    atomic_bool can_render;  /* whether the device has had a context, without which OpenAL Soft 1.19 crashes in a mix */
    atomic_llong clock_base; /* the clock of all devices of the library that this one replaced */
    /* Guards the members below. The last lock to be taken. */
    pthread_mutex_t objects_lock;
    struct s3d_kept_memory *kept_memory; /* linked by `next` */
    s3d_buffer_record *buffers; /* by name */
    uint32_t buffer_capacity;
    struct s3d_context *contexts; /* linked by `next` */
    s3d_counted_time counted_time; /* for a library without a clock */
    s3d_settings settings; /* of the last start, and of contexts on a replacement */
    int32_t most_sources;  /* the largest limit that a context asked for */
    atomic_int hrtf_rate;  /* in hertz, where the library mixes with HRTF at this rate alone; 0 until it is known */
    uint64_t last_number;
};

struct s3d_capture {
    ALCdevice *alc;
    pid_t process; /* that opened it */
};

struct s3d_context {
    ALCcontext *_Atomic alc;
    s3d_device *device;
    const s3d_api *api; /* the device's */
    struct s3d_context *next;
    uint64_t number; /* unique among all contexts that the device has had */
    bool keeps_sources_on_disconnect;
    int32_t channel_count; /* of an offline context; else 0 */
    atomic_int creations;  /* of sources, buffers and effect slots, for failing_creation */
    ALuint filter; /* written before each attachment, which copies it; 0 before the first */
    ALuint effect; /* the same for effects */
    struct s3d_hints *hints; /* NULL without a subscription */
    /* By name. The caller guards them together with the calls that create and delete. */
    s3d_source_record *sources;
    uint32_t source_capacity;
    s3d_slot_record *slots;
    uint32_t slot_capacity;
};

/* Guards begin something, and end it with the block that they stand in, also where the block returns. They are S3D_LOCK
   and S3D_CALL here, S3D_LOCK_SHARED in reader_lock.h, S3D_ENTER and S3D_ENTER_LIBRARY in scope.h, and ENTER_FOR_CHANGE
   in effect.c. A block has at most one of a kind, and ends its guards in the reverse order. A guard may expand to two
   statements, so it never stands alone behind an `if` or `else`. */
#define S3D_GUARD(end) __attribute__((cleanup(end), unused))

/* Locks a mutex; none where it is NULL. */
static inline pthread_mutex_t *s3d_begin_lock(pthread_mutex_t *mutex) {
    if (mutex) pthread_mutex_lock(mutex);
    return mutex;
}
static inline void s3d_end_lock(pthread_mutex_t *const *mutex) {
    if (*mutex) pthread_mutex_unlock(*mutex);
}
#define S3D_LOCK(mutex) S3D_GUARD(s3d_end_lock) pthread_mutex_t *const s3d_locked = s3d_begin_lock(mutex)

/* reader_lock.c: around calls of the library without an open device, and around calls that open or close one. Calls may
   be nested. s3d_begin_call does not return on a thread of a process that ends. */
void s3d_begin_call(void);
void s3d_end_call(void);
/* For a thread that other threads wait for: returns false, and begins nothing, in a process that ends. */
bool s3d_try_begin_call(void);
static inline void s3d_end_guarded_call(const bool *is_calling) {
    if (*is_calling) s3d_end_call();
}
#define S3D_CALL() s3d_begin_call(); S3D_GUARD(s3d_end_guarded_call) const bool s3d_is_calling = true

/* logging.c: before a call that may open or list outputs or inputs, within S3D_CALL. */
void s3d_silence_alsa(void);

/* exit.c */
void s3d_register_device(s3d_device *device);
void s3d_unregister_device(s3d_device *device);

/* registry.c: false and NULL where there is no memory. */
bool s3d_register_buffer(s3d_context *context, uint32_t id, const s3d_buffer_record *record);
void s3d_unregister_buffer(s3d_context *context, uint32_t id);
bool s3d_register_source(s3d_context *context, uint32_t id, uint32_t buffer);
void s3d_unregister_source(s3d_context *context, uint32_t id);
bool s3d_reserve_queue(s3d_context *context, uint32_t id, int32_t count);
void s3d_register_queued(s3d_context *context, uint32_t id, const uint32_t *buffers, int32_t count);
void s3d_unregister_queued(s3d_context *context, uint32_t id, uint32_t count);
bool s3d_reserve_slot(s3d_context *context, uint32_t slot);
void s3d_unregister_all(s3d_context *context);

/* buffer.c: fills a buffer of the current context; false where the library refuses the sound. */
bool s3d_refill_buffer(const s3d_api *api, ALuint id, const s3d_buffer_record *record, const void *samples);

/* effect.c: loads an effect into a slot of the current context, through an effect object. */
void s3d_load_effect(const s3d_api *api, ALuint effect, ALuint slot, s3d_effect_kind kind, const float *values);
void s3d_set_effect_target(const s3d_api *api, ALuint slot, ALuint target);
/* Deletes the context's filter and effect objects. */
void s3d_effects_release(s3d_context *context);

/* events.c */
/* Lets sources of the current context keep their state when the device disconnects; false where the library cannot. */
bool s3d_keep_sources_on_disconnect(const s3d_device *device);
/* Lets the library call back about the current context; false where it has no events. */
bool s3d_enable_events(const s3d_context *context, struct s3d_hints *hints);
/* Ends the callbacks about the current context, which s3d_enable_events has enabled. */
void s3d_disable_events(const s3d_context *context);

/* device.c: memory that callbacks of the library read until a device is closed, which frees it. A device that a
   replacement follows may call back until the replacement closes it, whoever has ended the callback's source. */
struct s3d_kept_memory { struct s3d_kept_memory *next; };
void s3d_keep_until_close(s3d_device *device, struct s3d_kept_memory *memory);

/* device.c: whether a device mixes, which a device that a test unplugged does. */
bool s3d_device_mixes(s3d_device *device);

/* clock.c: pauses an output or resumes it, where the library mixes it and can pause it. The caller has the shared lock
   or the exclusive one. */
void s3d_pause_output(s3d_device *device, bool is_paused);

/* device_time.c */
/* The time that the library has mixed for a device, in nanoseconds, or -1 where it has no clock. */
int64_t s3d_mixed_time(const s3d_api *api, ALCdevice *alc);
/* Counts mixed frames, where the library has no clock. */
void s3d_count_frames(s3d_device *device, size_t frame_count);
/* Runs or stops the time of an output after a change; the caller has the objects lock. Time runs with a context and
   without a pause. */
void s3d_update_running_time(s3d_device *device, bool may_run);
/* The time that was mixed for a device and those that it replaced, in nanoseconds. The caller has the shared lock. */
int64_t s3d_device_time(s3d_device *device);

/* restart.c */
/* Around a call that may restart a device which has contexts. The caller has no settings lock. */
void s3d_begin_restart(s3d_device *device);
void s3d_end_restart(s3d_device *device);
/* Returns whether updates may be deferred, until the caller ends the deferral. */
bool s3d_begin_deferral(s3d_device *device);
void s3d_end_deferral(s3d_device *device);

/* mix.c */
/* Mixes the next frames of a loopback device. The caller holds the settings lock, which an offline device needs only up
   to 1.19. The samples advance by the stride after each frame; a stride of 0 writes all pieces to the same memory. */
void s3d_mix(s3d_device *device, float *samples, size_t stride, size_t frame_count);
/* Returns the number of frames until a crossfade of a reverb ends a mix, and at most the limit. The caller holds the
   lock of s3d_mix. */
size_t s3d_frames_until_cut(const s3d_device *device, size_t limit);
/* Notes that reverbs of a device may change with the next mix. The caller holds the settings lock or
   s3d_lock_for_slots. If that lock is NULL, the version mixes changes of reverbs in any piece, and this function does
   nothing. */
void s3d_note_reverb_change(s3d_device *device);
/* The settings lock for a change of an effect slot, or of a value that reverbs depend on; NULL for versions that do not
   need it. */
pthread_mutex_t *s3d_lock_for_slots(s3d_device *device);
/* The same for the mix of an offline context, beside which a slot may change. */
pthread_mutex_t *s3d_lock_for_render(s3d_device *device);
/* The same for the end of deferred updates; NULL unless a reverb changed. The library puts off changes of effect slots
   meanwhile, so no mix may begin between a change of a reverb and its effect. */
pthread_mutex_t *s3d_lock_for_updates(s3d_device *device);

/* replacement/placeholder_clock.c: starts and stops the thread that mixes a placeholder. */
bool s3d_placeholder_clock_start(s3d_device *device);
void s3d_placeholder_clock_stop(s3d_device *device);

/*
 * The length of one mix, which OpenAL Soft 1.25 mixes at once. A longer one would ramp changes over all of it in 1.19.
 */
enum { S3D_FRAMES_PER_MIX = 1024 };

/* The channels of the largest layout of an output, 7.1 surround. */
enum { S3D_MAX_OUTPUT_CHANNELS = 8 };

/* api.c: whether a device has an extension. */
bool s3d_has(ALCdevice *device, const char *extension);
/* api.c: the error of a failed call for a device, or with NULL of a failed call that opens a device. */
s3d_error s3d_device_reason(ALCdevice *device);

/* layouts.c: the library's constants of each layout. */
typedef struct s3d_layout_constants {
    int32_t channel_count;    /* of an output; else 0 */
    ALCenum channels;         /* the channels of an output; else 0 */
    ALenum buffer_formats[2]; /* by s3d_sample */
} s3d_layout_constants;
extern const s3d_layout_constants s3d_layouts[S3D_BFORMAT_3D + 1];

/* device_names.c */
/* Held around a call that enumerates devices or opens one by name, which one thread at a time may do. */
extern pthread_mutex_t s3d_names_lock;
/* Opens an output of the library; NULL where it does not open. */
ALCdevice *s3d_open_output(const char *name);
/* Copies the system's name of an output. The caller ensures that no other thread closes or reopens it. */
char *s3d_copy_name_of(ALCdevice *alc);
/* Copies a text of the library; NULL for an empty text, and where there is no memory. */
char *s3d_copy_text(const char *text);

/* output.c */
/* The capacity for every attribute of s3d_write_attributes, and the zero at the end. */
enum { S3D_MAX_ATTRIBUTES = 32 };
/* Writes the attributes that ask for settings, and a zero; returns how many numbers precede the zero. */
size_t s3d_write_attributes(
    const s3d_device *device,
    bool is_loopback,
    const s3d_settings *settings,
    ALCint *attributes
);
/* Notes the rate of the mix after a start, or after another device of the library has come. */
void s3d_note_sample_rate(s3d_device *device);
/* Notes the rate of the HRTF after a start with these settings, which later attributes ask for. The caller has the
   shared lock. */
void s3d_note_hrtf_rate(s3d_device *device, const s3d_settings *settings);
/* The library's constant for the channels that settings ask of a loopback device, or 0; and their number. */
ALCenum s3d_offline_channels(const s3d_device *device, const s3d_settings *settings);
int32_t s3d_offline_channel_count(const s3d_settings *settings);
/* The settings of a replacement, which ask for the configuration that was granted before. */
s3d_settings s3d_repeat_settings(s3d_settings settings, const s3d_output *granted, bool is_placeholder);
/* The settings of the last start, with the configuration that it granted where the device has contexts. */
s3d_settings s3d_last_settings(s3d_device *device);

static inline bool s3d_is_disabled(const s3d_device *device, s3d_capability capability) {
    return s3d_contains(device->disabled.capabilities, capability);
}

/* Whether a test lets this creation fail. */
static inline bool s3d_creation_fails(s3d_context *context) {
    const int32_t failing = context->device->disabled.failing_creation;
    return failing > 0 && atomic_fetch_add(&context->creations, 1) + 1 == failing;
}

#endif
