/* What the files of the shim know of each other. */
#ifndef SPATIAL3D_SHIM_INTERNAL_H
#define SPATIAL3D_SHIM_INTERNAL_H

#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>
#include <AL/efx.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "spatial3d_scene.h"
#include "spatial3d_shim.h"

/* AL_SOFTX_map_buffer, which public headers lack. */
enum { S3D_MAP_READ_BIT = 0x00000001, S3D_MAP_WRITE_BIT = 0x00000002, S3D_MAP_PERSISTENT_BIT = 0x00000004 };
typedef void (AL_APIENTRY *s3d_buffer_storage_fn)(ALuint, ALenum, const ALvoid *, ALsizei, ALsizei, ALuint);
typedef void *(AL_APIENTRY *s3d_map_buffer_fn)(ALuint, ALsizei, ALsizei, ALuint);
typedef void (AL_APIENTRY *s3d_unmap_buffer_fn)(ALuint);

/* AL_SOFT_source_start_delay, which old headers lack. */
typedef void (AL_APIENTRY *s3d_play_at_time_fn)(ALsizei, const ALuint *, ALint64SOFT);

/* Offset and device clock of one moment, of AL_SOFT_source_latency with ALC_SOFT_device_clock, the same. */
enum { S3D_SAMPLE_OFFSET_CLOCK = 0x1202 };

/* ALC_SOFT_reopen_device, the same. */
typedef ALCboolean(ALC_APIENTRY *s3d_reopen_device_fn)(ALCdevice *, const ALCchar *, const ALCint *);

/* AL_SOFT_events, which public headers lack. */
typedef void (AL_APIENTRY *s3d_event_fn)(ALenum, ALuint, ALuint, ALsizei, const ALchar *, void *);
typedef void (AL_APIENTRY *s3d_event_control_fn)(ALsizei, const ALenum *, ALboolean);
typedef void (AL_APIENTRY *s3d_event_callback_fn)(s3d_event_fn, void *);

/* Entry points beyond OpenAL 1.1, looked up at run time. One that the library lacks is NULL. */
typedef struct s3d_api {
    PFNALCSETTHREADCONTEXTPROC set_thread_context;
    PFNALCGETTHREADCONTEXTPROC get_thread_context;
    LPALCLOOPBACKOPENDEVICESOFT loopback_open_device;
    LPALCISRENDERFORMATSUPPORTEDSOFT is_render_format_supported;
    LPALCRENDERSAMPLESSOFT render_samples;
    LPALCGETINTEGER64VSOFT get_integer64;
    LPALGETSOURCEI64VSOFT get_source_integer64;
    /* ALC_EXT_direct_context: the same calls on a context that need not be current. All or none. */
    void(AL_APIENTRY *source_f_direct)(ALCcontext *, ALuint, ALenum, ALfloat);
    void(AL_APIENTRY *source_fv_direct)(ALCcontext *, ALuint, ALenum, const ALfloat *);
    void(AL_APIENTRY *source_i_direct)(ALCcontext *, ALuint, ALenum, ALint);
    void(AL_APIENTRY *get_source_i_direct)(ALCcontext *, ALuint, ALenum, ALint *);
    LPALCGETSTRINGISOFT get_string_at;
    LPALCDEVICEPAUSESOFT pause_device;
    LPALCDEVICERESUMESOFT resume_device;
    LPALDEFERUPDATESSOFT defer_updates;
    LPALPROCESSUPDATESSOFT process_updates;
    PFNALBUFFERDATASTATICPROC buffer_data_static;
    s3d_buffer_storage_fn buffer_storage;
    s3d_map_buffer_fn map_buffer;
    s3d_unmap_buffer_fn unmap_buffer;
    s3d_play_at_time_fn play_at_time;
    LPALGETSTRINGISOFT get_context_string_at; /* of AL_SOFT_source_resampler */
    /* ALC_EXT_EFX: all or none. */
    LPALGENEFFECTS gen_effects;
    LPALDELETEEFFECTS delete_effects;
    LPALEFFECTI effect_i;
    LPALEFFECTF effect_f;
    LPALEFFECTFV effect_fv;
    LPALGENFILTERS gen_filters;
    LPALDELETEFILTERS delete_filters;
    LPALFILTERI filter_i;
    LPALFILTERF filter_f;
    LPALGENAUXILIARYEFFECTSLOTS gen_effect_slots;
    LPALDELETEAUXILIARYEFFECTSLOTS delete_effect_slots;
    LPALAUXILIARYEFFECTSLOTI effect_slot_i;
    LPALAUXILIARYEFFECTSLOTF effect_slot_f;
    s3d_reopen_device_fn reopen_device;
    LPALSOURCEDSOFT set_source_double;
    LPALGETSOURCEDSOFT get_source_double;
    s3d_event_control_fn event_control;
    s3d_event_callback_fn event_callback;
} s3d_api;

