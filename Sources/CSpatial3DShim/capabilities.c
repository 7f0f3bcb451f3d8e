#include "scope.h"

/* The extensions of contexts. A capability is present with any of its extensions. */
static const struct {
    s3d_capability capability;
    const char *extension;
} context_extensions[] = {
    { S3D_CAPABILITY_events, "AL_SOFT_events" },
    { S3D_CAPABILITY_events, "AL_SOFTX_events" },
    { S3D_CAPABILITY_startDelay, "AL_SOFT_source_start_delay" },
    { S3D_CAPABILITY_sourceDistanceModel, "AL_EXT_source_distance_model" },
    { S3D_CAPABILITY_sourceSpatialization, "AL_SOFT_source_spatialize" },
    { S3D_CAPABILITY_sourceRadius, "AL_EXT_SOURCE_RADIUS" },
    { S3D_CAPABILITY_sourceLatency, "AL_SOFT_source_latency" },
    { S3D_CAPABILITY_sourceResampler, "AL_SOFT_source_resampler" },
    { S3D_CAPABILITY_stereoAngles, "AL_EXT_STEREO_ANGLES" },
    { S3D_CAPABILITY_directChannels, "AL_SOFT_direct_channels" },
    { S3D_CAPABILITY_directChannelRemixing, "AL_SOFT_direct_channels_remix" },
    { S3D_CAPABILITY_floatSamples, "AL_EXT_FLOAT32" },
    { S3D_CAPABILITY_surroundSounds, "AL_EXT_MCFORMATS" },
    { S3D_CAPABILITY_ambisonicSounds, "AL_EXT_BFORMAT" },
    { S3D_CAPABILITY_loopPoints, "AL_SOFT_loop_points" },
    { S3D_CAPABILITY_staticBuffers, "AL_EXT_STATIC_BUFFER" },
    { S3D_CAPABILITY_mappedBuffers, "AL_SOFT_map_buffer" },
    { S3D_CAPABILITY_mappedBuffers, "AL_SOFTX_map_buffer" },
    { S3D_CAPABILITY_callbackBuffers, "AL_SOFT_callback_buffer" },
    { S3D_CAPABILITY_effectTarget, "AL_SOFT_effect_target" },
};

/* The capabilities that the extensions of the current context report. */
static s3d_capabilities context_capabilities(void) {
    s3d_capabilities found = 0;
    for (size_t i = 0; i < sizeof context_extensions / sizeof *context_extensions; i += 1) {
        const bool is_present = alIsExtensionPresent(context_extensions[i].extension) == AL_TRUE;
        found |= s3d_capability_if(is_present, context_extensions[i].capability);
    }
    return found;
}

static s3d_capabilities device_capabilities(s3d_device *device) {
    const s3d_api *api = &device->api;
    const bool renders = api->loopback_open_device != NULL;
    const bool has_bformat = alcGetEnumValue(device->alc, "ALC_BFORMAT3D_SOFT") != 0;
    const bool has_disconnect = s3d_has(device->alc, "ALC_EXT_disconnect");
    return s3d_capability_if(api->set_thread_context != NULL, S3D_CAPABILITY_threadLocalContexts)
        | s3d_capability_if(api->defer_updates != NULL, S3D_CAPABILITY_deferredUpdates)
        | s3d_capability_if(renders, S3D_CAPABILITY_offlineRendering)
        | s3d_capability_if(renders && has_bformat, S3D_CAPABILITY_ambisonicRendering)
        | s3d_capability_if(api->get_string_at != NULL, S3D_CAPABILITY_hrtf)
        | s3d_capability_if(device->has_output_limiter, S3D_CAPABILITY_outputLimiter)
        | s3d_capability_if(device->has_output_mode, S3D_CAPABILITY_outputMode)
        | s3d_capability_if(s3d_device_can_suspend(device), S3D_CAPABILITY_suspension)
        | s3d_capability_if(api->get_integer64 != NULL, S3D_CAPABILITY_deviceClock)
        | s3d_capability_if(device->has_reopening, S3D_CAPABILITY_deviceReopening)
        | s3d_capability_if(has_disconnect, S3D_CAPABILITY_disconnection)
        | s3d_capability_if(s3d_has(NULL, "ALC_SOFT_system_events"), S3D_CAPABILITY_systemEvents)
        | s3d_capability_if(s3d_has(NULL, "ALC_EXT_CAPTURE"), S3D_CAPABILITY_capture)
        | s3d_capability_if(api->gen_effect_slots != NULL, S3D_CAPABILITY_effects)
        /* No extension reports it: 1.25.0 is the first version with it. */
        | s3d_capability_if(atomic_load(&device->version) >= 125, S3D_CAPABILITY_filterInterpolation);
}

s3d_capabilities s3d_context_capabilities(s3d_context *context) {
    S3D_ENTER(context);
    const s3d_capabilities found = device_capabilities(context->device) | context_capabilities();
    return found & ~context->device->disabled.capabilities;
}

const char *s3d_capability_name(s3d_capability capability) {
#define NAME(name) #name,
    static const char *const names[] = { S3D_EACH_CAPABILITY(NAME) };
#undef NAME
    return names[capability];
}

char *s3d_context_copy_string(s3d_context *context, s3d_library_string string) {
    static const ALenum names[] = { [S3D_VERSION] = AL_VERSION, [S3D_VENDOR] = AL_VENDOR, [S3D_RENDERER] = AL_RENDERER };
    S3D_ENTER(context);
    return s3d_copy_text(alGetString(names[string]));
}
