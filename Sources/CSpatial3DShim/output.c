#include <AL/efx.h>

#include "reader_lock.h"

/* ALC_SOFT_output_mode, which old headers lack. */
enum { OUTPUT_MODE = 0x19AC, STEREO_BASIC = 0x19AE, STEREO_UHJ = 0x19AF, STEREO_HRTF = 0x19B2 };

/*
 * The constants of ambisonic rendering differ between versions; alcGetEnumValue returns 0 where the library lacks them.
 */
static ALCenum ambisonic_channels(const s3d_device *device) {
    if (s3d_is_disabled(device, S3D_CAPABILITY_ambisonicRendering)) return 0;
    return alcGetEnumValue(device->alc, "ALC_BFORMAT3D_SOFT");
}

ALCenum s3d_offline_channels(const s3d_device *device, const s3d_settings *settings) {
    return settings->ambisonic_order > 0 ? ambisonic_channels(device) : s3d_layouts[settings->layout].channels;
}

int32_t s3d_offline_channel_count(const s3d_settings *settings) {
    const int32_t order = settings->ambisonic_order;
    return order > 0 ? (order + 1) * (order + 1) : s3d_layouts[settings->layout].channel_count;
}

typedef struct list {
    ALCint *numbers;
    size_t count;
} list;

static void add(list *attributes, ALCint name, ALCint value) {
    attributes->numbers[attributes->count] = name;
    attributes->numbers[attributes->count + 1] = value;
    attributes->count += 2;
}

static void add_ambisonics(list *attributes, const s3d_device *device, int32_t order) {
    ALCdevice *const alc = device->alc;
    add(attributes, alcGetEnumValue(alc, "ALC_AMBISONIC_LAYOUT_SOFT"), alcGetEnumValue(alc, "ALC_ACN_SOFT"));
    add(attributes, alcGetEnumValue(alc, "ALC_AMBISONIC_SCALING_SOFT"), alcGetEnumValue(alc, "ALC_SN3D_SOFT"));
    add(attributes, alcGetEnumValue(alc, "ALC_AMBISONIC_ORDER_SOFT"), order);
}

static void add_format(list *attributes, const s3d_device *device, bool is_loopback, const s3d_settings *settings) {
    if (is_loopback) {
        add(attributes, ALC_FORMAT_CHANNELS_SOFT, s3d_offline_channels(device, settings));
        add(attributes, ALC_FORMAT_TYPE_SOFT, ALC_FLOAT_SOFT);
        if (settings->ambisonic_order > 0) add_ambisonics(attributes, device, settings->ambisonic_order);
    } else if (settings->has_layout && device->has_output_mode) {
        add(attributes, OUTPUT_MODE, s3d_layouts[settings->layout].channels);
    }
}

static s3d_hrtf_status hrtf_status(const s3d_device *device) {
    if (!device->api.get_string_at) return S3D_HRTF_NOT_IN_LIBRARY;
    ALCint status = ALC_HRTF_DISABLED_SOFT;
    alcGetIntegerv(device->alc, ALC_HRTF_STATUS_SOFT, 1, &status);
    switch (status) {
    case ALC_HRTF_ENABLED_SOFT: return S3D_HRTF_ON;
    case ALC_HRTF_DENIED_SOFT: return S3D_HRTF_FORBIDDEN_BY_USER;
    case ALC_HRTF_REQUIRED_SOFT: return S3D_HRTF_REQUIRED_BY_USER;
    case ALC_HRTF_HEADPHONES_DETECTED_SOFT: return S3D_HRTF_FOR_HEADPHONES;
    case ALC_HRTF_UNSUPPORTED_FORMAT_SOFT: return S3D_HRTF_WRONG_FORMAT;
    default: return S3D_HRTF_OFF;
    }
}

static int32_t sample_rate(const s3d_device *device) {
    ALCint rate = 0;
    alcGetIntegerv(device->alc, ALC_FREQUENCY, 1, &rate);
    return rate;
}

/* Whether contexts with these settings ask for HRTF, or the user's configuration does. */
static bool asks_for_hrtf(const s3d_device *device, const s3d_settings *settings) {
    return settings->hrtf == S3D_ON || hrtf_status(device) == S3D_HRTF_REQUIRED_BY_USER;
}

/*
 * Up to OpenAL Soft 1.20.0 a mix with HRTF has the rate of the HRTF, whatever rate a context asks for. A start scales
 * the length of a mix by the asked rate over the present one, and does not scale it back: each start that asks for
 * another rate makes the mixes longer, up to minutes, in which most calls wait. The first start of this kind reveals
 * the HRTF's rate, and all later starts ask for it.
 */
void s3d_note_hrtf_rate(s3d_device *device, const s3d_settings *settings) {
    const int version = atomic_load(&device->version);
    if (device->is_loopback || atomic_load(&device->is_placeholder) || version == 0 || version > 120) return;
    const s3d_hrtf_status status = hrtf_status(device);
    if (status != S3D_HRTF_ON && status != S3D_HRTF_REQUIRED_BY_USER) return;
    const int32_t asked = settings->sample_rate > 0 ? settings->sample_rate : settings->present_rate;
    const int32_t granted = sample_rate(device);
    /* A known rate changes with the HRTF that a context asks for by name. */
    const bool is_known = atomic_load(&device->hrtf_rate) > 0;
    if (is_known || (asked > 0 && asked != granted)) atomic_store(&device->hrtf_rate, granted);
}

