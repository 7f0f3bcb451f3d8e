#include <pthread.h>
#include <stdio.h>

#include "internal.h"

static s3d_api library;

_Thread_local void *s3d_thread_batch = NULL;

static void look_up(void) {
    library.set_thread_context = (PFNALCSETTHREADCONTEXTPROC)alcGetProcAddress(NULL, "alcSetThreadContext");
    library.get_thread_context = (PFNALCGETTHREADCONTEXTPROC)alcGetProcAddress(NULL, "alcGetThreadContext");
    library.loopback_open_device =
        (LPALCLOOPBACKOPENDEVICESOFT)alcGetProcAddress(NULL, "alcLoopbackOpenDeviceSOFT");
    library.is_render_format_supported =
        (LPALCISRENDERFORMATSUPPORTEDSOFT)alcGetProcAddress(NULL, "alcIsRenderFormatSupportedSOFT");
    library.render_samples = (LPALCRENDERSAMPLESSOFT)alcGetProcAddress(NULL, "alcRenderSamplesSOFT");
    library.get_integer64 = (LPALCGETINTEGER64VSOFT)alcGetProcAddress(NULL, "alcGetInteger64vSOFT");
    library.get_source_integer64 = (LPALGETSOURCEI64VSOFT)alGetProcAddress("alGetSourcei64vSOFT");
    library.source_f_direct =
        (void(AL_APIENTRY *)(ALCcontext *, ALuint, ALenum, ALfloat))alGetProcAddress("alSourcefDirect");
    library.source_fv_direct =
        (void(AL_APIENTRY *)(ALCcontext *, ALuint, ALenum, const ALfloat *))alGetProcAddress("alSourcefvDirect");
    library.source_i_direct =
        (void(AL_APIENTRY *)(ALCcontext *, ALuint, ALenum, ALint))alGetProcAddress("alSourceiDirect");
    library.get_source_i_direct =
        (void(AL_APIENTRY *)(ALCcontext *, ALuint, ALenum, ALint *))alGetProcAddress("alGetSourceiDirect");
    library.get_string_at = (LPALCGETSTRINGISOFT)alcGetProcAddress(NULL, "alcGetStringiSOFT");
    library.pause_device = (LPALCDEVICEPAUSESOFT)alcGetProcAddress(NULL, "alcDevicePauseSOFT");
    library.resume_device = (LPALCDEVICERESUMESOFT)alcGetProcAddress(NULL, "alcDeviceResumeSOFT");
    library.defer_updates = (LPALDEFERUPDATESSOFT)alGetProcAddress("alDeferUpdatesSOFT");
    library.process_updates = (LPALPROCESSUPDATESSOFT)alGetProcAddress("alProcessUpdatesSOFT");
    library.buffer_data_static = (PFNALBUFFERDATASTATICPROC)alGetProcAddress("alBufferDataStatic");
    library.buffer_storage = (s3d_buffer_storage_fn)alGetProcAddress("alBufferStorageSOFT");
    library.map_buffer = (s3d_map_buffer_fn)alGetProcAddress("alMapBufferSOFT");
    library.get_context_string_at = (LPALGETSTRINGISOFT)alGetProcAddress("alGetStringiSOFT");
    library.play_at_time = (s3d_play_at_time_fn)alGetProcAddress("alSourcePlayAtTimevSOFT");
    library.unmap_buffer = (s3d_unmap_buffer_fn)alGetProcAddress("alUnmapBufferSOFT");
    library.gen_effects = (LPALGENEFFECTS)alGetProcAddress("alGenEffects");
    library.delete_effects = (LPALDELETEEFFECTS)alGetProcAddress("alDeleteEffects");
    library.effect_i = (LPALEFFECTI)alGetProcAddress("alEffecti");
    library.effect_f = (LPALEFFECTF)alGetProcAddress("alEffectf");
    library.effect_fv = (LPALEFFECTFV)alGetProcAddress("alEffectfv");
    library.gen_filters = (LPALGENFILTERS)alGetProcAddress("alGenFilters");
    library.delete_filters = (LPALDELETEFILTERS)alGetProcAddress("alDeleteFilters");
    library.filter_i = (LPALFILTERI)alGetProcAddress("alFilteri");
    library.filter_f = (LPALFILTERF)alGetProcAddress("alFilterf");
    library.gen_effect_slots = (LPALGENAUXILIARYEFFECTSLOTS)alGetProcAddress("alGenAuxiliaryEffectSlots");
    library.delete_effect_slots =
        (LPALDELETEAUXILIARYEFFECTSLOTS)alGetProcAddress("alDeleteAuxiliaryEffectSlots");
    library.effect_slot_i = (LPALAUXILIARYEFFECTSLOTI)alGetProcAddress("alAuxiliaryEffectSloti");
    library.effect_slot_f = (LPALAUXILIARYEFFECTSLOTF)alGetProcAddress("alAuxiliaryEffectSlotf");
    library.reopen_device = (s3d_reopen_device_fn)alcGetProcAddress(NULL, "alcReopenDeviceSOFT");
    library.get_source_double = (LPALGETSOURCEDSOFT)alGetProcAddress("alGetSourcedSOFT");
    library.set_source_double = (LPALSOURCEDSOFT)alGetProcAddress("alSourcedSOFT");
    library.event_control = (s3d_event_control_fn)alGetProcAddress("alEventControlSOFT");
    library.event_callback = (s3d_event_callback_fn)alGetProcAddress("alEventCallbackSOFT");
}

const s3d_api *s3d_library(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look_up);
    return &library;
}

bool s3d_has(ALCdevice *device, const char *extension) {
    return alcIsExtensionPresent(device, extension) == ALC_TRUE;
}

void s3d_log(const char *line) {
    fprintf(stderr, "%s\n", line);
}
