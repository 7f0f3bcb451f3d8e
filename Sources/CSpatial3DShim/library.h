/* The types and the entry points of OpenAL Soft that public headers lack. */
#ifndef SPATIAL3D_SHIM_LIBRARY_H
#define SPATIAL3D_SHIM_LIBRARY_H

#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>
#include <AL/efx.h>

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

/* A value of AL_SOFT_direct_channels_remix, which old headers lack. */
enum { S3D_REMIX_UNMATCHED = 0x0002 };

/* AL_SOFT_callback_buffer, which old headers lack. The callback fills all bytes: fewer end the source. */
typedef ALsizei (AL_APIENTRY *s3d_buffer_callback_type)(ALvoid *, ALvoid *, ALsizei);
typedef void (AL_APIENTRY *s3d_buffer_callback_fn)(ALuint, ALenum, ALsizei, s3d_buffer_callback_type, ALvoid *);

/* AL_SOFT_events, which public headers lack. */
typedef void (AL_APIENTRY *s3d_event_fn)(ALenum, ALuint, ALuint, ALsizei, const ALchar *, void *);
typedef void (AL_APIENTRY *s3d_event_control_fn)(ALsizei, const ALenum *, ALboolean);
typedef void (AL_APIENTRY *s3d_event_callback_fn)(s3d_event_fn, void *);

/* ALC_EXT_direct_context, which old headers lack. */
typedef void (AL_APIENTRY *s3d_source_f_direct_fn)(ALCcontext *, ALuint, ALenum, ALfloat);
typedef void (AL_APIENTRY *s3d_source_fv_direct_fn)(ALCcontext *, ALuint, ALenum, const ALfloat *);
typedef void (AL_APIENTRY *s3d_source_i_direct_fn)(ALCcontext *, ALuint, ALenum, ALint);
typedef void (AL_APIENTRY *s3d_get_source_i_direct_fn)(ALCcontext *, ALuint, ALenum, ALint *);

/* The entry points beyond OpenAL 1.1: a type, the member of s3d_api, and the name in the library. */
#define S3D_EACH_DEVICE_FUNCTION(DO) \
    DO(PFNALCSETTHREADCONTEXTPROC, set_thread_context, "alcSetThreadContext") \
    DO(PFNALCGETTHREADCONTEXTPROC, get_thread_context, "alcGetThreadContext") \
    DO(LPALCLOOPBACKOPENDEVICESOFT, loopback_open_device, "alcLoopbackOpenDeviceSOFT") \
    DO(LPALCISRENDERFORMATSUPPORTEDSOFT, is_render_format_supported, "alcIsRenderFormatSupportedSOFT") \
    DO(LPALCRENDERSAMPLESSOFT, render_samples, "alcRenderSamplesSOFT") \
    DO(LPALCGETINTEGER64VSOFT, get_integer64, "alcGetInteger64vSOFT") \
    DO(LPALCGETSTRINGISOFT, get_string_at, "alcGetStringiSOFT") \
    DO(LPALCDEVICEPAUSESOFT, pause_device, "alcDevicePauseSOFT") \
    DO(LPALCDEVICERESUMESOFT, resume_device, "alcDeviceResumeSOFT") \
    DO(LPALCRESETDEVICESOFT, reset_device, "alcResetDeviceSOFT") \
    DO(s3d_reopen_device_fn, reopen_device, "alcReopenDeviceSOFT")

#define S3D_EACH_CONTEXT_FUNCTION(DO) \
    DO(LPALGETSOURCEI64VSOFT, get_source_integer64, "alGetSourcei64vSOFT") \
    /* ALC_EXT_direct_context, on a context that need not be current: all or none. */ \
    DO(s3d_source_f_direct_fn, source_f_direct, "alSourcefDirect") \
    DO(s3d_source_fv_direct_fn, source_fv_direct, "alSourcefvDirect") \
    DO(s3d_source_i_direct_fn, source_i_direct, "alSourceiDirect") \
    DO(s3d_get_source_i_direct_fn, get_source_i_direct, "alGetSourceiDirect") \
    DO(LPALDEFERUPDATESSOFT, defer_updates, "alDeferUpdatesSOFT") \
    DO(LPALPROCESSUPDATESSOFT, process_updates, "alProcessUpdatesSOFT") \
    DO(PFNALBUFFERDATASTATICPROC, buffer_data_static, "alBufferDataStatic") \
    DO(s3d_buffer_storage_fn, buffer_storage, "alBufferStorageSOFT") \
    DO(s3d_map_buffer_fn, map_buffer, "alMapBufferSOFT") \
    DO(s3d_unmap_buffer_fn, unmap_buffer, "alUnmapBufferSOFT") \
    DO(s3d_buffer_callback_fn, buffer_callback, "alBufferCallbackSOFT") \
    DO(s3d_play_at_time_fn, play_at_time, "alSourcePlayAtTimevSOFT") \
    DO(LPALGETSTRINGISOFT, get_context_string_at, "alGetStringiSOFT") /* of AL_SOFT_source_resampler */ \
    DO(LPALSOURCEDSOFT, set_source_double, "alSourcedSOFT") \
    DO(LPALGETSOURCEDSOFT, get_source_double, "alGetSourcedSOFT") \
    DO(s3d_event_control_fn, event_control, "alEventControlSOFT") \
    DO(s3d_event_callback_fn, event_callback, "alEventCallbackSOFT") \
    /* ALC_EXT_EFX: all or none. */ \
    DO(LPALGENEFFECTS, gen_effects, "alGenEffects") \
    DO(LPALDELETEEFFECTS, delete_effects, "alDeleteEffects") \
    DO(LPALEFFECTI, effect_i, "alEffecti") \
    DO(LPALEFFECTF, effect_f, "alEffectf") \
    DO(LPALEFFECTFV, effect_fv, "alEffectfv") \
    DO(LPALGENFILTERS, gen_filters, "alGenFilters") \
    DO(LPALDELETEFILTERS, delete_filters, "alDeleteFilters") \
    DO(LPALFILTERI, filter_i, "alFilteri") \
    DO(LPALFILTERF, filter_f, "alFilterf") \
    DO(LPALGENAUXILIARYEFFECTSLOTS, gen_effect_slots, "alGenAuxiliaryEffectSlots") \
    DO(LPALDELETEAUXILIARYEFFECTSLOTS, delete_effect_slots, "alDeleteAuxiliaryEffectSlots") \
    DO(LPALAUXILIARYEFFECTSLOTI, effect_slot_i, "alAuxiliaryEffectSloti") \
    DO(LPALAUXILIARYEFFECTSLOTF, effect_slot_f, "alAuxiliaryEffectSlotf")

/* Looked up at run time; NULL for a function that the library lacks. */
typedef struct s3d_api {
#define S3D_MEMBER(type, member, name) type member;
    S3D_EACH_DEVICE_FUNCTION(S3D_MEMBER)
    S3D_EACH_CONTEXT_FUNCTION(S3D_MEMBER)
#undef S3D_MEMBER
} s3d_api;

/* The table of the loaded library, filled at the first call. */
const s3d_api *s3d_library(void);

#endif
