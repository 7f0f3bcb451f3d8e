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

#include "spatial3d_shim.h"

/* AL_SOFTX_map_buffer, which public headers lack. */
enum { S3D_MAP_READ_BIT = 0x00000001, S3D_MAP_WRITE_BIT = 0x00000002, S3D_MAP_PERSISTENT_BIT = 0x00000004 };
typedef void (AL_APIENTRY *s3d_buffer_storage_fn)(ALuint, ALenum, const ALvoid *, ALsizei, ALsizei, ALuint);
typedef void *(AL_APIENTRY *s3d_map_buffer_fn)(ALuint, ALsizei, ALsizei, ALuint);
typedef void (AL_APIENTRY *s3d_unmap_buffer_fn)(ALuint);

/* AL_SOFT_source_start_delay, which old headers lack. */
typedef void (AL_APIENTRY *s3d_play_at_time_fn)(ALsizei, const ALuint *, ALint64SOFT);

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
    s3d_event_control_fn event_control;
    s3d_event_callback_fn event_callback;
} s3d_api;

/* The table of the loaded library, filled at the first call. */
const s3d_api *s3d_library(void);

struct s3d_device {
    ALCdevice *alc;
    pid_t process; /* that opened it */
    s3d_api api; /* the library's table, less what the tests took away */
    s3d_force force;
    /* Held while a context's settings change the device, and while its own strings are copied, which that frees. */
    pthread_mutex_t settings_lock;
    bool is_loopback;
    float *discarded; /* of a silent device: room for a mix */
    bool has_output_limiter;
    bool has_output_mode;
    atomic_bool is_suspended; /* of a loopback device */
    atomic_bool is_unplugged; /* by a test */
};

struct s3d_capture {
    ALCdevice *alc;
};

struct s3d_context {
    ALCcontext *alc;
    s3d_device *device;
    const s3d_api *api; /* the device's */
    int32_t channel_count; /* of an offline context; 0 for any other */
    atomic_int creations; /* sources, buffers and effect slots so far, for failing_creation */
    ALuint filter; /* what the next filter is written in before it is attached; 0 until it is needed */
    ALuint effect; /* the same of effects */
    struct s3d_hints *hints; /* NULL for a context that nobody listens to */
};

/* One mix: what OpenAL Soft 1.25 mixes at once. 1.19 would take more, and then ramps changes over all of it. */
enum { S3D_FRAMES_PER_MIX = 1024 };

/* Of a layout of an output, 7.1 surround. */
enum { S3D_MAX_OUTPUT_CHANNELS = 8 };

/* Whether this is a child that was forked from the process that opened a device.

   The library's threads are not in the child, and what it shares with a sound server is the parent's: closing there has aborted the
   parent. So the child leaves all as it is. */
bool s3d_is_inherited(const s3d_device *device);

/* Whether a device has an extension. */
bool s3d_has(ALCdevice *device, const char *extension);

/* A copy of a text of the library's; NULL for an empty one, or where there is no memory. */
char *s3d_copy_text(const char *text);

/* Room for every attribute that s3d_write_attributes writes, and the zero at the end. */
enum { S3D_MAX_ATTRIBUTES = 32 };

/* The attributes that ask for settings; returns how many numbers they are, without the zero that ends them. */
size_t s3d_write_attributes(const s3d_device *device, const s3d_settings *settings, ALCint *attributes);

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
