import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// The counts and waits of contexts on an output whose mix a test advances.
@Suite struct SteppedMixTests {
  private static let libraries: [DisabledFeatures] = [[], DisabledFeatures(stopFades: true), [.startDelay]]

  private func buffer(_ frames: Int, _ loop: Range<Int>? = nil, in context: AudioContext) throws -> SoundBuffer {
    try SoundBuffer(
      PCMBuffer(samples: [Int16](repeating: 0, count: frames), format: Scenes.mono),
      loopRange: loop,
      in: context
    )
  }

  @Test(arguments: 0..<24) func `Each loop is counted once, over pauses, seeks, stops and changes of pitch`(seed: Int)
    throws
  {
    var random = SplitMix64(seed: UInt64(seed))
    let stepped = try SteppedDevice(disabling: Self.libraries[seed % 3])
    let context = stepped.context
    let length = Int.random(in: 400...3_000, using: &random)
    let lower = Int.random(in: 0...length / 4, using: &random)
    let loop = lower..<Int.random(in: length / 2 + 1...length, using: &random)
    let source = try SoundSource(playing: buffer(length, loop, in: context), in: context)
    source.isLooping = true
    let inbox = NotificationInbox()
    var found = 0
    let token = inbox.observe(source, .loop) { notification in
      if case .looped(let count) = notification.kind { found += count }
    }
    // The state and the position, in quarters of a frame.
    var (state, position, pitch, expected) = (SourceState.initial, 0, 4, 0)
    for _ in 0..<60 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        source.play()
        if state != .paused { position = 0 }
        state = .playing
      case 1:
        source.pause()
        if state == .playing { state = .paused }
      case 2:
        pitch = [2, 4, 8].randomElement(using: &random) ?? 4
        source.pitch = Float(pitch) / 4
      case 3 where state == .playing || state == .paused:
        let frame = Int.random(in: 0..<loop.upperBound, using: &random)
        source.playbackFrame = frame
        position = 4 * frame
      case 4 where Int.random(in: 0..<4, using: &random) == 0:
        source.stop()
        if state != .initial { (state, position) = (.stopped, 0) }
      default:
        let frames = Int.random(in: 1...1_500, using: &random)
        stepped.mix(frames)
        guard state == .playing else { continue }
        position += frames * pitch
        while position >= 4 * loop.upperBound {
          position -= 4 * loop.count
          expected += 1
        }
      }
      if Bool.random(using: &random) { stepped.poll(source) }
    }
    stepped.poll(source)
    inbox.deliver()
    #expect(found == expected && source.state == state, "\(loop)")
    if state == .playing || state == .paused { #expect(source.playbackFrame == position / 4) }
    token.cancel()
  }

  @Test func `The played buffers of a queue are reported once each, and its end after the last`() throws {
    let stepped = try SteppedDevice()
    let context = stepped.context
    let source = try SoundSource(in: context)
    try source.queue((0..<4).map { _ in try buffer(100, in: context) })
    let inbox = NotificationInbox()
    var kinds: [SourceNotification.Kind] = []
    let token = inbox.observe(source) { kinds.append($0.kind) }
    source.play()
    func found(after frames: Int) -> [SourceNotification.Kind] {
      stepped.mix(frames)
      stepped.poll(source)
      inbox.deliver()
      defer { kinds = [] }
      return kinds
    }
    #expect(found(after: 0) == [.stateChanged(.playing)])
    #expect(found(after: 99) == [])
    #expect(found(after: 151) == [.buffersProcessed(2)])
    #expect(source.unqueueProcessed().count == 2 && source.unqueueProcessed().isEmpty)
    #expect(found(after: 0) == [])
    #expect(found(after: 60) == [.buffersProcessed(1)])
    stepped.mix(50)
    #expect(source.unqueueProcessed().count == 1)
    #expect(found(after: 0) == [])
    #expect(found(after: 2_000) == [.buffersProcessed(1), .stateChanged(.stopped)])
    #expect(source.unqueueProcessed().count == 1 && found(after: 0) == [])
    token.cancel()
  }

  @Test func `A start is awaited until half a mix before it, a quarter of a mix at least and a second at most`() throws
  {
    let stepped = try SteppedDevice(disabling: [.startDelay])
    let context = stepped.context
    func wait() -> Int64? { context.state.withLock { $0.waitForStarts() } }
    #expect(wait() == nil && context.state.withLock { $0.framesPerMix() } == 960)
    let source = try SoundSource(playing: buffer(48_000, in: context), in: context)
    for (frames, nanoseconds) in [
      (24_000, 490_000_000), (240_000, 1_000_000_000), (48_480, 1_000_000_000), (48_479, 999_979_166), (720, 5_000_000),
      (721, 5_020_833), (490, 5_000_000), (481, 5_000_000),
    ] as [(Int, Int64)] {
      source.play(at: context.clock + Scenes.mono.duration(ofFrames: frames))
      #expect(wait() == nanoseconds, "\(frames)")
      #expect(source.state == .playing && context.inspector.libraryState(of: source) != .playing)
      source.stop()
      #expect(wait() == nil)
    }
    // Within half a mix, the next mix is the nearest.
    source.play(at: context.clock + Scenes.mono.duration(ofFrames: 480))
    #expect(wait() == nil && context.inspector.libraryState(of: source) == .playing)
    stepped.mix(100)
    #expect(source.playbackFrame == 100)
    source.stop()
    // The earliest start of several sources counts. A paused source waits for a call.
    let others = try (1...3).map { _ in try SoundSource(playing: buffer(48_000, in: context), in: context) }
    for (index, other) in others.enumerated() {
      other.play(at: context.clock + Scenes.mono.duration(ofFrames: 9_600 * (index + 1)))
    }
    #expect(wait() == 190_000_000)
    others[0].pause()
    #expect(wait() == 390_000_000)
    stepped.mix(19_200)
    #expect(wait() == 190_000_000)
    #expect(others.map { context.inspector.libraryState(of: $0) == .playing } == [false, true, false])
    others[0].play()
    #expect(wait() == 190_000_000 && context.inspector.libraryState(of: others[0]) == .playing)
  }

  @Test func `A sound is cut only while it is heard`() throws {
    let stepped = try SteppedDevice(disabling: DisabledFeatures(stopFades: true))
    let context = stepped.context
    let source = try SoundSource(playing: buffer(48_000, in: context), in: context)
    func isCut() -> Bool { context.state.withLock { $0.wouldCut(source.key) } }
    #expect(!isCut())
    source.play()
    // No frame of it was mixed.
    #expect(!isCut())
    stepped.mix(100)
    #expect(isCut())
    context.state.withLock { $0.shortFades.endings.isOff = true }
    #expect(!isCut())
    context.state.withLock { $0.shortFades.endings.isOff = false }
    source.pause()
    #expect(!isCut())
    source.play()
    stepped.mix(100)
    #expect(isCut())
    source.stop()
    #expect(!isCut())
  }

  @Test func `Sounds that end are held for two mixes, and are released by the next look`() throws {
    let stepped = try SteppedDevice(disabling: DisabledFeatures(stopFades: true))
    let context = stepped.context
    func count() -> Int { context.inspector.endingCount }
    func wait() -> Int64? {
      context.inspector.waitForEndings()
    }
    #expect(wait() == nil && count() == 0 && context.state.withLock { $0.shortFades.endings.frames } == nil)
    let sources = try (0..<3).map { _ in try SoundSource(playing: buffer(48_000, in: context), in: context) }
    for source in sources { source.play() }
    stepped.mix(960)
    sources[0].stop()
    #expect(count() == 1 && wait() == 40_000_000 && count() == 1)
    stepped.mix(960)
    sources[1].stop()
    #expect(count() == 2)
    stepped.mix(959)
    #expect(wait() == 40_000_000 && count() == 2)
    stepped.mix(1)
    #expect(wait() == 40_000_000 && count() == 1)
    stepped.mix(960)
    #expect(wait() == nil && count() == 0)
    sources[2].stop()
    #expect(context.state.withLock { $0.shortFades.endings.releaseOldest() } && count() == 0)
    #expect(!context.state.withLock { $0.shortFades.endings.releaseOldest() })
  }

  @Test func `The next loop is awaited for its time, for a hundredth of a second at least and an hour at most`() throws
  {
    let stepped = try SteppedDevice()
    let context = stepped.context
    for (length, loop, pitch, mixed, milliseconds) in [
      (48_000, nil, 1, 0, 1_000), (48_000, nil, 2, 0, 500), (48_000, nil, 1, 24_000, 500),
      (48_000, 0..<24_000, 1, 0, 500),
      (480, nil, 1, 0, 10), (479, nil, 1, 0, 10), (481, nil, 1, 0, 10.020_833), (960, nil, 1, 0, 20),
      (48_000, 47_999..<48_000, 1, 0, 1_000),
      (480_000, nil, 0.001, 0, 3_600_000),
    ] as [(Int, Range<Int>?, Float, Int, Double)] {
      let source = try SoundSource(playing: buffer(length, loop, in: context), in: context)
      (source.isLooping, source.pitch) = (true, pitch)
      let token = source.observe(.loop) { _ in }
      source.play()
      stepped.mix(mixed)
      stepped.poll(source)
      let wait = context.state.withLock { state in
        (state.observation.nextLoop, state.records[observed: source.key].loopDue) = (nil, nil)
        _ = state.poll(at: 5_000)
        return state.observation.nextLoop.map { $0 - 5_000 } ?? -1
      }
      #expect(abs(Double(wait) / 1e6 - milliseconds) < 0.001, "\(length) \(wait)")
      token.cancel()
      source.stop()
    }
  }
}
