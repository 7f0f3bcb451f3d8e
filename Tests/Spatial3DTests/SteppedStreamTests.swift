import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Streams on an output whose mix a test advances.
@Suite(.hangLimit) struct SteppedStreamTests {
  /// A source of a stream, and all that an inbox received about it.
  private func stream(_ reader: SampleReader, in stepped: SteppedDevice) throws -> SoundSource {
    try SoundSource(streaming: reader, in: stepped.context)
  }

  private func fill(_ source: SoundSource) { source.stream?.fill(afterOthers: true) }

  @Test func `A stream reads ahead as many frames as its speed takes in the time, and no fewer than at its own speed`()
    throws
  {
    let stepped = try SteppedDevice()
    for (rate, pitch, frames) in [
      (48_000, 1, 19_200), (48_000, 2, 38_400), (48_000, 0.5, 19_200), (48_000, 10, 192_000), (24_000, 1, 9_600),
      (24_000, 3, 28_800), (96_000, 1.5, 57_600), (96_000, 0.25, 38_400),
    ] as [(Int, Float, Int)] {
      let source = try stream(SampleReader(frames: 100_000, format: .mono(sampleRate: rate)), in: stepped)
      source.pitch = pitch
      let stream = try #require(source.stream)
      let length = stepped.context.state.withLock { $0.lookAhead(of: stream, source.key) }
      #expect(length == frames, "\(rate) \(pitch)")
      fill(source)
      let chunk = stream.chunkLength
      #expect((frames..<frames + chunk).contains(stream.state.withLock { $0.queue.frameCount }) || frames > 100_000)
    }
  }

  @Test func `An offline mix ends two frames ahead of the end of what a stream has read`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    func frames() -> Int { context.state.withLock { $0.observation.framesInStreams(in: $0.records, $0.scene) } }
    #expect(frames() == .max)
    let source = try SoundSource(streaming: SampleReader(frames: 100_000), in: context)
    #expect(frames() == .max)
    source.play()
    let queued = try #require(source.stream?.state.withLock { $0.queue.frameCount })
    #expect(queued >= 2_400 && frames() == queued - 1)
    source.pitch = 2
    #expect(frames() == queued / 2 - 1)
    source.pitch = 1
    _ = offline.render(frameCount: 100)
    let later = try #require(source.stream?.state.withLock { $0.queue.frameCount })
    #expect(frames() == later - 101)
    let short = try SoundSource(streaming: SampleReader(frames: 500), in: context)
    let before = frames()
    // A stream at its end has nothing more to read.
    short.play()
    #expect(frames() == before)
    source.pause()
    #expect(frames() == .max)
  }

  @Test func `A looping stream counts each lap once, and is at its frame`() throws {
    let stepped = try SteppedDevice()
    for (length, loop) in [(1_000, nil), (5_000, 700..<3_800), (9_000, 100..<150)] as [(Int, Range<Int>?)] {
      var reader = SampleReader(frames: length)
      reader.loopRange = loop
      let source = try stream(reader, in: stepped)
      source.isLooping = true
      let inbox = NotificationInbox()
      var laps = 0
      let token = inbox.observe(source, .loop) { if case .looped(let count) = $0.kind { laps += count } }
      source.play()
      let range = loop ?? 0..<length
      var (position, expected) = (0, 0)
      for frames in [1, 699, 300, 1_500, 64, 2_000, 1_999, 960, 2_400, 333, 1_700] {
        fill(source)
        stepped.mix(frames)
        position += frames
        while position >= range.upperBound {
          position -= range.count
          expected += 1
        }
        #expect(source.playbackFrame == position, "\(length) \(frames)")
      }
      stepped.poll(source)
      inbox.deliver()
      #expect(laps == expected, "\(length)")
      token.cancel()
    }
  }

  @Test func `A stream without data underruns once, goes on at its frame, and ends after its last`() throws {
    let stepped = try SteppedDevice()
    let gate = Gate()
    var reader = SampleReader(frames: 30_000)
    reader.gate = gate
    let source = try stream(reader, in: stepped)
    let inbox = NotificationInbox()
    var kinds: [SourceNotification.Kind] = []
    let token = inbox.observe(source) { kinds.append($0.kind) }
    func found() -> [SourceNotification.Kind] {
      stepped.poll(source)
      inbox.deliver()
      defer { kinds = [] }
      return kinds
    }
    source.play()
    fill(source)
    #expect(found() == [.stateChanged(.playing)])
    gate.close()
    let queued = try #require(source.stream?.state.withLock { $0.queue.frameCount })
    stepped.mix(queued - 1)
    #expect(found() == [] && source.playbackFrame == queued - 1)
    stepped.mix(2_000)
    #expect(found() == [.underrun] && source.underrunCount == 1 && source.state == .playing)
    stepped.mix(2_000)
    #expect(found() == [] && source.underrunCount == 1 && source.playbackFrame == queued)
    gate.open()
    fill(source)
    stepped.mix(1_000)
    #expect(source.playbackFrame == queued + 1_000)
    fill(source)
    stepped.mix(30_000 - queued - 1_000)
    #expect(source.underrunCount == 1)
    stepped.mix(960)
    #expect(found() == [.stateChanged(.stopped)] && source.state == .stopped && source.playbackFrame == 0)
    token.cancel()
  }

  @Test func `A seek of a stream stays in its frames`() throws {
    let stepped = try SteppedDevice()
    let source = try stream(SampleReader(frames: 30_000), in: stepped)
    source.play()
    fill(source)
    stepped.mix(500)
    for (asked, used) in [(7_000, 7_000), (-5, 0), (29_999, 29_999), (30_000, 29_999), (.max, 29_999), (0, 0)] {
      source.playbackFrame = asked
      #expect(source.playbackFrame == used)
    }
    source.pause()
    source.playbackFrame = 12_000
    #expect(source.playbackFrame == 12_000 && source.state == .paused)
    fill(source)
    source.play()
    stepped.mix(250)
    #expect(source.playbackFrame == 12_250)
    source.stop()
    #expect(source.playbackFrame == 0)
  }
}