/* The table of the loaded library, filled at the first call. */
const s3d_api *s3d_library(void);

/* What has to be there again where another device of the library takes the place of one. */

typedef struct s3d_kept_buffer {
    bool is_present;
    s3d_sound sound;
    uintptr_t borrowed; /* as in s3d_buffer */
    void *copy;         /* of samples that could not be read back; NULL for none */
} s3d_kept_buffer;

typedef struct s3d_kept_source {
    bool is_present;
    bool has_queue;
    uint32_t *buffers; /* the one buffer, or those of the queue */
    uint32_t count;
    uint32_t capacity;
} s3d_kept_source;

enum { S3D_MAX_EFFECT_VALUES = 32 };

typedef struct s3d_kept_slot {
    bool is_present;
    bool is_unused; /* destroyed, and kept for the next to be created */
    bool has_effect;
    s3d_effect_kind kind;
    float values[S3D_MAX_EFFECT_VALUES];
    float gain;
    uint32_t target;
} s3d_kept_slot;

/* How long a reverb of OpenAL Soft 1.19 crossfades. */
enum { S3D_CROSSFADE_FRAMES = 128 };

/* Who calls the library for a device holds it meanwhile; gate.h has how. */
typedef struct s3d_gate {
    pthread_mutex_t lock; /* held while it is closed */
    atomic_bool is_closed;
    atomic_uintptr_t owner; /* the thread that closed it, which passes */
} s3d_gate;
typedef struct s3d_visitor s3d_visitor;

struct s3d_device {
    struct s3d_device *next; /* of all that are open */
    ALCdevice *_Atomic alc;
    pid_t process; /* that opened it */
    s3d_api api; /* the library's table, less what the tests took away */
    s3d_force force;
    /* Held while a context's settings change the device, while its own strings are copied, which that frees, while a loopback
       device mixes, and while an effect slot changes (effect.c, mix.c). Taken inside a scope, before the library's locks. */
    pthread_mutex_t settings_lock;
    atomic_int version; /* s3d_context_version of its contexts; 0 before the first */
    /* Guarded by the settings lock: where reverbs changed, for mix.c. */
    int64_t mixed_frames;
    int64_t reverb_changes[S3D_CROSSFADE_FRAMES]; /* a frame stands at its remainder */
    int64_t last_reverb_change;
    atomic_bool has_new_reverb; /* a change that no mix has taken yet */
    /* Held while names of HRTFs are read, of which each count makes a new list. */
    pthread_mutex_t hrtf_lock;
    pthread_mutex_t mapping_lock; /* held while a buffer's memory is read, which the library lends to one at a time */
    bool is_loopback;
    float *discarded; /* of a silent device: room for a mix */
    bool has_output_limiter;
    bool has_output_mode;
    bool has_reopening;
    atomic_bool is_suspended;
    atomic_bool is_unplugged; /* by a test */
    s3d_gate gate;
    struct s3d_pump *pump; /* of a stand-in that keeps time */
    atomic_bool is_stand_in;
    atomic_bool can_render; /* OpenAL Soft 1.19 does not before a loopback device has had a context */
    atomic_llong clock_base; /* what the clock had counted before this device of the library */
    /* Guards what follows. The last lock to be taken. */
    pthread_mutex_t objects_lock;
    s3d_kept_buffer *buffers; /* by name */
    uint32_t buffer_capacity;
    struct s3d_context *contexts; /* all of them, linked by `next` */
    s3d_settings settings; /* what it was last started with; what all contexts are made with that come to be elsewhere */
    int32_t most_sources;  /* that any context asked for */
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
    uint64_t number; /* no other context of the device has or had it */
    bool holds_sources; /* on a device that is gone, sources stay as they are */
    int32_t channel_count; /* of an offline context; 0 for any other */
    atomic_int creations; /* sources, buffers and effect slots so far, for failing_creation */
    ALuint filter; /* what the next filter is written in before it is attached; 0 until it is needed */
    ALuint effect; /* the same of effects */
    struct s3d_hints *hints; /* NULL for a context that nobody listens to */
    /* By name, and guarded as the calls are that make them. */
    s3d_kept_source *sources;
    uint32_t source_capacity;
    s3d_kept_slot *slots;
    uint32_t slot_capacity;
};

/* Around calls of the library that are not for an open device, or that open or close one. Once another thread ends the process,
   the first does not return. They may be nested. */
void s3d_begin_call(void);
void s3d_end_call(void);
/* For a thread that others wait for: false once another thread ends the process, and then there is nothing to end. */
bool s3d_try_begin_call(void);
void s3d_note_device(s3d_device *device);
void s3d_forget_device(s3d_device *device);

