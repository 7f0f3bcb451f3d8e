#include "internal.h"

bool s3d_device_can_suspend(s3d_device *device) {
    return device->is_loopback || device->api.pause_device;
}

void s3d_device_suspend(s3d_device *device) {
    /* The library pauses no loopback device: its time is its caller's. */
    if (device->is_loopback) atomic_store(&device->is_suspended, true);
    else if (device->api.pause_device) device->api.pause_device(device->alc);
}

void s3d_device_resume(s3d_device *device) {
    if (device->is_loopback) atomic_store(&device->is_suspended, false);
    else if (device->api.pause_device) device->api.resume_device(device->alc);
}

static int64_t read_time(s3d_context *context, ALCenum name) {
    if (!context->api->get_integer64) return -1;
    ALCint64SOFT nanoseconds = -1;
    context->api->get_integer64(context->device->alc, name, 1, &nanoseconds);
    return nanoseconds;
}

int64_t s3d_context_clock(s3d_context *context) {
    return read_time(context, ALC_DEVICE_CLOCK_SOFT);
}

int64_t s3d_context_latency(s3d_context *context) {
    return read_time(context, ALC_DEVICE_LATENCY_SOFT);
}
