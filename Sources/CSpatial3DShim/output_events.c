#include <stdatomic.h>

#include "internal.h"

/* ALC_SOFT_system_events, which old headers lack. */
enum {
    PLAYBACK_DEVICE = 0x19D4,
    EVENT_SUPPORTED = 0x19D9,
    DEFAULT_CHANGED = 0x19D6,
    DEVICE_ADDED = 0x19D7,
    DEVICE_REMOVED = 0x19D8,
};

typedef void (ALC_APIENTRY *event_fn)(ALCenum, ALCenum, ALCdevice *, ALCsizei, const ALCchar *, void *);
typedef ALCenum(ALC_APIENTRY *event_is_supported_fn)(ALCenum, ALCenum);
typedef ALCboolean(ALC_APIENTRY *event_control_fn)(ALCsizei, const ALCenum *, ALCboolean);
typedef void (ALC_APIENTRY *event_callback_fn)(event_fn, void *);

static atomic_int_least64_t last_time = 0;

/* Runs on a thread of the library: it must not call the library, and takes no lock. */
static void ALC_APIENTRY
note_outputs(ALCenum type, ALCenum kind, ALCdevice *device, ALCsizei length, const ALCchar *message, void *user) {
    (void)type;
    (void)device;
    (void)length;
    (void)message;
    if (kind != PLAYBACK_DEVICE) return;
    atomic_store(&last_time, s3d_monotonic_time());
    s3d_semaphore_signal(user);
}

int64_t s3d_time_of_last_output_event(void) {
    return atomic_load(&last_time);
}

static bool subscribe(s3d_semaphore *semaphore) {
    if (!s3d_has(NULL, "ALC_SOFT_system_events")) return false;
    const event_is_supported_fn is_supported =
        (event_is_supported_fn)alcGetProcAddress(NULL, "alcEventIsSupportedSOFT");
    const event_control_fn control = (event_control_fn)alcGetProcAddress(NULL, "alcEventControlSOFT");
    const event_callback_fn call_back = (event_callback_fn)alcGetProcAddress(NULL, "alcEventCallbackSOFT");
    if (!is_supported || !control || !call_back) return false;
    if (is_supported(DEFAULT_CHANGED, PLAYBACK_DEVICE) != EVENT_SUPPORTED) return false;
    const ALCenum events[] = { DEFAULT_CHANGED, DEVICE_ADDED, DEVICE_REMOVED };
    call_back(note_outputs, semaphore);
    return control(3, events, ALC_TRUE) == ALC_TRUE;
}

bool s3d_subscribe_to_output_events(s3d_semaphore *semaphore) {
    S3D_CALL();
    return subscribe(semaphore);
}
