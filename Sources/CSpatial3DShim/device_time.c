#include "internal.h"

/*
 * The time of a device whose library has no clock.
 *
 * A mix that the package runs counts its frames, and whole seconds leave the count, so that it is exact through a
 * change of the rate. An output counts the system's time while it has a context and is not paused.
 */

enum { S3D_SECOND = 1000000000 };

/* The caller has the objects lock, as for the functions below. */
static int64_t time_of_frames(const s3d_counted_time *time) {
    return time->rate > 0 ? time->frames * S3D_SECOND / time->rate : 0;
}

static int64_t counted_time(const s3d_counted_time *time) {
    const int64_t running = time->is_running ? s3d_monotonic_time() - time->started : 0;
    return time->passed + time_of_frames(time) + running;
}

void s3d_count_frames(s3d_device *device, size_t frame_count) {
    if (device->api.get_integer64) return;
    const int32_t rate = atomic_load(&device->sample_rate);
    if (rate <= 0) return;
    S3D_LOCK(&device->objects_lock);
    s3d_counted_time *time = &device->counted_time;
    if (time->rate != rate) {
        time->passed += time_of_frames(time);
        time->frames = 0;
        time->rate = rate;
    }
    time->frames += (int64_t)frame_count;
    time->passed += time->frames / rate * S3D_SECOND;
    time->frames %= rate;
}

void s3d_update_running_time(s3d_device *device, bool may_run) {
    s3d_counted_time *time = &device->counted_time;
    const bool is_mixed_here = device->is_loopback || atomic_load(&device->is_placeholder);
    const bool is_paused = device->api.pause_device && atomic_load(&device->is_suspended);
    const bool runs = may_run && device->contexts && !is_mixed_here && !is_paused;
    if (runs == time->is_running) return;
    const int64_t now = s3d_monotonic_time();
    if (runs) time->started = now;
    else time->passed += now - time->started;
    time->is_running = runs;
}

int64_t s3d_mixed_time(const s3d_api *api, ALCdevice *alc) {
    ALCint64SOFT nanoseconds = -1;
    if (api->get_integer64) api->get_integer64(alc, ALC_DEVICE_CLOCK_SOFT, 1, &nanoseconds);
    return nanoseconds;
}

int64_t s3d_device_time(s3d_device *device) {
    int64_t nanoseconds = -1;
    if (device->api.get_integer64) nanoseconds = s3d_mixed_time(&device->api, device->alc);
    if (nanoseconds >= 0) return nanoseconds + atomic_load(&device->clock_base);
    S3D_LOCK(&device->objects_lock);
    return counted_time(&device->counted_time);
}
