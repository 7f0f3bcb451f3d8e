import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// The lengths of the pieces of an offline mix, and the times that starts and fades keep.
@Suite struct PieceTests {
  private func constant(in context: AudioContext) throws -> SoundSource {
    let pcm = try PCMBuffer(samples: [Float](repeating: 1, count: 48_000), format: Scenes.mono)
    return try SoundSource(playing: SoundBuffer(pcm, in: context), in: context)
  }

  @Test(arguments: [false, true]) func `A mix ahead of a start is as long as asked for`(isObserved: Bool) throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try constant(in: offline.context)
    let token = isObserved ? source.observe(.all) { _ in } : nil
    source.play(at: offline.context.clock + Scenes.mono.duration(ofFrames: 1_000))
    #expect(offline.render(frameCount: 100).samples == [Float](repeating: 0, count: 100))
    let mix = offline.render(frameCount: 1_500).samples
    #expect(mix.count == 1_500 && mix.firstIndex { $0 != 0 } == 900 && source.playbackFrame == 600)
    token?.cancel()
  }

  @Test func `The next step of several fades is the shortest, in any order`() throws {
    for order in [[1_000, 10, 100], [10, 1_000, 100], [100, 1_000, 10]] {
      var offline = try OfflineRenderer(format: Scenes.mono)
      let context = offline.context
      func step() -> Int? { context.inspector.stepFades() }
      #expect(step() == nil)
      let sources = try order.map { _ in try constant(in: context) }
      for source in sources { source.play() }
      _ = offline.render(frameCount: 64)
      var least = Int.max
      for (source, milliseconds) in zip(sources, order) {
        source.stop(fadingOut: .milliseconds(milliseconds))
        least = min(least, [1_000: 512, 100: 150, 10: 64][milliseconds] ?? 0)
        #expect(step() == least)
      }
    }
  }

  @Test func `Two streams are mixed up to the nearer end of what they have read`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let sources = try (0..<2).map { _ in try SoundSource(streaming: SampleReader(frames: 100_000), in: context) }
    for fast in 0..<2 {
      for (index, source) in sources.enumerated() {
        source.pitch = index == fast ? 4 : 1
        source.play()
      }
      let frames = sources.compactMap { $0.stream?.state.withLock { $0.queue.frameCount } }
      #expect(
        context.state.withLock { $0.observation.framesInStreams(in: $0.records, $0.scene) } == min(
          frames[fast] / 4,
          frames[1 - fast]
        ) - 1
      )
      for source in sources { source.stop() }
    }
  }

  @Test func `A scheduled start is kept over a pause, and ends with any other call`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let source = try constant(in: context)
    func isKept() -> Bool { context.state.withLock { $0.records[source.key].start.time != nil } }
    func schedule() {
      source.stop()
      source.play(at: .seconds(1))
    }
    #expect(!isKept())
    schedule()
    #expect(isKept())
    source.pause()
    #expect(isKept() && source.state == .paused)
    source.play()
    #expect(isKept() && source.state == .playing)
    // A source that waits starts now.
    source.play()
    #expect(!isKept())
    for call in [{ source.stop() }, { source.rewind() }] {
      for isPaused in [false, true] {
        schedule()
        if isPaused { source.pause() }
        call()
        #expect(!isKept())
      }
    }
  }

  @Test func `Sends are equal if their units, gains and muffling are`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let units = try (0..<2).map { _ in try EffectUnit(.compressor, in: offline.context) }
    let send = EffectSend(to: units[0], gain: 0.5, highFrequencyLevel: -6)
    #expect(send == EffectSend(to: units[0], gain: 0.5, highFrequencyLevel: -6))
    #expect(send != EffectSend(to: units[1], gain: 0.5, highFrequencyLevel: -6))
    #expect(send != EffectSend(to: units[0], gain: 0.25, highFrequencyLevel: -6))
    #expect(send != EffectSend(to: units[0], gain: 0.5, highFrequencyLevel: -12))
  }

  @Test func `Ticks change no mix between them`() throws {
    func mix(hasTicks: Bool) throws -> [Float] {
      var offline = try OfflineRenderer(format: Scenes.mono)
      let source = try constant(in: offline.context)
      source.play()
      _ = offline.render(frameCount: 128)
      let token = hasTicks ? offline.context.onTick(every: 1_024) { _ in } : nil
      source.gain = 0.25
      defer { token?.cancel() }
      return offline.render(frameCount: 500).samples
    }
    #expect(try mix(hasTicks: true) == mix(hasTicks: false))
  }
}
