#include "reader_lock.h"

bool s3d_device_can_suspend(s3d_device *device) {
    return device->is_loopback || device->api.pause_device;
}

void s3d_pause_output(s3d_device *device, bool is_paused) {
    /* The library does not pause a loopback device: the caller or the placeholder clock mixes it. */
    if (device->is_loopback || atomic_load(&device->is_placeholder)) return;
    if (device->api.pause_device) {
        if (is_paused) device->api.pause_device(device->alc);
        else device->api.resume_device(device->alc);
    }
    S3D_LOCK(&device->objects_lock);
    s3d_update_running_time(device, !is_paused || !device->api.pause_device);
}

void s3d_device_suspend(s3d_device *device, bool is_suspended) {
    S3D_LOCK_SHARED(device);
    atomic_store(&device->is_suspended, is_suspended);
    s3d_pause_output(device, is_suspended);
}

int64_t s3d_context_clock(s3d_context *context) {
    S3D_LOCK_SHARED(context->device);
    return s3d_device_time(context->device);
}

void s3d_device_adopt_clock(s3d_device *device, s3d_device *other) {
    int64_t clock;
    s3d_counted_time counted;
    {
        S3D_LOCK_SHARED(other);
        clock = s3d_device_time(other);
        S3D_LOCK(&other->objects_lock);
        counted = other->counted_time;
    }
    S3D_LOCK_SHARED(device);
    const int64_t mixed = s3d_mixed_time(&device->api, device->alc);
    if (mixed >= 0) atomic_store(&device->clock_base, clock - mixed);
    S3D_LOCK(&device->objects_lock);
    device->counted_time = counted;
}

s3d_latency s3d_context_read_latency(s3d_context *context) {
    if (!context->api->get_integer64) return (s3d_latency) { -1, -1 };
    s3d_device *device = context->device;
    ALCint64SOFT clock_and_latency[2] = { -1, -1 };
    S3D_LOCK_SHARED(device);
    context->api->get_integer64(device->alc, ALC_DEVICE_CLOCK_LATENCY_SOFT, 2, clock_and_latency);
    const int64_t clock = clock_and_latency[0] < 0 ? -1 : clock_and_latency[0] + atomic_load(&device->clock_base);
    return (s3d_latency) { .nanoseconds = clock_and_latency[1], .clock = clock };
}
