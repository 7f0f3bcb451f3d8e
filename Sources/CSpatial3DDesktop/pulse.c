#define _POSIX_C_SOURCE 200809L

#ifdef DESKTOP_SESSION

#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* The pause between two attempts is two seconds at most. */
enum { LONGEST_PAUSE = 2000000, LISTS = 5 };

/* What the server has. */

static void end_list(s3d_desktop *desktop) {
    if (desktop->open_lists <= 0) return;
    desktop->open_lists -= 1;
    if (desktop->open_lists == 0) s3d_desktop_post(desktop, S3D_DESKTOP_SERVER_READY);
}

static void note_client(pa_context *context, const pa_client_info *info, int end, void *argument) {
    s3d_desktop *desktop = argument;
    if (end) return end_list(desktop);
    s3d_desktop_event *event = s3d_desktop_post(desktop, S3D_DESKTOP_CLIENT);
    const char *process = pa_proplist_gets(info->proplist, PA_PROP_APPLICATION_PROCESS_ID);
    event->index = info->index;
    event->process = process ? (uint32_t)strtoul(process, NULL, 10) : 0;
    event->is_on = info->index == pa_context_get_index(context);
    s3d_desktop_copy(event->name, pa_proplist_gets(info->proplist, PA_PROP_APPLICATION_PROCESS_BINARY));
    s3d_desktop_copy(event->text, pa_proplist_gets(info->proplist, PA_PROP_APPLICATION_PROCESS_HOST));
    s3d_desktop_copy(event->port, pa_proplist_gets(info->proplist, PA_PROP_APPLICATION_PROCESS_MACHINE_ID));
}

/* A change of one client, which is no list of its own at the start. */
static void note_changed_client(pa_context *context, const pa_client_info *info, int end, void *argument) {
    if (!end) note_client(context, info, 0, argument);
}

static void note_stream(pa_context *context, const pa_sink_input_info *info, int end, void *argument) {
    (void)context;
    s3d_desktop *desktop = argument;
    if (end) return end_list(desktop);
    s3d_desktop_event *event = s3d_desktop_post(desktop, S3D_DESKTOP_STREAM);
    event->index = info->index;
    event->client = info->client;
    event->is_paused = info->corked;
    event->is_muted = info->mute;
    s3d_desktop_copy(event->name, pa_proplist_gets(info->proplist, PA_PROP_MEDIA_ROLE));
}

static void note_changed_stream(pa_context *context, const pa_sink_input_info *info, int end, void *argument) {
    if (!end) note_stream(context, info, 0, argument);
}

static void note_output(pa_context *context, const pa_sink_info *info, int end, void *argument) {
    (void)context;
    s3d_desktop *desktop = argument;
    if (end) return end_list(desktop);
    s3d_desktop_event *event = s3d_desktop_post(desktop, S3D_DESKTOP_OUTPUT);
    event->index = info->index;
    s3d_desktop_copy(event->name, info->name);
    s3d_desktop_copy(event->text, info->description);
    s3d_desktop_copy(event->port, info->active_port ? info->active_port->description : NULL);
    size_t length = 0;
    for (uint32_t index = 0; index < info->n_ports; index += 1) {
        const pa_sink_port_info *port = info->ports[index];
        size_t added = strlen(port->description) + 1;
        if (port->available != PA_PORT_AVAILABLE_NO || length + added >= S3D_DESKTOP_TEXT) continue;
        memcpy(event->empty_ports + length, port->description, added - 1);
        event->empty_ports[length + added - 1] = '\n';
        length += added;
    }
    /* A stream that found no output may find this output. */
    desktop->may_reopen = true;
}

static void note_changed_output(pa_context *context, const pa_sink_info *info, int end, void *argument) {
    if (!end) note_output(context, info, 0, argument);
}

static void note_module(pa_context *context, const pa_module_info *info, int end, void *argument) {
    (void)context;
    s3d_desktop *desktop = argument;
    if (end) return end_list(desktop);
    s3d_desktop_event *event = s3d_desktop_post(desktop, S3D_DESKTOP_MODULE);
    event->index = info->index;
    s3d_desktop_copy(event->name, info->name);
    s3d_desktop_copy(event->text, info->argument);
}

