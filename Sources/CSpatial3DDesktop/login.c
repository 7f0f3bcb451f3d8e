/* For F_DUPFD_CLOEXEC. */
#define _POSIX_C_SOURCE 200809L

#ifdef DESKTOP_SESSION

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

/*
 * In microseconds. An attempt blocks the thread while logind hangs, so the pauses are longer than the pauses of the
 * sound server.
 */
enum { LONGEST_PAUSE = 30000000, CALL_TIMEOUT = 2000000 };

/* The end of the delay of a sleep, in microseconds: logind itself ends it after five seconds by default. */
enum { LONGEST_DELAY = 4000000 };

/* The login manager's names. */
static const char service[] = "org.freedesktop.login1";
static const char manager_path[] = "/org/freedesktop/login1";
static const char manager[] = "org.freedesktop.login1.Manager";
static const char session[] = "org.freedesktop.login1.Session";

/* Sleep. */

static void delay_sleep(s3d_desktop *desktop) {
    if (desktop->inhibitor >= 0) return;
    sd_bus_message *reply = NULL;
    int file = -1;
    int result = sd_bus_call_method(
        desktop->bus, service, manager_path, manager, "Inhibit", NULL, &reply, "ssss", "sleep", desktop->name,
        "The sound fades out.", "delay"
    );
    /* The message owns its file. */
    if (result >= 0 && sd_bus_message_read(reply, "h", &file) >= 0) {
        desktop->inhibitor = fcntl(file, F_DUPFD_CLOEXEC, 0);
    }
    sd_bus_message_unref(reply);
}

static void release_inhibitor(s3d_desktop *desktop) {
    if (desktop->inhibitor >= 0) close(desktop->inhibitor);
    desktop->inhibitor = -1;
    desktop->sleep_limit = 0;
}

void s3d_login_update_sleep(s3d_desktop *desktop) {
    if (!desktop->is_sleeping) return;
    bool is_permitted = atomic_load(&desktop->permitted_sleep) == desktop->sleep_count;
    bool is_late = desktop->sleep_limit && s3d_desktop_now() >= desktop->sleep_limit;
    if (is_permitted || is_late) release_inhibitor(desktop);
}

static void begin_sleep(s3d_desktop *desktop) {
    if (desktop->is_sleeping) return;
    desktop->is_sleeping = true;
    desktop->sleep_count += 1;
    desktop->sleep_limit = s3d_desktop_now() + LONGEST_DELAY;
    s3d_desktop_post(desktop, S3D_DESKTOP_SLEEP)->index = desktop->sleep_count;
}

static int note_sleep(sd_bus_message *message, void *argument, sd_bus_error *error) {
    (void)error;
    s3d_desktop *desktop = argument;
    int begins = 0;
    if (sd_bus_message_read(message, "b", &begins) < 0) return 0;
    if (begins) {
        begin_sleep(desktop);
        return 0;
    }
    desktop->is_sleeping = false;
    desktop->sleep_limit = 0;
    s3d_desktop_post(desktop, S3D_DESKTOP_WAKE);
    /* For the next sleep; the file is still open if the delay of this sleep did not end. */
    delay_sleep(desktop);
    return 0;
}

/* The screen and the session in front. */

static void read_flag(s3d_desktop *desktop, const char *property, s3d_desktop_kind kind) {
    int is_on = 0;
    int result =
        sd_bus_get_property_trivial(desktop->bus, service, desktop->session_path, session, property, NULL, 'b', &is_on);
    if (result >= 0) s3d_desktop_post(desktop, kind)->is_on = is_on;
}

/*
 * The signals Lock and Unlock are requests to the program that locks the screen, which it may refuse: only the property
 * counts.
 */
static int note_properties(sd_bus_message *message, void *argument, sd_bus_error *error) {
    (void)message, (void)error;
    /* Read anew: the message may name a property without its value. */
    read_flag(argument, "LockedHint", S3D_DESKTOP_SCREEN);
    read_flag(argument, "Active", S3D_DESKTOP_FRONT);
    return 0;
}

/*
 * The session with a name. `auto` is the session of the process or, for a process outside all sessions, the session of
 * its user on the screen.
 */
static int find_session(s3d_desktop *desktop, const char *name, sd_bus_error *error) {
    sd_bus_message *reply = NULL;
    const char *path = NULL;
    int result =
        sd_bus_call_method(desktop->bus, service, manager_path, manager, "GetSession", error, &reply, "s", name);
    if (result >= 0) result = sd_bus_message_read(reply, "o", &path);
    if (result >= 0) s3d_desktop_copy(desktop->session_path, path);
    sd_bus_message_unref(reply);
    return result;
}

static int match(
    s3d_desktop *desktop, int slot, const char *path, const char *interface, const char *name,
    sd_bus_message_handler_t handler
) {
    return sd_bus_match_signal(desktop->bus, &desktop->slots[slot], service, path, interface, name, handler, desktop);
}

