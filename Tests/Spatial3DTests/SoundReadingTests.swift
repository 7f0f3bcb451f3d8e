import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// A reader that records its use, and fails on request of a test.
private struct RecordingReader: PCMReader, ~Copyable {
  struct Broken: Error, CustomStringConvertible {
    var description: String { "drums.wav could not be read: the disk is gone." }
  }

  /// The record, which outlives the reader.
  final class Notes {
    var largestRequest = 0
    var reads = 0
    var memory: Set<UInt> = []

    func note(request: Int) {
      reads += 1
      largestRequest = max(largestRequest, request)
    }

    func note(_ samples: [Float]) { memory.insert(address(of: samples)) }
  }

  let samples: PCMBuffer<Float>
  var frameCount: Int?
  var isExactAsInt16 = false
  var brokenAt = Int.max
  var lastFormat: PCMFormat?
  let notes = Notes()
  private var position = 0

  init(_ samples: PCMBuffer<Float>) {
    self.samples = samples
    frameCount = samples.frameCount
  }

  var format: PCMFormat { samples.format }

  mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) throws(Broken) -> Int {
    notes.note(request: maxFrames)
    guard position < brokenAt else { throw Broken() }
    let count = min(maxFrames, samples.frameCount - position)
    let isLast = position + count == samples.frameCount
    buffer.removeAll(adopting: isLast ? lastFormat ?? format : format)
    let channelCount = format.channelCount
    buffer.append(frames: count) { output in
      for index in position * channelCount..<(position + count) * channelCount { output.append(samples.samples[index]) }
    }
    if count > 0 { notes.note(buffer.samples) }
    position += count
    return count
  }

  mutating func seek(toFrame frame: Int) throws(Broken) { position = min(max(frame, 0), samples.frameCount) }
}

@Suite struct SoundReadingTests {
  /// Noise of values that 16 bits represent exactly.
  private static func steps(frames: Int, format: PCMFormat = Scenes.mono) throws -> PCMBuffer<Float> {
    var generator = SplitMix64(seed: 5)
    return try PCMBuffer(
      samples: (0..<frames * format.channelCount).map { _ in Int16.random(in: .min ... .max, using: &generator).signal
      },
      format: format
    )
  }

  /// The mix of a buffer.
  private func mix(
    disabling disabled: DisabledFeatures = [],
    _ makeBuffer: (AudioContext) throws -> SoundBuffer
  ) throws -> [Float] {
    var offline = try OfflineRenderer(format: Scenes.stereo, disabling: disabled)
    let buffer = try makeBuffer(offline.context)
    let source = try SoundSource(playing: buffer, in: offline.context)
    source.isLooping = true
    source.play()
    let mix = offline.render(frameCount: buffer.frameCount + 5_000).samples
    #expect(source.state == .playing)
    return mix
  }

  private static let libraries: [DisabledFeatures] = [[], [.staticBuffers], [.staticBuffers, .mappedBuffers]]

  @Test(arguments: [Scenes.mono, Scenes.stereo, PCMFormat(sampleRate: 44_100, layout: .bFormat3D)])
  func `A sound from a reader mixes like a copied one, sample for sample`(format: PCMFormat) throws {
    // The samples fill more than one piece of a megabyte, and no whole number of them.
    let steps = try Self.steps(frames: 300_001, format: format)
    let copied = try mix { try SoundBuffer(steps, loopRange: 70..<300_000, in: $0) }
    for disabled in Self.libraries {
      let read = try mix(disabling: disabled) {
        try SoundBuffer(reading: RecordingReader(steps), loopRange: 70..<300_000, in: $0)
      }
      #expect(read == copied, "without \(disabled)")
      let int16 = try mix(disabling: disabled) {
        try SoundBuffer(reading: RecordingReader(steps), as: Int16.self, loopRange: 70..<300_000, in: $0)
      }
      #expect(int16.count == copied.count)
      #expect(zip(int16, copied).allSatisfy { abs($0 - $1) < 1e-4 }, "without \(disabled)")
    }
  }

