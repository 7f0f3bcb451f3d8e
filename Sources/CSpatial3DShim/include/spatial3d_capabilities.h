/* The features of the loaded library, and those that a test disables. A part of spatial3d_shim.h. */
#ifndef SPATIAL3D_CAPABILITIES_H
#define SPATIAL3D_CAPABILITIES_H

#include <stdbool.h>
#include <stdint.h>

/* Every feature that a supported library may lack. Capabilities has a constant of each name, which documents it. */
#define S3D_EACH_CAPABILITY(DO) \
    DO(threadLocalContexts) \
    DO(deferredUpdates) \
    DO(offlineRendering) \
    DO(ambisonicRendering) \
    DO(hrtf) \
    DO(outputLimiter) \
    DO(outputMode) \
    DO(suspension) \
    DO(deviceClock) \
    DO(deviceReopening) \
    DO(disconnection) \
    DO(systemEvents) \
    DO(capture) \
    DO(events) \
    DO(startDelay) \
    DO(sourceDistanceModel) \
    DO(sourceSpatialization) \
    DO(sourceRadius) \
    DO(sourceLatency) \
    DO(sourceResampler) \
    DO(stereoAngles) \
    DO(directChannels) \
    DO(directChannelRemixing) \
    DO(floatSamples) \
    DO(surroundSounds) \
    DO(ambisonicSounds) \
    DO(loopPoints) \
    DO(staticBuffers) \
    DO(mappedBuffers) \
    DO(callbackBuffers) \
    DO(effects) \
    DO(effectTarget) \
    DO(filterInterpolation)

/* The number of each capability's bit in a set. */
typedef enum s3d_capability {
#define S3D_ENUMERATOR(name) S3D_CAPABILITY_##name,
    S3D_EACH_CAPABILITY(S3D_ENUMERATOR)
#undef S3D_ENUMERATOR
    S3D_CAPABILITY_COUNT
} s3d_capability;

typedef uint64_t s3d_capabilities;

static inline s3d_capabilities s3d_capability_if(bool is_present, s3d_capability capability) {
    return (s3d_capabilities)is_present << capability;
}

static inline bool s3d_contains(s3d_capabilities capabilities, s3d_capability capability) {
    return capabilities >> capability & 1;
}

const char *s3d_capability_name(s3d_capability capability);

/* The features that a test disables on a device and its contexts, so that one machine covers other libraries. */
typedef struct s3d_disabled_features {
    s3d_capabilities capabilities;
    bool hold_on_disconnect;  /* as without AL_SOFTX_hold_on_disconnect */
    bool hints;               /* as where the library loses every event */
    bool stop_fades;          /* as where the library cuts a sound that stops */
    int32_t failing_creation; /* the n-th source, buffer or effect slot of a context fails, counted from 1; 0 for none */
} s3d_disabled_features;

/* Disables the barrier on all threads. Called before the first device of the process. */
void s3d_disable_barrier(void);

#endif
