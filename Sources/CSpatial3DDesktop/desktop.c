/* For strdup. */
#define _POSIX_C_SOURCE 200809L

/* Without the trait nothing depends on this target; SwiftPM may still build it, and then the headers may be missing. */
#ifdef DESKTOP_SESSION

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

/*
 * The number of the file stays until it is read, so that no wake is lost between two iterations. pa_mainloop_wakeup
 * loses a wake that comes just before an iteration.
 */
static void note_wake(pa_mainloop_api *api, pa_io_event *io, int file, pa_io_event_flags_t flags, void *argument) {
    (void)api, (void)io, (void)flags, (void)argument;
    uint64_t count;
    (void)!read(file, &count, sizeof count);
}

static void wake(s3d_desktop *desktop) {
    uint64_t one = 1;
    (void)!write(desktop->wake_file, &one, sizeof one);
}

static char *copied(const char *text) {
    return text ? strdup(text) : NULL;
}

s3d_desktop *s3d_desktop_create(const char *name, const char *server, const char *bus) {
    s3d_desktop *desktop = calloc(1, sizeof *desktop);
    if (!desktop) return NULL;
    desktop->loop = pa_mainloop_new();
    desktop->wake_file = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    desktop->name = copied(name);
    desktop->server = copied(server);
    desktop->bus_address = copied(bus);
    desktop->inhibitor = -1;
    desktop->open_lists = -1;
    /* Both are due at the first wait. */
    desktop->next_server.due = desktop->next_login.due = 1;
    bool has_texts = desktop->name && (desktop->server || !server) && (desktop->bus_address || !bus);
    if (desktop->loop && desktop->wake_file >= 0 && has_texts) {
        pa_mainloop_api *api = pa_mainloop_get_api(desktop->loop);
        if (api->io_new(api, desktop->wake_file, PA_IO_EVENT_INPUT, note_wake, NULL)) return desktop;
    }
    s3d_desktop_destroy(desktop);
    return NULL;
}

void s3d_desktop_destroy(s3d_desktop *desktop) {
    if (!desktop) return;
    if (desktop->loop) {
        s3d_pulse_close(desktop);
        s3d_login_close(desktop);
        pa_mainloop_free(desktop->loop);
    }
    if (desktop->wake_file >= 0) close(desktop->wake_file);
    s3d_desktop_event event;
    while (s3d_desktop_take(desktop, &event)) {}
    free(desktop->name);
    free(desktop->server);
    free(desktop->bus_address);
    free(desktop);
}

static void take_due_steps(s3d_desktop *desktop) {
    uint64_t now = s3d_desktop_now();
    if (s3d_desktop_is_due(&desktop->next_login, now)) s3d_login_open(desktop);
    if (s3d_desktop_is_due(&desktop->next_server, now)) s3d_pulse_open(desktop);
    s3d_login_process(desktop);
    s3d_login_update_sleep(desktop);
    s3d_pulse_update_phone(desktop);
}

/* One round of the loop, until an event of the system or the next step that is due. */
static bool iterate(s3d_desktop *desktop) {
    uint64_t dues[] = { desktop->next_server.due, desktop->next_login.due, desktop->sleep_limit, desktop->bus_limit };
    uint64_t now = s3d_desktop_now(), first = 0;
    for (int index = 0; index < 4; index += 1)
        if (dues[index] && (!first || dues[index] < first)) first = dues[index];
    /* A minute at most, for the type. */
    uint64_t pause = first <= now ? 0 : first - now;
    int timeout = !first ? -1 : (int)(pause < 60000000 ? pause : 60000000);
    return pa_mainloop_prepare(desktop->loop, timeout) >= 0 && pa_mainloop_poll(desktop->loop) >= 0
        && pa_mainloop_dispatch(desktop->loop) >= 0;
}

void s3d_desktop_wait(s3d_desktop *desktop, s3d_desktop_event *event) {
    while (true) {
        take_due_steps(desktop);
        if (s3d_desktop_take(desktop, event)) return;
        if (atomic_exchange(&desktop->is_woken, false)) break;
        if (iterate(desktop)) continue;
        /* The poll itself failed, for example without memory: the caller must not come back at full speed. */
        nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
        break;
    }
    memset(event, 0, sizeof *event);
}

void s3d_desktop_wake(s3d_desktop *desktop) {
    atomic_store(&desktop->is_woken, true);
    wake(desktop);
}

void s3d_desktop_set_lowering(s3d_desktop *desktop, bool is_lowering) {
    atomic_store(&desktop->is_lowering, is_lowering);
    wake(desktop);
}

void s3d_desktop_permit_sleep(s3d_desktop *desktop, uint32_t index) {
    atomic_store(&desktop->permitted_sleep, index);
    wake(desktop);
}

#endif
