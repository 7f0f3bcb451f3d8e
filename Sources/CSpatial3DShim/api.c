#include <pthread.h>
#include <stdio.h>

#include "internal.h"

static s3d_api library;

static void look_up(void) {
    library.set_thread_context = (PFNALCSETTHREADCONTEXTPROC)alcGetProcAddress(NULL, "alcSetThreadContext");
    library.get_thread_context = (PFNALCGETTHREADCONTEXTPROC)alcGetProcAddress(NULL, "alcGetThreadContext");
    library.loopback_open_device =
        (LPALCLOOPBACKOPENDEVICESOFT)alcGetProcAddress(NULL, "alcLoopbackOpenDeviceSOFT");
    library.is_render_format_supported =
        (LPALCISRENDERFORMATSUPPORTEDSOFT)alcGetProcAddress(NULL, "alcIsRenderFormatSupportedSOFT");
    library.render_samples = (LPALCRENDERSAMPLESSOFT)alcGetProcAddress(NULL, "alcRenderSamplesSOFT");
    library.get_integer64 = (LPALCGETINTEGER64VSOFT)alcGetProcAddress(NULL, "alcGetInteger64vSOFT");
    library.defer_updates = (LPALDEFERUPDATESSOFT)alGetProcAddress("alDeferUpdatesSOFT");
    library.process_updates = (LPALPROCESSUPDATESSOFT)alGetProcAddress("alProcessUpdatesSOFT");
    library.buffer_data_static = (PFNALBUFFERDATASTATICPROC)alGetProcAddress("alBufferDataStatic");
    library.buffer_storage = (s3d_buffer_storage_fn)alGetProcAddress("alBufferStorageSOFT");
    library.map_buffer = (s3d_map_buffer_fn)alGetProcAddress("alMapBufferSOFT");
    library.unmap_buffer = (s3d_unmap_buffer_fn)alGetProcAddress("alUnmapBufferSOFT");
}

const s3d_api *s3d_library(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look_up);
    return &library;
}

void s3d_log(const char *line) {
    fprintf(stderr, "%s\n", line);
}
