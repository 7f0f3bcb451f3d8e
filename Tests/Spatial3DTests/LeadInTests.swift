import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Scheduled starts on a real output whose library has no start delay.
@Suite(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"), .timeLimit(.minutes(10)))
struct LeadInTests {
  private func context() throws -> AudioContext {
    try AudioContext(device: AudioDevice(handle: DeviceHandle(opening: nil, forcing: MissingParts(startDelay: true))))
  }

  /// The frame of the mix at which the sound of a source that plays began; `nil` while it has not.
  private func start(of source: SoundSource, step: Double) -> Double? {
    source.context.state.withLock { state in
      let place = source.context.handle.place(source.id)
      var frame = place.frame - Double(state.schedule.silence(of: source.key))
      if let stream = source.stream {
        let position = stream.state.withLock { $0.line.position(at: Int(place.frame)) }
        frame = Double(position) + place.frame - place.frame.rounded(.down)
      }
      guard let clock = place.clock, frame >= 1 else { return nil }
      return Double(source.context.mixFrame(at: .nanoseconds(clock))) - frame / step
    }
  }

  private func waitForStart(of source: SoundSource, step: Double = 1) async throws -> Double {
    while true {
      if let start = start(of: source, step: step) { return start }
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  /// Waits until a source plays the silence ahead of its sound.
  private func waitForSilence(of source: SoundSource) async throws {
    while source.context.handle.state(source.id) != .playing { try await Task.sleep(for: .milliseconds(1)) }
  }

  private func later(_ context: AudioContext, frames: Int) throws -> (time: Duration, frame: Int) {
    let now = context.mixFrame(at: try #require(context.clock))
    let format = PCMFormat.mono(sampleRate: context.sampleRate)
    return (format.duration(ofFrames: now + frames), now + frames)
  }

  private func silence(
    frames: Int,
    rate: Int,
    loopRange: Range<Int>? = nil,
    in context: AudioContext
  ) throws -> SoundBuffer {
    let pcm = try PCMBuffer<Float>(samples: Array(repeating: 0, count: frames), format: .mono(sampleRate: rate))
    return try SoundBuffer(pcm, loopRange: loopRange, in: context)
  }

  @Test(arguments: [(44_100, 1.0), (22_050, 1.0), (48_000, 1.0), (44_100, 0.5), (44_100, 1.7)])
  func `A sound begins at the frame asked for, at any rate and pitch`(rate: Int, pitch: Double) async throws {
    let context = try context()
    let source = try SoundSource(playing: silence(frames: 200_000, rate: rate, in: context), in: context)
    source.pitch = Float(pitch)
    let (time, frame) = try later(context, frames: 12_345)
    source.play(at: time)
    #expect(source.state == .playing)
    #expect(source.playbackFrame == 0)
    let step = pitch * Double(rate) / Double(context.sampleRate)
    let start = try await waitForStart(of: source, step: step)
    // The library's own step has 12 bits after the point on older versions, and 16 on newer ones.
    #expect(abs(start - Double(frame)) < 1, "\(start) is not \(frame)")
    if step == 1 { #expect(start == Double(frame)) }
  }

  @Test func `A change of pitch while a source waits does not move its start`() async throws {
    let context = try context()
    let source = try SoundSource(
      playing: silence(frames: 200_000, rate: context.sampleRate, in: context),
      in: context
    )
    let (time, frame) = try later(context, frames: 30_000)
    source.play(at: time)
    source.pitch = 2
    try await waitForSilence(of: source)
    source.pitch = 0.75
    let start = try await waitForStart(of: source, step: 0.75)
    #expect(abs(start - Double(frame)) < 1, "\(start) is not \(frame)")
  }

  @Test func `Sources that are asked for together start at the same frame, with and without a loop`() async throws {
    let context = try context()
    let rate = context.sampleRate
    let sounds = try [
      silence(frames: 100_000, rate: rate, in: context),
      silence(frames: 90_000, rate: rate, loopRange: 50_000..<60_000, in: context),
      silence(frames: 3_000, rate: rate, in: context),
    ]
    let sources = try sounds.flatMap { sound in
      try (0..<4).map { index in
        let source = try SoundSource(playing: sound, in: context)
        source.isLooping = sound.frameCount < 100_000
        return source
      }
    }
    let (time, frame) = try later(context, frames: 15_000)
    context.play(sources, at: time)
    for source in sources {
      let start = try await waitForStart(of: source)
      // One that loops has gone over its loop some times.
      let loop = source.isLooping ? Double(source.buffers[0].loopRange.count) : .infinity
      #expect((start - Double(frame)).truncatingRemainder(dividingBy: loop) == 0)
      #expect(source.playbackFrame < source.buffers[0].loopRange.upperBound)
    }
  }

  @Test func `A loop is told each time, and none before the sound begins`() async throws {
    let context = try context()
    let sound = try silence(frames: 8_000, rate: context.sampleRate, loopRange: 4_000..<8_000, in: context)
    let source = try SoundSource(playing: sound, in: context)
    source.isLooping = true
    let (time, frame) = try later(context, frames: 12_000)
    var told = source.notifications(.loop).makeAsyncIterator()
    source.play(at: time)
    var laps = 0
    while laps < 5 {
      let notification = try #require(await told.next())
      guard case .looped(let count) = notification.kind else { continue }
      laps += count
      // The n-th lap begins after the introduction and n loops.
      #expect(notification.framePosition >= frame + 8_000 + (laps - 1) * 4_000)
    }
  }

  @Test(arguments: [false, true])
  func `A queue begins at its frame, and does not show the silence ahead of it`(isLooping: Bool) async throws {
    let context = try context()
    let source = try SoundSource(in: context)
    let sounds = try [20_000, 60_000].map { try silence(frames: $0, rate: context.sampleRate, in: context) }
    try source.queue(sounds)
    source.isLooping = isLooping
    let (time, frame) = try later(context, frames: 12_345)
    source.play(at: time)
    try await waitForSilence(of: source)
    #expect(source.playedBufferCount == 0)
    #expect(source.unqueuePlayed().isEmpty)
    #expect(source.buffers.count == 2)
    #expect(try await waitForStart(of: source) == Double(frame))
    while context.state.withLock({ !$0.schedule.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
    #expect(source.isLooping == isLooping)
    #expect(source.libraryValues.isLooping == isLooping)
    #expect(try await waitForStart(of: source) == Double(frame))
    if !isLooping {
      while source.playedBufferCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
      #expect(source.unqueuePlayed().map(\.frameCount) == [20_000])
    }
  }

  @Test func `A stream begins at its frame, also one that is moved while it waits`() async throws {
    let context = try context()
    let format = PCMFormat.mono(sampleRate: context.sampleRate)
    let source = try SoundSource(streaming: SampleReader(frames: 400_000, format: format), in: context)
    let (time, frame) = try later(context, frames: 15_000)
    source.play(at: time)
    #expect(source.playbackFrame == 0)
    #expect(try await waitForStart(of: source) == Double(frame))

    source.rewind()
    let (later, second) = try later(context, frames: 40_000)
    source.play(at: later)
    source.playbackFrame = 100_000
    #expect(source.state == .playing)
    // With the mix that is nearest, or exactly, as what was read was there in time.
    while source.playbackFrame <= 100_000 { try await Task.sleep(for: .milliseconds(2)) }
    let start = try await waitForStart(of: source) + 100_000
    #expect(abs(start - Double(second)) <= Double(context.sampleRate / 20))
  }

  @Test func `A source that plays its silence can be held, started, moved, stopped and dropped`() async throws {
    let context = try context()
    let sound = try silence(frames: 100_000, rate: context.sampleRate, in: context)
    let source = try SoundSource(playing: sound, in: context)
    func lead() async throws -> Int {
      let (time, frame) = try later(context, frames: 9_000)
      source.play(at: time)
      try await waitForSilence(of: source)
      #expect(source.playbackFrame == 0)
      return frame
    }

    // Held over its moment, it starts when it goes on.
    let frame = try await lead()
    source.pause()
    #expect(source.state == .paused)
    while context.mixFrame(at: try #require(context.clock)) < frame + 8_000 {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(source.playbackFrame == 0)
    let resumed = context.mixFrame(at: try #require(context.clock))
    source.play()
    let start = try await waitForStart(of: source)
    #expect(start >= Double(resumed) && start < Double(resumed + context.sampleRate / 10))

    // Played once more, it starts at once.
    _ = try await lead()
    let now = context.mixFrame(at: try #require(context.clock))
    source.play()
    let startAtOnce = try await waitForStart(of: source)
    #expect(startAtOnce >= Double(now) && startAtOnce < Double(now + context.sampleRate / 10))
    #expect(context.state.withLock { $0.schedule.isEmpty })

    source.stop()
    let moved = try await lead()
    source.playbackFrame = 50_000
    #expect(source.state == .playing)
    while source.playbackFrame <= 50_000 { try await Task.sleep(for: .milliseconds(2)) }
    let movedStart = try await waitForStart(of: source) + 50_000
    #expect(abs(movedStart - Double(moved)) <= Double(context.sampleRate / 20))
    source.stop()

    _ = try await lead()
    source.stop()
    #expect(source.state == .stopped)
    #expect(context.state.withLock { $0.schedule.isEmpty })
    _ = try await lead()
    source.rewind()
    #expect(source.state == .initial)

    var other: SoundSource? = try SoundSource(playing: sound, in: context)
    other?.play(at: try later(context, frames: 6_000).time)
    let buffer = try #require(context.state.withLock { $0.schedule.leadIns.values.first?.buffer.id })
    if let other { try await waitForSilence(of: other) }
    other = nil
    #expect(!context.libraryHasBuffer(buffer))
  }
}

@Suite struct LeadInLogicTests {
  @Test func `What is left of the silence lasts until the sound begins`() throws {
    var generator = SplitMix64(seed: 3)
    let renderer = try OfflineRenderer(format: Scenes.mono)
    let buffer = try Scenes.silence(frames: 1, in: renderer.context)
    for _ in 0..<20_000 {
      let framesPerMix = Int.random(in: 64...2_048, using: &generator)
      let step = Double.random(in: 0.05...4, using: &generator)
      let length = Int.random(in: 1...20_000, using: &generator)
      let frame = Int.random(in: 0...100_000, using: &generator)
      let now = frame - Int.random(in: -3_000...10_000, using: &generator)
      let leadIn = LeadIn(frame: frame, length: length, buffer: buffer, isQueued: false)
      let left = Double(frame - now) * step
      func correction(_ place: Double?) -> Double? {
        leadIn.correction(of: place, at: now, step: step, framesPerMix: framesPerMix)
      }
      let begun = try #require(correction(nil))
      #expect((0...Double(length)).contains(begun))
      if left >= 0, left <= Double(length) { #expect(abs(Double(length) - begun - left) < 1e-6) }
      // What is right is left alone, and what is not becomes right at once, unless the sound is about to begin.
      #expect(correction(begun) == nil || now >= frame)
      let other = Double.random(in: 0...Double(length), using: &generator)
      if let corrected = correction(other) {
        #expect(corrected == begun)
        #expect(abs(other - begun) >= step / 2)
      } else if frame - now >= framesPerMix {
        #expect(abs(other - begun) < step / 2)
      }
    }
  }
}