static void observe_session(s3d_desktop *desktop) {
    const char *name = getenv("XDG_SESSION_ID");
    sd_bus_error error = SD_BUS_ERROR_NULL;
    /* The variable may be left from a session that is over. */
    int result = name && *name ? find_session(desktop, name, NULL) : -1;
    if (result < 0) result = find_session(desktop, "auto", &error);
    if (result >= 0)
        result = match(
            desktop, 1, desktop->session_path, "org.freedesktop.DBus.Properties", "PropertiesChanged", note_properties
        );
    if (result >= 0) {
        note_properties(NULL, desktop, NULL);
    } else {
        const char *reason = error.message ? error.message : strerror(-result);
        s3d_desktop_copy(s3d_desktop_post(desktop, S3D_DESKTOP_NO_USER_SESSION)->text, reason);
    }
    sd_bus_error_free(&error);
}

/* The connection. */

static void fail(s3d_desktop *desktop, int result) {
    s3d_login_close(desktop);
    if (!desktop->was_login_lost) {
        s3d_desktop_copy(s3d_desktop_post(desktop, S3D_DESKTOP_NO_LOGIN)->text, strerror(-result));
    }
    desktop->was_login_lost = true;
    s3d_desktop_try_later(&desktop->next_login, LONGEST_PAUSE);
}

static int open_bus(s3d_desktop *desktop) {
    if (!desktop->bus_address) return sd_bus_open_system(&desktop->bus);
    int result = sd_bus_new(&desktop->bus);
    if (result >= 0) result = sd_bus_set_address(desktop->bus, desktop->bus_address);
    if (result >= 0) result = sd_bus_set_bus_client(desktop->bus, true);
    if (result >= 0) result = sd_bus_start(desktop->bus);
    return result;
}

/* The signal is matched before the property is read, so that no sleep begins unseen in between. */
static int observe_sleep(s3d_desktop *desktop) {
    int is_sleeping = 0;
    int result = match(desktop, 0, manager_path, manager, "PrepareForSleep", note_sleep);
    if (result >= 0)
        result = sd_bus_get_property_trivial(
            desktop->bus, service, manager_path, manager, "PreparingForSleep", NULL, 'b', &is_sleeping
        );
    if (result < 0) return result;
    delay_sleep(desktop);
    if (is_sleeping) begin_sleep(desktop);
    return result;
}

static int begin_login(s3d_desktop *desktop) {
    int result = observe_sleep(desktop);
    if (result < 0) return result;
    desktop->is_login_ready = true;
    desktop->was_login_lost = false;
    desktop->next_login.pause = 0;
    observe_session(desktop);
    s3d_desktop_post(desktop, S3D_DESKTOP_LOGIN_READY);
    return 1;
}

/* Everything that the bus has, also what came with the reply to a call: the file shows nothing of that. */
void s3d_login_process(s3d_desktop *desktop) {
    while (desktop->bus) {
        int result = sd_bus_process(desktop->bus, NULL);
        /* The bus greets first, which takes its time if it hangs. */
        if (result == 0 && !desktop->is_login_ready && sd_bus_is_ready(desktop->bus) > 0) result = begin_login(desktop);
        if (result < 0) fail(desktop, result);
        if (result == 0) break;
    }
    if (!desktop->bus) return;
    int events = sd_bus_get_events(desktop->bus);
    int wanted = (events & POLLIN ? PA_IO_EVENT_INPUT : 0) | (events & POLLOUT ? PA_IO_EVENT_OUTPUT : 0);
    pa_mainloop_get_api(desktop->loop)->io_enable(desktop->bus_io, wanted);
    uint64_t limit = 0;
    desktop->bus_limit = sd_bus_get_timeout(desktop->bus, &limit) > 0 && limit != UINT64_MAX ? limit : 0;
}

static void note_bus(pa_mainloop_api *api, pa_io_event *io, int file, pa_io_event_flags_t flags, void *argument) {
    (void)api, (void)io, (void)file, (void)flags, (void)argument;
}

void s3d_login_open(s3d_desktop *desktop) {
    int result = open_bus(desktop);
    if (result >= 0) result = sd_bus_set_method_call_timeout(desktop->bus, CALL_TIMEOUT);
    int file = result >= 0 ? sd_bus_get_fd(desktop->bus) : result;
    if (file < 0) return fail(desktop, file);
    /* The event only ends the poll: the bus is processed before the next one. */
    pa_mainloop_api *api = pa_mainloop_get_api(desktop->loop);
    desktop->bus_io = api->io_new(api, file, PA_IO_EVENT_INPUT, note_bus, desktop);
    if (!desktop->bus_io) fail(desktop, -ENOMEM);
}

void s3d_login_close(s3d_desktop *desktop) {
    if (desktop->bus_io) pa_mainloop_get_api(desktop->loop)->io_free(desktop->bus_io);
    desktop->bus_io = NULL;
    for (int slot = 0; slot < 2; slot += 1) desktop->slots[slot] = sd_bus_slot_unref(desktop->slots[slot]);
    /* Without a flush, which waits for a bus that has not greeted yet. */
    desktop->bus = sd_bus_close_unref(desktop->bus);
    desktop->session_path[0] = 0;
    desktop->is_login_ready = false;
    desktop->bus_limit = 0;
    desktop->is_sleeping = false;
    release_inhibitor(desktop);
}

#endif
