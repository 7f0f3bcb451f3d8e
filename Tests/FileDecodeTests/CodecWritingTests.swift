import Testing

@testable import FileDecode

/// A kind of file takes a codec, or the error names the codecs that it takes.
@Suite struct CodecWritingTests {
  private static let integersAndFloats: [AudioCodec] = [.int16, .int24, .int32, .float32]

  /// The codecs of each kind of file, in the order of its error.
  private static func codecs(of container: OutputContainer) -> [AudioCodec] {
    switch container {
    case .wav, .aiff: integersAndFloats
    case .caf: integersAndFloats + [.alac]
    case .flac: [.int16, .int24, .flac]
    case .ogg: [.vorbis]
    case .opus: [.opus]
    case .mp3: [.mp3]
    }
  }

  private static let decodedOnly: [AudioCodec] = [
    .int8, .float64, .aLaw, .muLaw, .imaADPCM, .msADPCM, .mp1, .mp2, .aac,
  ]

  @Test(arguments: OutputContainer.allCases, AudioCodec.Kind.allCases)
  func `A container reads back as the written codec, or the error lists its supported codecs`(
    container: OutputContainer,
    kind: AudioCodec.Kind
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a." + container.extensions[0])
    let codec = AudioCodec(kind)
    let codecs = CodecWritingTests.codecs(of: container)
    let original = try tones(4_800, .stereo(sampleRate: 48_000))
    guard codecs.contains(codec) else {
      let error = failure { () throws(AudioFileError) in
        _ = try AudioFileWriter(creating: path, format: original.format, codec: codec)
      }
      let isDecodedOnly = CodecWritingTests.decodedOnly.contains(codec)
      let reason = isDecodedOnly ? "\(codec) is not encoded" : "\(container.name) files do not hold \(codec)"
      let choices = codecs.map(\.name).joined(separator: ", ")
      #expect(error?.code == .unsupportedEncoding)
      #expect(error?.message == "\(path) cannot be created: \(reason). Use one of \(choices).")
      #expect(try folder.names().isEmpty)
      return
    }
    let file = try AudioFile(opening: save(original, to: path, codec: codec))
    // A sample type is the depth of a FLAC file, and not its codec.
    #expect(file.codec == (container == .flac ? .flac : codec))
    let depths: [AudioCodec: Int] = [
      .int16: 16, .int24: 24, .int32: 32, .float32: 32, .flac: 16, .alac: 16,
    ]
    #expect(file.bitDepth == depths[codec])
    #expect(file.isExactAsInt16 == [.int16, .alac, .flac].contains(codec))
    let decoded = try file.readAll()
    #expect(decoded.frameCount == original.frameCount)
    #expect(signalToNoise(decoded.samples[...], original.samples[...]) > 8)
  }
}
