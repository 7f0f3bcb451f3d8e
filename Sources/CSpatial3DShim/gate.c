#include <sched.h>

#include "internal.h"

void s3d_hold(s3d_device *device) {
    s3d_gate *gate = &device->gate;
    /* Either this sees the gate closed, or who closes it sees this. */
    atomic_fetch_add(&gate->holders, 1);
    if (!atomic_load(&gate->is_closed)) return;
    if (atomic_load(&gate->owner) == s3d_this_thread()) return;
    atomic_fetch_sub(&gate->holders, 1);
    pthread_mutex_lock(&gate->lock);
    atomic_fetch_add(&gate->holders, 1);
    pthread_mutex_unlock(&gate->lock);
}

void s3d_release(s3d_device *device) {
    atomic_fetch_sub(&device->gate.holders, 1);
}

void s3d_device_begin_swap(s3d_device *device) {
    s3d_gate *gate = &device->gate;
    pthread_mutex_lock(&gate->lock);
    atomic_store(&gate->owner, s3d_this_thread());
    atomic_store(&gate->is_closed, true);
    atomic_fetch_add(&gate->turns, 1);
    /* Those who hold it need no lock that this thread has, and go on. */
    while (atomic_load(&gate->holders) > 0) sched_yield();
    /* What is read of sources now is where they go on. */
    if (atomic_load(&device->is_stand_in)) s3d_pump_stop(device);
    else if (!device->is_loopback && device->api.pause_device && s3d_device_is_connected(device))
        device->api.pause_device(device->alc);
}

void s3d_device_end_swap(s3d_device *device) {
    s3d_gate *gate = &device->gate;
    atomic_fetch_add(&gate->turns, 1);
    atomic_store(&gate->is_closed, false);
    atomic_store(&gate->owner, 0);
    pthread_mutex_unlock(&gate->lock);
}