size_t s3d_write_attributes(
    const s3d_device *device,
    bool is_loopback,
    const s3d_settings *settings,
    ALCint *attributes
) {
    list all = { .numbers = attributes };
    const int32_t known_rate = is_loopback ? 0 : atomic_load(&device->hrtf_rate);
    const int32_t hrtf_rate = known_rate > 0 && asks_for_hrtf(device, settings) ? known_rate : 0;
    if (settings->sample_rate > 0) add(&all, ALC_FREQUENCY, hrtf_rate > 0 ? hrtf_rate : settings->sample_rate);
    add_format(&all, device, is_loopback, settings);
    if (settings->hrtf != S3D_AUTOMATIC && device->api.get_string_at) {
        add(&all, ALC_HRTF_SOFT, settings->hrtf == S3D_ON ? ALC_TRUE : ALC_FALSE);
        if (settings->hrtf_number > 0) add(&all, ALC_HRTF_ID_SOFT, settings->hrtf_number - 1);
    } else if (settings->asks_for_defaults && device->api.get_string_at) {
        add(&all, ALC_HRTF_SOFT, ALC_DONT_CARE_SOFT);
    }
    if (settings->limiter != S3D_AUTOMATIC && device->has_output_limiter)
        add(&all, ALC_OUTPUT_LIMITER_SOFT, settings->limiter == S3D_ON ? ALC_TRUE : ALC_FALSE);
    else if (settings->asks_for_defaults && device->has_output_limiter)
        add(&all, ALC_OUTPUT_LIMITER_SOFT, ALC_DONT_CARE_SOFT);
    if (settings->source_limit > 0) {
        /* OpenAL Soft plays any sound on any source, so that only the sum of both counts. */
        add(&all, ALC_MONO_SOURCES, settings->source_limit - 1);
        add(&all, ALC_STEREO_SOURCES, 1);
    }
    /* A restart without these attributes may fall back to the rate of the output, and to the library's default. */
    const int32_t present_rate = hrtf_rate > 0 ? hrtf_rate : settings->present_rate;
    if (all.count > 0 && settings->sample_rate == 0 && present_rate > 0) add(&all, ALC_FREQUENCY, present_rate);
    const int32_t least = settings->least_send_limit;
    if (settings->has_send_limit || (all.count > 0 && least > 0)) {
        const int32_t asked = settings->has_send_limit ? settings->send_limit : 0;
        add(&all, ALC_MAX_AUXILIARY_SENDS, asked > least ? asked : least);
    }
    attributes[all.count] = 0;
    return all.count;
}

static s3d_choice limiter_state(const s3d_device *device) {
    if (!device->has_output_limiter) return S3D_AUTOMATIC;
    ALCint is_on = ALC_FALSE;
    alcGetIntegerv(device->alc, ALC_OUTPUT_LIMITER_SOFT, 1, &is_on);
    return is_on ? S3D_ON : S3D_OFF;
}

static bool read_layout(const s3d_device *device, s3d_layout *out) {
    if (device->is_loopback || !device->has_output_mode) return false;
    ALCint mode = 0;
    alcGetIntegerv(device->alc, OUTPUT_MODE, 1, &mode);
    if (mode == STEREO_BASIC || mode == STEREO_UHJ || mode == STEREO_HRTF) mode = ALC_STEREO_SOFT;
    for (s3d_layout layout = S3D_MONO; layout <= S3D_SURROUND_71; layout += 1) {
        if (s3d_layouts[layout].channels != mode) continue;
        *out = layout;
        return true;
    }
    return false;
}

void s3d_note_sample_rate(s3d_device *device) {
    atomic_store(&device->sample_rate, sample_rate(device));
}

int32_t s3d_device_sample_rate(s3d_device *device) {
    return atomic_load(&device->sample_rate);
}

s3d_output s3d_device_read_output(s3d_device *device) {
    ALCint mono = 0, stereo = 0, sends = 0, refresh = 0;
    S3D_LOCK_SHARED(device);
    alcGetIntegerv(device->alc, ALC_MONO_SOURCES, 1, &mono);
    alcGetIntegerv(device->alc, ALC_STEREO_SOURCES, 1, &stereo);
    alcGetIntegerv(device->alc, ALC_MAX_AUXILIARY_SENDS, 1, &sends);
    if (!device->is_loopback) alcGetIntegerv(device->alc, ALC_REFRESH, 1, &refresh);
    s3d_output output = {
        .sample_rate = sample_rate(device),
        .hrtf = hrtf_status(device),
        .limiter = limiter_state(device),
        .source_limit = mono + stereo,
        .send_limit = sends,
        .refresh_rate = refresh,
    };
    output.has_layout = read_layout(device, &output.layout);
    return output;
}

s3d_settings s3d_repeat_settings(s3d_settings settings, const s3d_output *granted, bool is_placeholder) {
    settings.sample_rate = granted->sample_rate;
    settings.least_send_limit = granted->send_limit;
    if (is_placeholder) {
        settings.has_layout = true;
        settings.layout = S3D_MONO;
        settings.hrtf = S3D_OFF;
        settings.limiter = S3D_OFF;
    }
    return settings;
}

s3d_settings s3d_last_settings(s3d_device *device) {
    const s3d_output granted = s3d_device_read_output(device);
    S3D_LOCK(&device->objects_lock);
    s3d_settings settings = device->settings;
    if (device->contexts) settings = s3d_repeat_settings(settings, &granted, false);
    return settings;
}