  @Test(arguments: [0, 1, 4_095, 4_096, 4_097, 1 << 20, (1 << 20) + 1, 3_000_000])
  func `A sound is read in small blocks into the same memory, each frame once`(frames: Int) throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let reader = RecordingReader(try Self.steps(frames: frames))
    let notes = reader.notes
    let buffer = try SoundBuffer(reading: reader, in: offline.context)
    #expect(buffer.frameCount == frames)
    #expect(notes.largestRequest == 4_096)
    #expect(notes.reads == (frames + 4_095) / 4_096 + 1)
    #expect(notes.memory.count <= 1)
  }

  @Test(arguments: [nil, 0, -1, 1, 49_999, 50_001, 1_000_000_000, .max, .min] as [Int?])
  func `A false frame count of a reader does not change the sound`(claim: Int?) throws {
    let steps = try Self.steps(frames: 50_000)
    let read = try mix { context in
      var reader = RecordingReader(steps)
      reader.frameCount = claim
      return try SoundBuffer(reading: reader, in: context)
    }
    #expect(try read == mix { try SoundBuffer(steps, in: $0) })
  }

  @Test func `A 16-bit asset is stored as 16-bit, unless another sample type is requested`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let steps = try Self.steps(frames: 1_000)
    for (isExact, type, byteCount) in [
      (true, nil, 2_000), (false, nil, 4_000), (true, Float.self, 4_000), (false, Int16.self, 2_000),
    ] as [(Bool, (any PCMSample.Type)?, Int)] {
      var reader = RecordingReader(steps)
      reader.isExactAsInt16 = isExact
      #expect(try SoundBuffer(reading: reader, as: type, in: offline.context).byteCount == byteCount)
    }
  }

  @Test func `A buffer reads from the current frame of its reader`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    var reader = RecordingReader(try Self.steps(frames: 10_000))
    try reader.seek(toFrame: 9_000)
    #expect(try SoundBuffer(reading: reader, in: offline.context).frameCount == 1_000)
  }

  @Test func `The error about a failed reader quotes the reader`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    var reader = RecordingReader(try Self.steps(frames: 10_000))
    reader.brokenAt = 4_096
    let error = error(reading: reader, in: offline.context)
    #expect(error?.code == .readFailed)
    #expect(
      "\(error, default: "")" == "Could not create a sound buffer: drums.wav could not be read: the disk is gone."
    )
  }

  @Test(
    arguments: [Float.nan, .infinity, -.infinity, 1_000_001, -3e38],
    [Float.self, Int16.self] as [any PCMSample.Type]
  )
  func `The error about an invalid sample states its frame and channel`(
    sample: Float,
    type: any PCMSample.Type
  ) throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    var samples = try Self.steps(frames: 10_000).samples
    samples[7_654] = sample
    let reader = RecordingReader(try PCMBuffer(samples: samples, format: Scenes.mono))
    let error = error(reading: reader, as: type, in: offline.context)
    #expect(error?.code == .invalidSamples)
    #expect("\(error, default: "")".contains("frame 7654 of the sound has the sample \(sample) in channel 0"))
  }

  @Test func `A reader that changes its format is refused`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    var reader = RecordingReader(try Self.steps(frames: 10_000))
    reader.lastFormat = Scenes.stereo
    let error = error(reading: reader, in: offline.context)
    #expect(error?.code == .readFailed)
    #expect("\(error, default: "")".contains("began with mono at 48000 Hz and went on with stereo"))
  }

  @Test(arguments: [PCMFormat(sampleRate: 48_000, layout: .discrete(3)), .mono(sampleRate: 999)])
  func `A reader with an unsupported format is not read`(format: PCMFormat) throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let reader = RecordingReader(try Self.steps(frames: 10, format: format))
    let notes = reader.notes
    let error = error(reading: reader, in: offline.context)
    #expect(error?.code == .formatUnsupported)
    #expect(notes.reads == 0)
  }

  private func error(
    reading reader: consuming RecordingReader,
    as type: (any PCMSample.Type)? = nil,
    in context: AudioContext
  ) -> AudioError? {
    do throws(AudioError) {
      _ = try SoundBuffer(reading: reader, as: type, in: context)
      return nil
    } catch {
      return error
    }
  }
}
