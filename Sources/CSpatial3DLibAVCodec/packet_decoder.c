#include "packet_decoder.h"

/* Without the trait nothing depends on this target; SwiftPM may still build it, and then the headers may be missing. */
#ifdef LIBAVCODEC

#include <libavcodec/avcodec.h>
#include <libavutil/channel_layout.h>
#include <stdbool.h>
#include <string.h>

struct s3d_packet_decoder {
    AVCodecContext *context;
    AVPacket *packet;
    AVFrame *frame;
};

_Static_assert(S3D_PACKET_PADDING >= AV_INPUT_BUFFER_PADDING_SIZE, "a packet needs more padding");

/*
 * libavcodec logs damaged packets to the standard error. It adds this offset to the level of a decoder's messages. The
 * sum is above 56, the highest level that a program can set, and below 256, because the library compares the lowest
 * byte alone.
 */
static const int silence = 100;

/* By name: the library may prefer libvorbis, or a decoder of integers. */
static const AVCodec *find(s3d_codec codec) {
    switch (codec) {
    case S3D_CODEC_AAC: return avcodec_find_decoder_by_name("aac");
    case S3D_CODEC_VORBIS: return avcodec_find_decoder_by_name("vorbis");
    }
    return NULL;
}

s3d_packet_decoder *s3d_packet_decoder_create(
    s3d_codec kind, const uint8_t *configuration, size_t size, int sample_rate, int channel_count) {
    const AVCodec *codec = find(kind);
    s3d_packet_decoder *decoder = av_mallocz(sizeof *decoder);
    if (!codec || !decoder) goto failed;
    decoder->context = avcodec_alloc_context3(codec);
    decoder->packet = av_packet_alloc();
    decoder->frame = av_frame_alloc();
    if (!decoder->context || !decoder->packet || !decoder->frame) goto failed;
    decoder->context->log_level_offset = silence;
    /* Priming and remainder are the caller's to drop. */
    decoder->context->flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL;
    decoder->context->thread_count = 1;
    decoder->context->sample_rate = sample_rate;
    av_channel_layout_default(&decoder->context->ch_layout, channel_count);
    if (size > 0) {
        decoder->context->extradata = av_mallocz(size + AV_INPUT_BUFFER_PADDING_SIZE);
        if (!decoder->context->extradata) goto failed;
        memcpy(decoder->context->extradata, configuration, size);
        decoder->context->extradata_size = (int)size;
    }
    if (avcodec_open2(decoder->context, codec, NULL) < 0) goto failed;
    return decoder;

failed:
    s3d_packet_decoder_destroy(decoder);
    return NULL;
}

void s3d_packet_decoder_destroy(s3d_packet_decoder *decoder) {
    if (!decoder) return;
    av_frame_free(&decoder->frame);
    av_packet_free(&decoder->packet);
    avcodec_free_context(&decoder->context);
    av_free(decoder);
}

/* Takes the frames that are decoded next: none behind the first packet of Vorbis. */
static int receive(s3d_packet_decoder *decoder) {
    int status = avcodec_receive_frame(decoder->context, decoder->frame);
    if (status == AVERROR(EAGAIN)) return 0;
    if (status < 0) return status;
    if (decoder->frame->format != AV_SAMPLE_FMT_FLTP) return -1;
    return decoder->frame->nb_samples;
}

int s3d_packet_decoder_decode(s3d_packet_decoder *decoder, const uint8_t *packet, size_t size) {
    if (size == 0) return receive(decoder);
    /* Frames beyond the end of the packet before would replace the frames of this packet. */
    for (int count = 0; count < 16 && receive(decoder) > 0; count += 1) {}
    /* Not counted, so that libavcodec copies what it keeps; it does not write to it. */
    decoder->packet->data = (uint8_t *)packet;
    decoder->packet->size = (int)size;
    int status = avcodec_send_packet(decoder->context, decoder->packet);
    decoder->packet->data = NULL;
    decoder->packet->size = 0;
    return status < 0 ? status : receive(decoder);
}

void s3d_packet_decoder_copy(
    const s3d_packet_decoder *decoder, int first, int count, float *samples, int channel_count, const int32_t *sources) {
    const AVFrame *frame = decoder->frame;
    for (int channel = 0; channel < channel_count; channel += 1) {
        const int source = sources ? sources[channel] : channel;
        const bool has_channel = source < frame->ch_layout.nb_channels;
        const float *input = has_channel ? (const float *)frame->extended_data[source] + first : NULL;
        float *output = samples + channel;
        for (int index = 0; index < count; index += 1) output[(size_t)index * channel_count] = input ? input[index] : 0;
    }
}

#endif