static void note_changed_module(pa_context *context, const pa_module_info *info, int end, void *argument) {
    if (!end) note_module(context, info, 0, argument);
}

static void post_server(s3d_desktop *desktop, const pa_server_info *info) {
    s3d_desktop_event *event = s3d_desktop_post(desktop, S3D_DESKTOP_DEFAULT_OUTPUT);
    s3d_desktop_copy(event->name, info->default_sink_name);
    s3d_desktop_copy(event->text, info->server_name);
}

static void note_server(pa_context *context, const pa_server_info *info, void *argument) {
    (void)context;
    if (info) post_server(argument, info);
    end_list(argument);
}

static void note_changed_server(pa_context *context, const pa_server_info *info, void *argument) {
    (void)context;
    if (info) post_server(argument, info);
}

static void finish(pa_operation *operation) {
    if (operation) pa_operation_unref(operation);
}

static void note_change(pa_context *context, pa_subscription_event_type_t type, uint32_t index, void *argument) {
    s3d_desktop *desktop = argument;
    bool is_gone = (type & PA_SUBSCRIPTION_EVENT_TYPE_MASK) == PA_SUBSCRIPTION_EVENT_REMOVE;
    switch (type & PA_SUBSCRIPTION_EVENT_FACILITY_MASK) {
    case PA_SUBSCRIPTION_EVENT_CLIENT:
        if (is_gone) s3d_desktop_post(desktop, S3D_DESKTOP_CLIENT_GONE)->index = index;
        else finish(pa_context_get_client_info(context, index, note_changed_client, desktop));
        break;
    case PA_SUBSCRIPTION_EVENT_SINK_INPUT:
        if (is_gone) s3d_desktop_post(desktop, S3D_DESKTOP_STREAM_GONE)->index = index;
        else finish(pa_context_get_sink_input_info(context, index, note_changed_stream, desktop));
        break;
    case PA_SUBSCRIPTION_EVENT_SINK:
        if (is_gone) s3d_desktop_post(desktop, S3D_DESKTOP_OUTPUT_GONE)->index = index;
        else finish(pa_context_get_sink_info_by_index(context, index, note_changed_output, desktop));
        break;
    case PA_SUBSCRIPTION_EVENT_MODULE:
        if (is_gone) s3d_desktop_post(desktop, S3D_DESKTOP_MODULE_GONE)->index = index;
        else finish(pa_context_get_module_info(context, index, note_changed_module, desktop));
        break;
    case PA_SUBSCRIPTION_EVENT_SERVER:
        finish(pa_context_get_server_info(context, note_changed_server, desktop));
        break;
    }
}

/* The stream that lowers others. */

/* A stream that played once is opened again when it fails; a stream that never played waits for another output. */
static void note_stream_state(pa_stream *stream, void *argument) {
    if (pa_stream_get_state(stream) == PA_STREAM_READY) ((s3d_desktop *)argument)->may_reopen = true;
}

static void write_silence(pa_stream *stream, size_t size, void *argument) {
    (void)argument;
    void *data = NULL;
    if (pa_stream_begin_write(stream, &data, &size) < 0 || !data) return;
    memset(data, 0, size);
    pa_stream_write(stream, data, size, NULL, 0, PA_SEEK_RELATIVE);
}

static pa_stream *open_phone(s3d_desktop *desktop) {
    pa_proplist *properties = pa_proplist_new();
    if (!properties) return NULL;
    pa_proplist_sets(properties, PA_PROP_MEDIA_ROLE, "phone");
    pa_sample_spec format = { .format = PA_SAMPLE_S16LE, .rate = 8000, .channels = 1 };
    pa_stream *stream = pa_stream_new_with_proplist(desktop->context, desktop->name, &format, NULL, properties);
    pa_proplist_free(properties);
    if (!stream) return NULL;
    pa_stream_set_state_callback(stream, note_stream_state, desktop);
    pa_stream_set_write_callback(stream, write_silence, desktop);
    /* Two seconds: the server asks for silence seldom. */
    pa_buffer_attr buffer = { .maxlength = -1, .tlength = 32000, .prebuf = -1, .minreq = -1, .fragsize = -1 };
    int result =
        pa_stream_connect_playback(stream, NULL, &buffer, PA_STREAM_DONT_INHIBIT_AUTO_SUSPEND, NULL, NULL);
    if (result >= 0) return stream;
    pa_stream_unref(stream);
    return NULL;
}

