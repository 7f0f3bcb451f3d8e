import AudioSupport
import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Scheduled starts on a real output whose library has no start delay.
@Suite(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"), .hangLimit)
struct SilencePaddingTests {
  private func context() throws -> AudioContext {
    try AudioContext(device: AudioDevice(handle: DeviceHandle(opening: nil, disabling: [.startDelay])))
  }

  /// The mix frame at which a playing source's sound began, or its last loop iteration; `nil` before it begins.
  private func start(of source: SoundSource, step: Double) -> Double? {
    let (frame, clock) = source.context.inspector.soundPosition(of: source)
    guard frame >= 1 else { return nil }
    return Double(source.context.handle.mixFrame(at: .nanoseconds(clock))) - frame / step
  }

  /// Waits until a source's sound begins; the sound must loop, so that it is never over.
  private func waitForStart(of source: SoundSource, step: Double = 1) async throws -> Double {
    var start: Double?
    try await eventually("the sound has begun") {
      start = self.start(of: source, step: step)
      return start != nil
    }
    return try #require(start)
  }

  private func time(ofFrame frame: Int, in context: AudioContext) -> Duration {
    PCMFormat.mono(sampleRate: context.sampleRate).duration(ofFrames: frame)
  }

  private func now(_ context: AudioContext) -> Int { context.handle.mixFrame(at: context.clock) }

  /// The delays of sources behind the frame of their scheduled start.
  ///
  /// No start is ever early. A start is late if the machine gave the starting thread no turn for a quarter of a second;
  /// the function then tries again, at most five times in all.
  private func delays(
    of sources: [SoundSource],
    step: Double = 1,
    loopLength: Int = 400_000,
    meanwhile body: () -> Void = {}
  ) async throws -> [Double] {
    let context = sources[0].context
    var delays: [Double] = []
    for _ in 0..<5 {
      let frame = now(context) + 12_345
      context.play(sources, at: time(ofFrame: frame, in: context))
      body()
      delays = []
      for source in sources {
        #expect(source.state == .playing)
        let delay = try await waitForStart(of: source, step: step) - Double(frame)
        // A loop may be a fraction of a frame of the mix.
        let rest = delay - (delay * step / Double(loopLength) + 1e-6).rounded(.down) * Double(loopLength) / step
        delays.append(abs(rest) < 0.001 ? 0 : rest)
      }
      // If a sound loops quickly, or the reading is late, an early start looks like a late one by one iteration.
      let half = Double(loopLength / 2) / step
      let isClear = loopLength >= 400_000 && Double(now(context) - frame) < half
      #expect(!isClear || delays.allSatisfy { $0 < half }, "early: \(delays)")
      if delays.allSatisfy({ $0 == 0 }) { break }
      context.rewind(sources)
    }
    return delays
  }

  /// A source that loops over silence.
  private func source(
    rate: Int? = nil,
    frames: Int = 400_000,
    loopRange: Range<Int>? = nil,
    in context: AudioContext
  ) throws -> SoundSource {
    let format = PCMFormat.mono(sampleRate: rate ?? context.sampleRate)
    let pcm = try PCMBuffer<Float>(samples: Array(repeating: 0, count: frames), format: format)
    let source = try SoundSource(playing: SoundBuffer(pcm, loopRange: loopRange, in: context), in: context)
    source.isLooping = true
    return source
  }

  // Both versions represent these steps exactly: they have 12 and 16 bits after the point.
  @Test func `A loop keeps its length in the record of a source that has silence ahead of it`() async throws {
    let context = try context()
    guard context.handle.recordsPositions else { try Test.cancel("this library keeps the sources of a lost output") }
    let source = try SoundSource(playing: Scenes.silence(frames: 4_800, in: context), in: context)
    source.isLooping = true
    context.play([source], at: context.clock + .milliseconds(100))
    var loop = 0..<0
    try await eventually("a position with silence ahead is recorded") {
      context.state.withLock { state in
        PositionRecords.recordAll(in: &state.records, by: state.handle)
        loop =
          state.records[source.key].library.extrapolation(in: state.scene, by: state.handle)?.extent.loopRange ?? 0..<0
      }
      return loop.lowerBound > 0
    }
    #expect(loop.count == 4_800)
  }

  @Test(arguments: [1, 2], [1, 0.5, 1.75])
  func `A sound begins at the requested frame at any rate and pitch`(divisor: Int, pitch: Double) async throws {
    let context = try context()
    let source = try source(rate: context.sampleRate / divisor, in: context)
    source.pitch = Float(pitch)
    let delay = try await delays(of: [source], step: pitch / Double(divisor))[0]
    #expect(delay == 0)
  }

  @Test func `A change of pitch while a source waits does not move its start`() async throws {
    let context = try context()
    let source = try source(in: context)
    // After a failed try, the source waits at the pitch of that try.
    source.pitch = 2
    let delay = try await delays(of: [source], step: 0.75) { source.pitch = 0.75 }[0]
    #expect(delay == 0)
  }

  @Test func `Sources scheduled together start at the same frame with any loop`() async throws {
    let context = try context()
    // The length of each loop is a multiple of one iteration of 20,000 frames.
    let sources = try (0..<12).map { index in
      switch index % 3 {
      case 0: try source(in: context)
      case 1: try source(frames: 65_000, loopRange: 20_000..<60_000, in: context)
      default: try source(frames: 20_000, in: context)
      }
    }
    let delays = try await delays(of: sources, loopLength: 20_000)
    #expect(delays.allSatisfy { $0 == 0 }, "\(delays)")
    for source in sources { #expect(source.playbackFrame < source.buffers[0].loopRange.upperBound) }
  }

  @Test func `Each loop iteration is reported, and none before the sound begins`() async throws {
    let context = try context()
    let source = try source(frames: 8_000, loopRange: 4_000..<8_000, in: context)
    let frame = now(context) + 12_000
    var notifications = source.events(.loop).makeAsyncIterator()
    source.play(at: time(ofFrame: frame, in: context))
    var loops = 0
    while loops < 5 {
      let notification = try #require(await notifications.next())
      guard case .looped(let count) = notification.kind else { continue }
      loops += count
      // The n-th iteration begins after the introduction and n loops.
      #expect(notification.framePosition >= frame + 8_000 + (loops - 1) * 4_000)
    }
  }

  @Test(arguments: [false, true])
  func `A queue begins at its frame and hides its silence padding`(isLooping: Bool) async throws {
    let context = try context()
    let source = try SoundSource(in: context)
    let format = PCMFormat.mono(sampleRate: context.sampleRate)
    let sound = try SoundBuffer(
      PCMBuffer<Int16>(samples: Array(repeating: 0, count: 20_000), format: format),
      in: context
    )
    // The queue lasts about a quarter of an hour, for a busy machine.
    try source.queue(Array(repeating: sound, count: 2_000))
    source.isLooping = isLooping
    let delay = try await delays(of: [source], loopLength: 2_000 * 20_000)[0]
    #expect(delay == 0)
    #expect(source.buffers.count == 2_000)
    try await eventually("the silence ahead is over") { context.inspector.schedulesNothing }
    #expect(source.isLooping == isLooping)
    #expect(source.libraryValues.isLooping == isLooping)
    #expect(source.playbackFrame < 2_000 * 20_000)
  }

  @Test func `The processed count of a queue excludes its silence padding`() async throws {
    let context = try context()
    let source = try SoundSource(in: context)
    let format = PCMFormat.mono(sampleRate: context.sampleRate)
    let sound = try SoundBuffer(
      PCMBuffer<Int16>(samples: Array(repeating: 0, count: 1_000), format: format),
      in: context
    )
    try source.queue([sound, sound, sound])
    source.play()
    await source.waitUntilStopped()
    #expect(source.processedBufferCount == 3)
    // The source is to play the whole queue once more.
    _ = try playSilence(source)
    #expect(source.processedBufferCount == 0)
    #expect(source.unqueueProcessed().isEmpty)
    #expect(source.buffers.count == 3)
    context.resume()
    await source.waitUntilStopped()
    #expect(source.processedBufferCount == 3)
    #expect(source.unqueueProcessed().count == 3)
    #expect(source.buffers.isEmpty)
  }

  @Test func `A short queue loops even if it is polled late`() async throws {
    let context = try context()
    let source = try SoundSource(in: context)
    let format = PCMFormat.mono(sampleRate: context.sampleRate)
    let sound = try SoundBuffer(
      PCMBuffer<Int16>(samples: Array(repeating: 0, count: 2_000), format: format),
      in: context
    )
    try source.queue([sound])
    let frame = try playSilence(source)
    source.isLooping = true
    #expect(source.processedBufferCount == 0)
    context.resume()
    try await eventually("four loops have passed") { now(context) >= frame + 8_000 }
    try await eventually("the silence ahead is over") { context.inspector.schedulesNothing }
    #expect(source.state == .playing)
    #expect(source.libraryValues.isLooping)
    #expect(source.processedBufferCount == 0)
  }

  @Test func `A waiting stream starts at its frame, also after a seek`() async throws {
    let context = try context()
    let reader = SampleReader(frames: 400_000, format: .mono(sampleRate: context.sampleRate))
    let source = try SoundSource(streaming: reader, in: context)
    source.isLooping = true
    let delay = try await delays(of: [source], loopLength: 400_000)[0]
    #expect(delay == 0)

    source.rewind()
    let frame = now(context) + 20_000
    source.play(at: time(ofFrame: frame, in: context))
    source.playbackFrame = 100_000
    #expect(source.state == .playing)
    try await eventually("the stream plays from where it was moved") { source.playbackFrame > 100_000 }
    // The start is early by half of a mix at most.
    #expect(now(context) - (source.playbackFrame - 100_000) >= frame - context.sampleRate / 20)
  }

  @Test func `A waiting stream that is stopped plays at once, and a paused one keeps its start`() async throws {
    let context = try context()
    let gate = Gate()
    var reader = SampleReader(frames: 400_000, format: .mono(sampleRate: context.sampleRate))
    reader.gate = gate
    let source = try SoundSource(streaming: reader, in: context)
    source.isLooping = true
    // The reader has not delivered anything of the stream yet.
    gate.close()
    source.play(at: time(ofFrame: now(context) + 400_000, in: context))
    source.stop()
    source.play()
    gate.open()
    _ = try await waitForStart(of: source)

    gate.close()
    source.rewind()
    let frame = now(context) + 30_000
    source.play(at: time(ofFrame: frame, in: context))
    source.pause()
    source.play()
    gate.open()
    #expect(source.state == .playing)
    try await eventually("the sound has begun") { source.playbackFrame != 0 }
    #expect(now(context) >= frame - context.sampleRate / 20)
  }

  /// Makes a source play the silence ahead of its sound while the clock stands still.
  private func playSilence(_ source: SoundSource) throws -> Int {
    let context = source.context
    context.suspend()
    let frame = now(context) + context.sampleRate / 10
    source.play(at: time(ofFrame: frame, in: context))
    context.inspector.startWaitingSources()
    #expect(context.inspector.libraryState(of: source) == .playing)
    #expect(source.state == .playing)
    #expect(source.playbackFrame == 0)
    return frame
  }

  @Test(arguments: [nil, 20_000..<60_000])
  func `A source paused in its silence starts on resume, and a play call starts it at once`(
    loopRange: Range<Int>?
  ) async throws {
    let context = try context()
    let source = try source(loopRange: loopRange, in: context)
    let frame = try playSilence(source)
    source.pause()
    #expect(source.state == .paused)
    context.resume()
    try await eventually("the start time has passed") { now(context) >= frame + 4_000 }
    #expect(source.state == .paused)
    #expect(source.playbackFrame == 0)
    context.suspend()
    let resumed = now(context)
    source.play()
    context.resume()
    try await eventually("the sound has begun") { source.playbackFrame != 0 }
    // The source did not continue in the silence meanwhile.
    #expect(now(context) - resumed >= source.playbackFrame || source.playbackFrame >= 20_000)
    source.rewind()

    _ = try playSilence(source)
    source.play()
    #expect(context.inspector.schedulesNothing)
    #expect(context.inspector.libraryFrame(of: source) == 0)
    context.resume()
    _ = try await waitForStart(of: source)
  }

  @Test(arguments: [nil, 20_000..<60_000])
  func `A scheduled start of a paused source resumes it at its position`(loopRange: Range<Int>?) async throws {
    let context = try context()
    let source = try source(loopRange: loopRange, in: context)
    _ = try playSilence(source)
    context.resume()
    try await eventually("the sound has begun") { source.playbackFrame != 0 }
    context.suspend()
    source.pause()
    let position = source.playbackFrame
    #expect(position > 0)
    source.play(at: time(ofFrame: now(context) + 1, in: context))
    #expect(source.playbackFrame == position)
    context.inspector.startWaitingSources(tolerance: 100_000)
    #expect(source.state == .playing)
    #expect(source.playbackFrame == position)
    source.pause()
    // A time in the past means now, and also resumes the source.
    source.play(at: .zero)
    #expect(source.state == .playing)
    #expect(source.playbackFrame == position)
    context.resume()
  }

  @Test func `A seek during the silence keeps the start, and a stop cancels it`() async throws {
    let context = try context()
    let source = try source(in: context)
    let frame = try playSilence(source)
    source.playbackFrame = 50_000
    #expect(source.state == .playing)
    #expect(context.inspector.libraryState(of: source) != .playing)
    #expect(source.playbackFrame == 50_000)
    context.resume()
    try await eventually("the sound has begun") { source.playbackFrame > 50_000 }
    #expect(now(context) >= frame - context.sampleRate / 20)

    _ = try playSilence(source)
    source.stop()
    #expect(source.state == .stopped)
    #expect(context.inspector.schedulesNothing)
    source.playbackFrame = 10
    #expect(source.state == .stopped)
    source.rewind()
    // The earlier request does not count any more.
    _ = try playSilence(source)
    source.rewind()
    #expect(source.state == .initial)
    #expect(context.inspector.schedulesNothing)
  }

  @Test func `The padded copy of a sound is freed when the sound has ended`() async throws {
    let context = try context()
    let source = try source(frames: 2_000, loopRange: 500..<1_000, in: context)
    source.isLooping = false
    source.play(at: time(ofFrame: now(context) + 12_000, in: context))
    let copy = try #require(context.inspector.silenceBufferID)
    await source.waitUntilStopped()
    try await eventually("the silence ahead is over") { context.inspector.schedulesNothing }
    #expect(source.state == .stopped)
    #expect(!context.libraryHasBuffer(copy))
    source.play()
    await source.waitUntilStopped()
  }

  @Test func `A start time in the past reports no intermediate state`() async throws {
    let context = try context()
    let source = try source(in: context)
    let notifications = source.events(.state)
    _ = try playSilence(source)
    source.play(at: .zero)
    context.resume()
    source.stop()
    var states: [SourceState] = []
    for await notification in notifications {
      states.append(notification.state)
      if notification.state == .stopped { break }
    }
    #expect(states == [.playing, .stopped])
  }

  @Test func `The silence buffer of a source is freed with the source`() throws {
    let context = try context()
    var source: SoundSource? = try source(in: context)
    if let source { _ = try playSilence(source) }
    let buffer = try #require(context.inspector.silenceBufferID)
    #expect(context.libraryHasBuffer(buffer))
    source = nil
    #expect(!context.libraryHasBuffer(buffer))
  }
}
