#include "internal.h"

/*
 * The mix of a loopback device, which avoids a fault of OpenAL Soft 1.19.
 *
 * A reverb of that version crossfades over the 128 frames after a change. It advances in steps that it rounds down to a
 * multiple of 4 frames, unless a step ends with the mix. A mix that begins 3 frames into a crossfade therefore reaches
 * frame 127, rounds the last frame down to a step of 0 frames, and overwrites memory, because its loops run at least
 * once. A mix that ends with the crossfade rounds nothing. The function s3d_mix therefore cuts a mix at the end of each
 * crossfade that a mix entered at a frame which is no multiple of 4. Every other mix stays whole: each cut shortens the
 * ramps of gains that change in it.
 *
 * The lock of the settings makes the start of a crossfade known: a change happens between two mixes, and takes effect
 * at the start of the second.
 */

static bool is_older_than(const s3d_device *device, int version) {
    const int present = atomic_load_explicit(&device->version, memory_order_relaxed);
    return present > 0 && present < version;
}

static bool crossfades_across_mixes(const s3d_device *device) {
    return is_older_than(device, 120);
}

/*
 * Up to OpenAL Soft 1.23 a slot that takes another kind of effect locks its context and then the device, and a context
 * that is created locks the device and then all its contexts: both at once would wait for each other.
 */
static bool locks_device_in_slots(const s3d_device *device) {
    return is_older_than(device, 124);
}

void s3d_note_reverb_change(s3d_device *device) {
    /* The library mixes an output by itself, in longer mixes than a crossfade. */
    const bool is_mixed_here = device->is_loopback || atomic_load(&device->is_placeholder);
    if (!is_mixed_here || !crossfades_across_mixes(device)) return;
    const int64_t frame = device->mixed_frames;
    device->reverb_changes[frame % S3D_CROSSFADE_FRAMES] = frame;
    device->last_reverb_change = frame;
    atomic_store(&device->has_new_reverb, true);
}

pthread_mutex_t *s3d_lock_for_slots(s3d_device *device) {
    return locks_device_in_slots(device) ? &device->settings_lock : NULL;
}

pthread_mutex_t *s3d_lock_for_render(s3d_device *device) {
    return crossfades_across_mixes(device) ? &device->settings_lock : NULL;
}

pthread_mutex_t *s3d_lock_for_updates(s3d_device *device) {
    return atomic_load(&device->has_new_reverb) ? &device->settings_lock : NULL;
}

size_t s3d_frames_until_cut(const s3d_device *device, size_t limit) {
    const int64_t now = device->mixed_frames;
    if (!crossfades_across_mixes(device) || now - device->last_reverb_change >= S3D_CROSSFADE_FRAMES) return limit;
    /* The oldest crossfade ends first. */
    for (int64_t age = S3D_CROSSFADE_FRAMES - 1; age > 0; age -= 1) {
        const int64_t start = now - age;
        if (age % 4 == 0 || start < 0 || device->reverb_changes[start % S3D_CROSSFADE_FRAMES] != start) continue;
        const size_t left = (size_t)(S3D_CROSSFADE_FRAMES - age);
        return left < limit ? left : limit;
    }
    return limit;
}

void s3d_mix(s3d_device *device, float *samples, size_t stride, size_t frame_count) {
    while (frame_count > 0) {
        const size_t frames = s3d_frames_until_cut(device, frame_count);
        device->api.render_samples(device->alc, samples, (ALCsizei)frames);
        device->mixed_frames += (int64_t)frames;
        s3d_count_frames(device, frames);
        samples += frames * stride;
        frame_count -= frames;
    }
    atomic_store(&device->has_new_reverb, false);
}
