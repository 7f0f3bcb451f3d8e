/* Packets through libavcodec: what its macros and unions keep from Swift. Built only with the trait LibAVCodec. */
#ifndef SPATIAL3D_PACKET_DECODER_H
#define SPATIAL3D_PACKET_DECODER_H

#include <stddef.h>
#include <stdint.h>

typedef struct s3d_packet_decoder s3d_packet_decoder;

/*
 * AAC: configuration is its description in MPEG-4 or CAF, or empty where each packet has a header of its own.
 * Vorbis: configuration is the byte 2, the sizes of two headers as in a page of Ogg, and the three headers.
 */
typedef enum { S3D_CODEC_AAC, S3D_CODEC_VORBIS } s3d_codec;

/* A decoder of a stream, or NULL. */
s3d_packet_decoder *s3d_packet_decoder_create(
    s3d_codec codec, const uint8_t *configuration, size_t size, int sample_rate, int channel_count);

void s3d_packet_decoder_destroy(s3d_packet_decoder *decoder);

/*
 * Decodes a packet, which has S3D_PACKET_PADDING bytes of zeros behind it, and keeps its frames. Returns how many there
 * are, or a negative number where the packet is damaged. A packet of AAC without bytes takes its frames from the bytes
 * of the packet before it.
 */
int s3d_packet_decoder_decode(s3d_packet_decoder *decoder, const uint8_t *packet, size_t size);

/*
 * Copies count frames of the last packet, from one of them on, interleaved, channel_count samples each. Channel i is
 * the decoder's channel sources[i], or channel i without sources.
 */
void s3d_packet_decoder_copy(
    const s3d_packet_decoder *decoder, int first, int count, float *samples, int channel_count, const int32_t *sources);

enum { S3D_PACKET_PADDING = 64 };

#endif