static void close_phone(s3d_desktop *desktop) {
    if (!desktop->phone) return;
    pa_stream_set_write_callback(desktop->phone, NULL, NULL);
    pa_stream_set_state_callback(desktop->phone, NULL, NULL);
    pa_stream_disconnect(desktop->phone);
    pa_stream_unref(desktop->phone);
    desktop->phone = NULL;
}

void s3d_pulse_update_phone(s3d_desktop *desktop) {
    if (desktop->open_lists != 0) return;
    bool has_failed = desktop->phone && !PA_STREAM_IS_GOOD(pa_stream_get_state(desktop->phone));
    if (has_failed && desktop->may_reopen) {
        desktop->may_reopen = false;
        close_phone(desktop);
    }
    bool is_wanted = atomic_load(&desktop->is_lowering);
    if (is_wanted && !desktop->phone) desktop->phone = open_phone(desktop);
    if (!is_wanted) close_phone(desktop);
}

/* The connection. */

static void close_context(s3d_desktop *desktop) {
    if (!desktop->context) return;
    close_phone(desktop);
    pa_context_set_state_callback(desktop->context, NULL, NULL);
    pa_context_set_subscribe_callback(desktop->context, NULL, NULL);
    pa_context_disconnect(desktop->context);
    pa_context_unref(desktop->context);
    desktop->context = NULL;
    desktop->open_lists = -1;
}

static void lose(s3d_desktop *desktop) {
    close_context(desktop);
    if (!desktop->was_lost) s3d_desktop_post(desktop, S3D_DESKTOP_SERVER_LOST);
    desktop->was_lost = true;
    s3d_desktop_try_later(&desktop->next_server, LONGEST_PAUSE);
}

static void begin_lists(s3d_desktop *desktop) {
    pa_context *context = desktop->context;
    desktop->was_lost = false;
    desktop->next_server.pause = 0;
    desktop->open_lists = LISTS;
    pa_subscription_mask_t mask = PA_SUBSCRIPTION_MASK_CLIENT | PA_SUBSCRIPTION_MASK_SINK_INPUT
        | PA_SUBSCRIPTION_MASK_SINK | PA_SUBSCRIPTION_MASK_SERVER | PA_SUBSCRIPTION_MASK_MODULE;
    pa_context_set_subscribe_callback(context, note_change, desktop);
    finish(pa_context_subscribe(context, mask, NULL, NULL));
    finish(pa_context_get_module_info_list(context, note_module, desktop));
    finish(pa_context_get_sink_info_list(context, note_output, desktop));
    finish(pa_context_get_server_info(context, note_server, desktop));
    finish(pa_context_get_client_info_list(context, note_client, desktop));
    finish(pa_context_get_sink_input_info_list(context, note_stream, desktop));
}

static void note_state(pa_context *context, void *argument) {
    switch (pa_context_get_state(context)) {
    case PA_CONTEXT_READY: return begin_lists(argument);
    case PA_CONTEXT_FAILED:
    case PA_CONTEXT_TERMINATED: return lose(argument);
    default: return;
    }
}

void s3d_pulse_open(s3d_desktop *desktop) {
    desktop->context = pa_context_new(pa_mainloop_get_api(desktop->loop), desktop->name);
    if (!desktop->context) return lose(desktop);
    pa_context_set_state_callback(desktop->context, note_state, desktop);
    /* A failure of the call itself does not always come as a state. */
    int result = pa_context_connect(desktop->context, desktop->server, PA_CONTEXT_NOAUTOSPAWN, NULL);
    if (result < 0 && desktop->context) lose(desktop);
}

void s3d_pulse_close(s3d_desktop *desktop) {
    close_context(desktop);
}

#endif