/* What is kept of things as they come and go; false where there is no memory. */
bool s3d_keep_buffer(s3d_context *context, uint32_t id, const s3d_sound *sound, uintptr_t borrowed, void *copy);
void s3d_forget_buffer(s3d_context *context, uint32_t id);
bool s3d_keep_source(s3d_context *context, uint32_t id, uint32_t buffer);
void s3d_forget_source(s3d_context *context, uint32_t id);
bool s3d_reserve_queue(s3d_context *context, uint32_t id, int32_t count);
void s3d_keep_queued(s3d_context *context, uint32_t id, const uint32_t *buffers, int32_t count);
void s3d_forget_queued(s3d_context *context, uint32_t id, uint32_t count);
/* What is kept of a slot, for who changes it; NULL where there is no memory. */
s3d_kept_slot *s3d_kept(s3d_context *context, uint32_t slot);
void s3d_forget_all(s3d_context *context);

/* Fills a buffer of the current context. False where the library did not take the sound. */
bool s3d_refill_buffer(const s3d_api *api, ALuint id, const s3d_kept_buffer *kept, const void *samples);
/* Loads an effect into a slot of the current context, by way of an effect. */
void s3d_load_effect(const s3d_api *api, ALuint effect, ALuint slot, s3d_effect_kind kind, const float *values);
void s3d_set_effect_target(const s3d_api *api, ALuint slot, ALuint target);
/* Has the library's sources stay as they are where their device goes, in the current context; false where it cannot. */
bool s3d_let_sources_stay(const s3d_device *device);
/* Has the current context of the library ring for a context that listens; returns whether it can. */
bool s3d_hear_events(const s3d_context *context, struct s3d_hints *hints);

/* What is asked of what takes an output's place, so that what was granted is granted again. */
s3d_settings s3d_repeat_settings(s3d_settings settings, const s3d_output *granted, bool is_stand_in);

/* Whether an output mixes: one that is connected, and one that only seems to be gone, to a test. */
bool s3d_device_mixes(s3d_device *device);

/* Mixes the next frames of a loopback device, whose settings lock the caller holds. The samples advance by the stride after each
   frame; a stride of 0 writes all pieces to the same memory. */
void s3d_mix(s3d_device *device, float *samples, size_t stride, size_t frame_count);
/* Notes that reverbs of a device may change with the next mix. The caller holds the settings lock. */
void s3d_note_reverb_change(s3d_device *device);
/* Around a change of an effect slot, or of what reverbs depend on: takes the settings lock for versions that need it. */
void s3d_begin_reverb_change(s3d_device *device);
void s3d_end_reverb_change(s3d_device *device);
/* Around the end of deferred updates, during which the library puts off changes of effect slots: no mix may run meanwhile while a
   reverb is new. Returns whether the settings lock is held. */
bool s3d_begin_updates(s3d_device *device);
void s3d_end_updates(s3d_device *device, bool waited);

/* Has time go on on a stand-in, or ends that. */
bool s3d_pump_start(s3d_device *device);
void s3d_pump_stop(s3d_device *device);

/* One mix: what OpenAL Soft 1.25 mixes at once. 1.19 would take more, and then ramps changes over all of it. */
enum { S3D_FRAMES_PER_MIX = 1024 };

/* Of a layout of an output, 7.1 surround. */
enum { S3D_MAX_OUTPUT_CHANNELS = 8 };

/* Whether a device has an extension. */
bool s3d_has(ALCdevice *device, const char *extension);

/* Around questions for the names of outputs and inputs, and what opens one of them by name: one at a time. */
void s3d_begin_asking(void);
void s3d_end_asking(void);
/* Opens an output of the library's; NULL where it does not open. */
ALCdevice *s3d_open_output(const char *name);
/* What the system calls an output, as long as nobody else closes or reopens it; of who keeps it from exiting. */
char *s3d_copy_name_of(ALCdevice *alc);
/* In a child, of whose other threads one may have been asking for names. */
void s3d_forget_who_asks(void);

/* A copy of a text of the library's; NULL for an empty one, or where there is no memory. */
char *s3d_copy_text(const char *text);

/* Room for every attribute that s3d_write_attributes writes, and the zero at the end. */
enum { S3D_MAX_ATTRIBUTES = 32 };

/* The attributes that ask for settings; returns how many numbers they are, without the zero that ends them. */
size_t s3d_write_attributes(
    const s3d_device *device,
    bool is_loopback,
    const s3d_settings *settings,
    ALCint *attributes
);

/* The library's name of the channels that settings ask of a loopback device, 0 for none, and how many they are. */
ALCenum s3d_offline_channels(const s3d_device *device, const s3d_settings *settings);
int32_t s3d_offline_channel_count(const s3d_settings *settings);

/* Gives back what the context wrote filters and effects in. */
void s3d_effects_release(s3d_context *context);

/* Whether the library has the calls of events, and no test took them away. */
bool s3d_has_events(const s3d_context *context);

/* Whether this creation is the one that a test wants to fail. */
bool s3d_creation_fails(s3d_context *context);

#endif
