#include "scope.h"

static bool has(const char *extension) {
    return alIsExtensionPresent(extension) == AL_TRUE;
}

static void read_device(s3d_device *device, s3d_capabilities *out) {
    const s3d_api *api = &device->api;
    out->thread_contexts = api->set_thread_context != NULL;
    out->deferred_updates = api->defer_updates != NULL;
    out->offline_rendering = api->loopback_open_device != NULL;
    out->ambisonic_rendering =
        out->offline_rendering && !device->force.no_ambisonics && alcGetEnumValue(device->alc, "ALC_BFORMAT3D_SOFT");
    out->hrtf = api->get_string_at != NULL;
    out->output_limiter = device->has_output_limiter;
    out->output_mode = device->has_output_mode;
    out->suspension = s3d_device_can_suspend(device);
    out->device_clock = api->get_integer64 != NULL;
    out->device_reopening = device->has_reopening;
    out->disconnection = s3d_has(device->alc, "ALC_EXT_disconnect");
    out->system_events = s3d_has(NULL, "ALC_SOFT_system_events");
    out->capture = s3d_has(NULL, "ALC_EXT_CAPTURE");
    out->effects = api->gen_effect_slots != NULL;
}

/* In the current context. */
static void read_context(const s3d_force *force, s3d_capabilities *out) {
    out->events = !force->no_events && (has("AL_SOFT_events") || has("AL_SOFTX_events"));
    out->effect_target = !force->no_effect_target && has("AL_SOFT_effect_target");
    out->float_samples = has("AL_EXT_FLOAT32");
    out->surround_sounds = has("AL_EXT_MCFORMATS");
    out->ambisonic_sounds = has("AL_EXT_BFORMAT");
    out->loop_points = has("AL_SOFT_loop_points");
    out->static_buffers = !force->no_static_buffer && has("AL_EXT_STATIC_BUFFER");
    out->mapped_buffers = !force->no_buffer_mapping && (has("AL_SOFT_map_buffer") || has("AL_SOFTX_map_buffer"));
    out->start_delay = !force->no_start_delay && has("AL_SOFT_source_start_delay");
    out->source_distance_model = has("AL_EXT_source_distance_model");
    out->source_spatialize = has("AL_SOFT_source_spatialize");
    out->source_radius = has("AL_EXT_SOURCE_RADIUS");
    out->source_latency = !force->no_source_latency && has("AL_SOFT_source_latency");
    out->source_resampler = !force->no_resamplers && has("AL_SOFT_source_resampler");
    out->stereo_angles = has("AL_EXT_STEREO_ANGLES");
    out->direct_channels = has("AL_SOFT_direct_channels");
    out->direct_channels_remix = has("AL_SOFT_direct_channels_remix");
}

void s3d_context_read_capabilities(s3d_context *context, s3d_capabilities *out) {
    const s3d_scope scope = s3d_enter(context);
    read_device(context->device, out);
    read_context(&context->device->force, out);
    s3d_leave(scope);
}

char *s3d_context_copy_string(s3d_context *context, s3d_library_string string) {
    static const ALenum names[] = { [S3D_VERSION] = AL_VERSION, [S3D_VENDOR] = AL_VENDOR, [S3D_RENDERER] = AL_RENDERER };
    const s3d_scope scope = s3d_enter(context);
    char *copy = s3d_copy_text(alGetString(names[string]));
    s3d_leave(scope);
    return copy;
}
