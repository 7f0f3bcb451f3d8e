/// The offset and the byte order of the samples, of 16 bits or floating-point, in a file without compression.
struct PlainSamples: Hashable, Sendable {
  /// The offset of the first sample.
  let offset: Int
  let isBigEndian: Bool

  /// The codecs of AIFC with samples in big-endian order, and the codec whose samples are in little-endian order.
  private static let bigEndianCodecs = ["NONE", "twos", "fl32", "FL32", "fl64", "FL64"]
  private static let littleEndianCodec = "sowt"

  /// Finds the samples of a file of 16-bit integers or floats with a function that reads bytes at an offset.
  ///
  /// The result is `nil` in kinds of file that need another decoder, and without a chunk of samples.
  init?<Failure>(
    in container: Container,
    _ chunk: AudioChunk?,
    reading bytes: ByteReading<Failure>
  ) throws(Failure) {
    guard let chunk else { return nil }
    switch container {
    case .wav, .rf64, .w64:
      offset = chunk.offset
      isBigEndian = try bytes(0, 4).elementsEqual("RIFX".utf8)
    case .aiff:
      // The chunk starts with an offset and a block size; the samples follow. AIFC names its codec behind the rate.
      let header = try bytes(chunk.offset, 8)
      guard header.count == 8, let common = try Chunk.first("COMM", in: .aiff, reading: bytes) else { return nil }
      let isCompressed = try bytes(8, 4).elementsEqual("AIFC".utf8)
      let codec = isCompressed ? try bytes(common.offset + 18, 4) : Array("NONE".utf8)
      isBigEndian = PlainSamples.bigEndianCodecs.contains { codec.elementsEqual($0.utf8) }
      guard isBigEndian || codec.elementsEqual(PlainSamples.littleEndianCodec.utf8),
        header.prefix(4).allSatisfy({ $0 == 0 })
      else { return nil }
      offset = chunk.offset + 8
    case .caf:
      guard let description = try Chunk.first("desc", in: .caf, reading: bytes) else { return nil }
      let flags = try bytes(description.offset + 12, 4)
      guard flags.count == 4 else { return nil }
      offset = chunk.offset + 4
      isBigEndian = flags[3] & 2 == 0
    case .au:
      offset = chunk.offset
      isBigEndian = true
    case .flac, .ogg, .mpeg, .mp4, .adts: return nil
    }
  }
}
