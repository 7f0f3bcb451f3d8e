import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Calls and readings while a context's output is away: the null device is forced to seem disconnected.
@Suite(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"), .hangLimit)
struct AwayTests {
  static let libraries: [DisabledFeatures] = [[], DisabledFeatures(holdOnDisconnect: true), [.events]]

  /// The tolerance of a position that is read beside a mixer: two mixes of the null device and of a placeholder, in
  /// frames, and one frame of rounding.
  private static let tolerance = 4_097

  private func device(_ disabled: DisabledFeatures = []) throws -> AudioDevice {
    AudioDevice(handle: try DeviceHandle(opening: nil, disabling: disabled))
  }

  /// Loses the output of a context, and waits for the event and for the placeholder device.
  private func lose(_ context: AudioContext, _ events: inout NotificationSequence<ContextEvent>.Iterator) async throws {
    context.lose()
    try await waitForPlaceholder(of: context, &events)
  }

  private func waitForPlaceholder(
    of context: AudioContext,
    _ events: inout NotificationSequence<ContextEvent>.Iterator
  ) async throws {
    #expect(await events.next()?.kind == .deviceLost)
    try await eventually("the placeholder is in place") { context.device.inspector.isOnPlaceholder }
  }

  private func bringBack(_ context: AudioContext, _ events: inout NotificationSequence<ContextEvent>.Iterator) async {
    context.inspector.forceUnplugged(false)
    #expect(await events.next()?.kind == .deviceReturned)
  }

  /// Waits until a separate silent device has mixed for a time.
  private func wait(milliseconds: Int) async throws {
    let other = try AudioContext(device: .silent)
    let source = try SoundSource(playing: Scenes.silence(frames: milliseconds * 48, in: other), in: other)
    source.play()
    await source.waitUntilStopped()
  }

  /// The length of each sound in frames.
  ///
  /// The sounds loop, because a test may wait for its thread for longer than any sound lasts.
  private static let loopLength = 60 * 48_000

  private func looping(in context: AudioContext) throws -> SoundSource {
    let source = try SoundSource(playing: Scenes.silence(frames: Self.loopLength, in: context), in: context)
    source.isLooping = true
    return source
  }

  private func loopingStream(in context: AudioContext) throws -> SoundSource {
    let source = try SoundSource(streaming: SampleReader(frames: Self.loopLength), in: context)
    source.isLooping = true
    return source
  }

  /// A distance in frames, reduced by whole loops to the value nearest to zero.
  private func wrapped(_ frames: Int) -> Int {
    let rest = frames % Self.loopLength
    if rest > Self.loopLength / 2 { return rest - Self.loopLength }
    return rest < -Self.loopLength / 2 ? rest + Self.loopLength : rest
  }

  /// The frames by which a sound is behind the clock, read at one time of the clock, in any iteration.
  private func lag(of source: SoundSource) throws -> Int {
    while true {
      let clock = source.context.clock
      let frame = source.playbackFrame
      if source.context.clock == clock { return Scenes.mono.frameCount(in: clock) - frame }
    }
  }

  @Test func `Sounds that fade out are released at once when their output is lost`() async throws {
    let context = try AudioContext(device: device(DisabledFeatures(holdOnDisconnect: true, stopFades: true)))
    let source = try looping(in: context)
    try await eventually("a sound fades out") {
      source.play()
      let clock = context.clock
      try eventually("the mixer goes on") { context.clock > clock }
      source.stop()
      return context.state.withLock { state in
        // The monitor thread may have released it already.
        guard state.shortFades.endings.count == 1 else { return false }
        state.handle.forceUnplugged(true)
        let wait = state.shortFades.endings.wait(on: state.device, &state.output, by: state.handle)
        #expect(state.handle.isLost && wait == nil && state.shortFades.endings.count == 0)
        return true
      }
    }
  }

  @Test(arguments: libraries)
  func `The clock and all positions stop to the frame while a device without timekeeping has no output`(
    disabled: DisabledFeatures
  ) async throws {
    let context = try AudioContext(device: device(disabled))
    context.device.keepsTimeWithoutOutput = false
    var events = context.events().makeAsyncIterator()
    let source = try looping(in: context)
    let stream = try loopingStream(in: context)
    context.play([source, stream])
    try await wait(milliseconds: 100)
    try await lose(context, &events)
    let (clock, positions) = (context.clock, [source.playbackFrame, stream.playbackFrame])
    let later = try SoundSource(playing: Scenes.silence(frames: 480, in: context), in: context)
    later.play()
    try await wait(milliseconds: 300)
    #expect(context.clock == clock)
    #expect([source.playbackFrame, stream.playbackFrame] == positions)
    #expect([source.state, stream.state, later.state] == [.playing, .playing, .playing])
    await bringBack(context, &events)
    await later.waitUntilStopped()
    #expect(source.state == .playing)
    try await eventually("the source advances") { source.playbackFrame != positions[0] }
  }

  @Test(arguments: libraries)
  func `Sounds, queues and streams keep their distances to the clock over a loss and a return`(
    disabled: DisabledFeatures
  )
    async throws
  {
    let context = try AudioContext(device: device(disabled))
    var events = context.events().makeAsyncIterator()
    let second = try Scenes.silence(frames: 48_000, in: context)
    let sound = try looping(in: context)
    let queue = try SoundSource(in: context)
    try queue.queue(Array(repeating: second, count: 60))
    queue.isLooping = true
    let stream = try loopingStream(in: context)
    let sources = [sound, queue, stream]
    context.play(sources)
    try await eventually("the stream has begun") { stream.playbackFrame != 0 }
    let lags = try sources.map(lag)
    func expectTheSame(sourceLocation: SourceLocation = #_sourceLocation) throws {
      #expect(sources.map(\.state) == [.playing, .playing, .playing], sourceLocation: sourceLocation)
      let later = try zip(sources.map(lag), lags).map { wrapped($0 - $1) }
      for distance in later[0...1] { #expect(abs(distance) <= Self.tolerance, sourceLocation: sourceLocation) }
      // A stream waits for its reader, for as long as a busy machine delays it.
      #expect(later[2] >= -Self.tolerance, sourceLocation: sourceLocation)
    }
    try await lose(context, &events)
    try expectTheSame()
    try await wait(milliseconds: 200)
    try expectTheSame()
    await bringBack(context, &events)
    try expectTheSame()
    try await wait(milliseconds: 200)
    try expectTheSame()
  }

  @Test(arguments: SuspensionMode.allCases)
  func `A suspension persists over a loss and a return`(mode: SuspensionMode) async throws {
    let context = try AudioContext(device: device())
    var events = context.events().makeAsyncIterator()
    let source = try looping(in: context)
    let other = try looping(in: context)
    source.play()
    try await wait(milliseconds: 100)
    context.suspend(mode)
    let position = source.playbackFrame
    try await lose(context, &events)
    other.play()
    try await wait(milliseconds: 200)
    if mode == .mute { #expect(source.playbackFrame != position) } else { #expect(source.playbackFrame == position) }
    await bringBack(context, &events)
    #expect(context.suspensions == [.userPause: mode])
    #expect(context.libraryListener.gain == (mode == .mute ? 0 : 1))
    try await wait(milliseconds: 200)
    if mode != .mute { #expect([source.playbackFrame, other.playbackFrame] == [position, 0]) }
    #expect(other.state == .playing)
    context.resume()
    #expect(context.libraryListener.gain == 1)
    let (frame, otherFrame) = (source.playbackFrame, other.playbackFrame)
    try await eventually("both sources advance") {
      source.playbackFrame != frame && other.playbackFrame != otherFrame
    }
    #expect([source.state, other.state] == [.playing, .playing])
  }

  @Test(arguments: libraries)
  func `Contexts share a loss, and may be created and released during it`(disabled: DisabledFeatures) async throws {
    let device = try device(disabled)
    let first = try AudioContext(device: device)
    var second: AudioContext? = try AudioContext(device: device)
    var events = first.events().makeAsyncIterator()
    var otherEvents = try #require(second).events().makeAsyncIterator()
    let source = try looping(in: first)
    var other: SoundSource? = try Scenes.noise(in: #require(second))
    source.play()
    let before = try lag(of: source)
    try await lose(first, &events)
    #expect(await otherEvents.next()?.kind == .deviceLost)
    #expect(other?.state == .playing)

    let third = try AudioContext(device: device, settings: OutputSettings(sampleRate: 22_050))
    #expect(third.output.sampleRate == first.output.sampleRate)
    let late = try looping(in: third)
    late.play()
    let once = try third.playOnce(Scenes.silence(frames: 480, in: third))
    await once.waitUntilStopped()
    (second, other) = (nil, nil)
    #expect(abs(wrapped(try lag(of: source) - before)) <= Self.tolerance)

    await bringBack(first, &events)
    #expect(abs(wrapped(try lag(of: source) - before)) <= Self.tolerance)
    #expect([source.state, late.state] == [.playing, .playing])
    let frame = late.playbackFrame
    try await eventually("the later context advances") { late.playbackFrame != frame }
    #expect(third.inspector.isConnected)
    #expect(await otherEvents.next() == nil)
  }

  @Test(arguments: libraries)
  func `A context may be created on a device that was lost without one`(disabled: DisabledFeatures) async throws {
    let device = try device(disabled)
    do { _ = try AudioContext(device: device) }
    device.handle.forceUnplugged(true)
    // A placeholder without a context has nothing to mix.
    device.keepsTimeWithoutOutput = true
    try await eventually("the placeholder is in place") { device.inspector.isOnPlaceholder }
    let context = try AudioContext(device: device)
    let once = try context.playOnce(Scenes.silence(frames: 480, in: context))
    await once.waitUntilStopped()
    device.handle.forceUnplugged(false)
    try await eventually("the output is back") { !device.inspector.isOnPlaceholder }
    let again = try context.playOnce(Scenes.silence(frames: 480, in: context))
    await again.waitUntilStopped()
  }

  @Test(arguments: libraries)
  func `A scheduled start keeps its time over a loss, before and after its silence begins to play`(
    disabled: DisabledFeatures
  )
    async throws
  {
    let context = try AudioContext(device: device(disabled))
    var events = context.events().makeAsyncIterator()
    try await eventually("the clock runs") { context.clock != .zero }
    let start = context.clock + .milliseconds(300)
    let early = try looping(in: context)
    let late = try looping(in: context)
    context.play([early], at: start)
    context.play([late], at: start + .milliseconds(500))
    // If the library needs it, silence ahead of a sound begins a tenth of a second before.
    try await eventually("the silence ahead plays") {
      context.clock >= start - .milliseconds(60)
    }
    try await lose(context, &events)
    #expect([early.state, late.state] == [.playing, .playing])
    try await eventually("the later source has begun") { late.playbackFrame != 0 }
    let frame = Scenes.mono.frameCount(in: start)
    let lags = try [lag(of: early) - frame, lag(of: late) - frame - 24_000]
    // The start is as late as a busy machine makes it, and never early.
    for lag in lags { #expect((-Self.tolerance...4 * 48_000).contains(wrapped(lag))) }
    await bringBack(context, &events)
    #expect(abs(wrapped(try lag(of: early) - frame - lags[0])) <= Self.tolerance)
    #expect(abs(wrapped(try lag(of: late) - frame - 24_000 - lags[1])) <= Self.tolerance)
  }

  @Test func `Calls between a loss and the placeholder device set states and positions`() async throws {
    let context = try AudioContext(device: device(DisabledFeatures(holdOnDisconnect: true)))
    var events = context.events().makeAsyncIterator()
    let sources = try (0..<3).map { _ in
      try looping(in: context)
    }
    context.play([sources[0], sources[1]])
    sources[1].pause()
    context.device.inspector.holdMoves {
      context.lose()
      for (index, source) in sources.enumerated() { source.playbackFrame = (index + 1) * 480_000 }
      sources[2].play()
      #expect(sources.map(\.state) == [.playing, .paused, .playing])
      #expect(sources[1].playbackFrame == 960_000)
    }
    #expect(await events.next()?.kind == .deviceLost)
    try await eventually("the placeholder is in place") { context.device.inspector.isOnPlaceholder }
    #expect(sources.map(\.state) == [.playing, .paused, .playing])
    await bringBack(context, &events)
    #expect(sources.map(\.state) == [.playing, .paused, .playing])
    #expect(sources[1].playbackFrame == 960_000)
    // The sources were moved one after the other.
    let (first, last) = try (lag(of: sources[0]), lag(of: sources[2]))
    #expect(abs(wrapped(first - last - 960_000)) < 4 * 48_000)
  }

  @Test(arguments: libraries)
  func `Each context posts each loss and each return once`(disabled: DisabledFeatures) async throws {
    let context = try AudioContext(device: device(disabled))
    let other = try AudioContext(device: context.device)
    var events = context.events().makeAsyncIterator()
    var otherEvents = other.events().makeAsyncIterator()
    let source = try looping(in: context)
    source.play()
    for _ in 1...4 {
      try await lose(context, &events)
      context.inspector.forceUnplugged(false)
      #expect(await events.next()?.kind == .deviceReturned)
      #expect(await otherEvents.next()?.kind == .deviceLost)
      #expect(await otherEvents.next()?.kind == .deviceReturned)
    }
    try context.device.move(to: nil)
    #expect(await events.next()?.kind == .outputChanged)
    #expect(await otherEvents.next()?.kind == .outputChanged)
  }

  @Test func `A move by the program cancels a pending migration`() throws {
    let context = try AudioContext(device: device())
    let device = context.device
    let generation = device.inspector.moveCount
    try device.move(to: nil)
    #expect(!device.migrate(keepsTime: true, after: generation) { ReplacementDevice(placeholderFor: $0) })
    #expect(device.migrate(keepsTime: true, after: generation + 1) { ReplacementDevice(placeholderFor: $0) })
    // The device may have returned already.
    #expect(device.inspector.moveCount >= generation + 2)
    #expect(!device.name.isEmpty)
  }

  @Test(arguments: libraries)
  func `A loss during a migration cancels the migration`(disabled: DisabledFeatures) async throws {
    let context = try AudioContext(device: device(disabled))
    let device = context.device
    var events = context.events().makeAsyncIterator()
    let source = try looping(in: context)
    source.play()
    let generation = device.inspector.moveCount
    let isMigrated = device.migrate(keepsTime: true, after: generation) { handle in
      let next = ReplacementDevice(for: handle, named: nil)
      context.lose()
      return next
    }
    #expect(!isMigrated)
    try await waitForPlaceholder(of: context, &events)
    await bringBack(context, &events)
    #expect(source.state == .playing)
  }

  @Test func `A loss pauses sources with queued calls during a suspension`() async throws {
    let context = try AudioContext(device: device())
    context.device.policy = .pauseOnOutputLoss
    var events = context.events().makeAsyncIterator()
    let sources = try (0..<6).map { _ in try looping(in: context) }
    for source in sources[0..<4] { source.play() }
    sources[3].pause()
    var notifications = sources[0].events(.state).makeAsyncIterator()
    context.suspend(.queue, for: .background)
    // The first source is left alone. The others restart, move, resume, start, or start later, one each.
    sources[1].play()
    sources[2].playbackFrame = 48_000
    sources[3].play()
    sources[4].play()
    let start = context.clock + .seconds(1)
    context.play([sources[5]], at: start)
    #expect(sources.map(\.state) == Array(repeating: .playing, count: 6))
    try await lose(context, &events)
    let notification = await notifications.next()
    #expect(notification?.kind == .stateChanged(.paused))
    #expect(notification?.cause == .device)
    #expect(sources.map(\.state) == Array(repeating: .paused, count: 6))
    await bringBack(context, &events)
    context.resume(from: .background)
    #expect(sources.map(\.state) == Array(repeating: .paused, count: 6))
    #expect([1, 2, 4].map { sources[$0].playbackFrame } == [0, 48_000, 0])
    let positions = sources.map(\.playbackFrame)
    try await wait(milliseconds: 100)
    #expect(sources.map(\.playbackFrame) == positions)
    context.play(sources)
    #expect(sources.map(\.state) == Array(repeating: .playing, count: 6))
  }

  @Test(arguments: [true, false])
  func `A migration keeps the granted output settings`(requestsFirst: Bool) throws {
    let device = try device([.deviceReopening])
    let requested = OutputSettings(sampleRate: 44_100, hrtf: .on, sourceLimit: 300)
    let first = try AudioContext(device: device, settings: requestsFirst ? requested : OutputSettings())
    let other = OutputSettings(sourceLimit: 1_024)
    let second = try AudioContext(device: device, settings: requestsFirst ? other : requested)
    let granted = first.output
    let count = requestsFirst ? 400 : 200
    let sources = try (0..<count).map { _ in try SoundSource(in: second) }
    for _ in 1...2 {
      #expect(device.migrate(keepsTime: false) { ReplacementDevice(placeholderFor: $0) })
      #expect(device.migrate(keepsTime: false) { ReplacementDevice(for: $0, named: nil) })
      #expect(first.output.hrtf == granted.hrtf)
      #expect(first.output.sampleRate == granted.sampleRate)
      #expect(first.output.sourceLimit >= count)
    }
    withExtendedLifetime(sources) {}
  }
}
