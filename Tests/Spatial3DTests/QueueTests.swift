import Spatial3D
import Spatial3DTesting
import Testing

@Suite struct QueueTests {
  private let noise = TestSignal.noise(duration: .seconds(1), format: .mono(sampleRate: 48_000))

  /// Consecutive pieces of the noise, in buffers of given lengths.
  private func pieces(_ lengths: [Int], in context: AudioContext) throws -> [SoundBuffer] {
    var start = 0
    return try lengths.map { length in
      defer { start += length }
      let samples = Array(noise.samples[start..<start + length])
      return try SoundBuffer(PCMBuffer(samples: samples, format: noise.format), in: context)
    }
  }

  /// The first frame at which a mix differs from the noise from a frame on; `nil` without a difference.
  private func difference(of output: [Float], from start: Int = 0) -> Int? {
    output.indices.first { abs(output[$0] - noise.samples[start + $0]) >= 1e-5 }
  }

  @Test func `Buffers follow each other without a gap, sample for sample`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(in: offline.context)
    source.isListenerRelative = true
    try source.queue(pieces([1, 10, 100, 1_000, 5_000, 7, 3_000], in: offline.context))
    source.play()
    let output = offline.render(frameCount: 9_000).samples
    #expect(output.count == 9_000)
    #expect(difference(of: output) == nil)
    #expect(source.playbackFrame == 9_000)
  }

  @Test func `Processed buffers are returned in order, and the queue plays appended ones`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(in: offline.context)
    source.isListenerRelative = true
    let buffers = try pieces([Int](repeating: 1_000, count: 40), in: offline.context)
    try source.queue(Array(buffers[0..<4]))
    source.play()
    var output: [Float] = []
    var next = 4
    var returned: [SoundBuffer] = []
    for _ in 0..<36 {
      output += offline.render(frameCount: 1_000).samples
      #expect(source.processedBufferCount >= 1)
      let played = source.unqueueProcessed()
      returned += played
      for _ in played where next < 40 {
        try source.queue([buffers[next]])
        next += 1
      }
      #expect(source.buffers.count <= 4)
    }
    #expect(source.state == .playing)
    #expect(output.count == 36_000)
    #expect(difference(of: output) == nil)
    _ = offline.render(frameCount: 8_000)
    #expect(source.state == .stopped)
    returned += source.unqueueProcessed()
    #expect(returned.map(ObjectIdentifier.init) == buffers.map(ObjectIdentifier.init))
    #expect(source.buffers.isEmpty)
  }

  @Test(arguments: [false, true])
  func `A buffer queued on a stopped source counts as processed, unlike on a rewound one`(isRewound: Bool) throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(in: offline.context)
    source.isListenerRelative = true
    let buffers = try pieces([480, 960], in: offline.context)
    try source.queue([buffers[0]])
    source.play()
    _ = offline.render(frameCount: 4_096)
    #expect(source.state == .stopped)
    #expect(source.unqueueProcessed().count == 1)
    if isRewound { source.rewind() }
    try source.queue([buffers[1]])
    #expect(source.processedBufferCount == (isRewound ? 0 : 1))
    source.play()
    #expect(source.processedBufferCount == 0)
    let output = offline.render(frameCount: 960).samples
    #expect(output.count == 960)
    #expect(difference(of: output, from: 480) == nil)
  }

  @Test func `A looping queue repeats as a whole and returns nothing`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(in: offline.context)
    source.isListenerRelative = true
    source.isLooping = true
    try source.queue(pieces([50, 60, 70], in: offline.context))
    source.play()
    let output = offline.render(frameCount: 18_000).samples
    #expect(output.count == 18_000)
    #expect(output.indices.allSatisfy { abs(output[$0] - noise.samples[$0 % 180]) < 1e-5 })
    #expect(source.processedBufferCount == 0)
    #expect(source.unqueueProcessed().isEmpty)
  }

  @Test func `Buffers that do not fit are refused before the library sees them`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let elsewhere = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(in: context)
    let own = try Scenes.silence(frames: 10, in: context)
    try source.queue([own])
    let strangers: [(SoundBuffer, AudioError.Code)] = try [
      (SoundBuffer(PCMBuffer<Int16>(format: .mono(sampleRate: 44_100)), in: context), .formatMismatch),
      (SoundBuffer(PCMBuffer<Int16>(format: .stereo(sampleRate: 48_000)), in: context), .formatMismatch),
      (SoundBuffer(PCMBuffer<Float>(format: .mono(sampleRate: 48_000)), in: context), .formatMismatch),
      (Scenes.silence(frames: 10, in: elsewhere.context), .wrongDevice),
    ]
    for (stranger, code) in strangers {
      do throws(AudioError) {
        try source.queue([own, stranger])
        Issue.record("A stranger was queued")
      } catch {
        #expect(error.code == code)
        #expect("\(error)".hasPrefix("Could not queue buffers: "))
      }
      #expect(source.buffers.count == 1)
    }
    try source.queue([])
    #expect(source.buffers.count == 1)
  }

  @Test func `A source with a buffer of its own has no queue`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let buffer = try Scenes.silence(frames: 10, in: offline.context)
    let source = try SoundSource(playing: buffer, in: offline.context)
    do throws(AudioError) {
      try source.queue([buffer])
      Issue.record("A buffer was queued")
    } catch {
      #expect(error.code == .sourceHasBuffer)
    }
    source.play()
    #expect(source.processedBufferCount == 0)
    #expect(source.unqueueProcessed().isEmpty)
    #expect(source.buffers.count == 1)
  }

  @Test func `An empty queue stops at once and renders silence`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(in: offline.context)
    source.gain = Gain(.nan)
    source.playbackFrame = 10
    source.playbackTime = .seconds(1)
    source.play()
    #expect(source.state == .stopped)
    #expect(offline.render(frameCount: 1_024).level == .silence)
    #expect(source.playbackTime == .zero)
    #expect(source.unqueueProcessed().isEmpty)
  }

  @Test func `Queued buffers are freed with their source`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    var source: SoundSource? = try SoundSource(in: offline.context)
    weak var buffer: SoundBuffer?
    try {
      let queued = try Scenes.silence(frames: 10, in: offline.context)
      buffer = queued
      try source?.queue([queued, queued])
    }()
    #expect(buffer != nil)
    source?.play()
    source = nil
    #expect(buffer == nil)
  }
}
