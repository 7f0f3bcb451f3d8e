import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// The lists and the polls of observed sources on an output whose mix a test advances.
@Suite struct SteppedObservationTests {
  private func source(_ frames: Int, in context: AudioContext) throws -> SoundSource {
    try SoundSource(playing: Scenes.silence(frames: frames, in: context), in: context)
  }

  @Test(arguments: 0..<12) func `The list of playing sources has each observed one that plays, once`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let stepped = try SteppedDevice(disabling: seed % 2 == 0 ? [] : DisabledFeatures(stopFades: true))
    let context = stepped.context
    let inbox = NotificationInbox()
    let sources = try (0..<7).map { _ in try source(Int.random(in: 500...20_000, using: &random), in: context) }
    var tokens = [NotificationToken?](repeating: nil, count: 7)
    // The last state that an observer heard of, of each source.
    var states = [SourceState](repeating: .initial, count: 7)
    for _ in 0..<120 {
      let index = Int.random(in: 0..<7, using: &random)
      switch Int.random(in: 0..<7, using: &random) {
      case 0, 1: sources[index].play()
      case 2: sources[index].pause()
      case 3: sources[index].stop()
      case 4:
        tokens[index]?.cancel()
        tokens[index] = nil
      case 5 where tokens[index] == nil:
        states[index] = sources[index].state
        tokens[index] = inbox.observe(sources[index], .state) { states[index] = $0.state }
      default: stepped.mix(Int.random(in: 1...2_000, using: &random))
      }
      let isRight = context.state.withLock { state in
        _ = state.poll(at: monotonicTime())
        for source in sources where state.records.isObserved(source.key) { state.pollSource(source.key) }
        for source in sources where state.records.isObserved(source.key) {
          state.observation.updatePolling(source.key, in: &state.records)
        }
        let playing = state.observation.playing
        let expected = sources.filter {
          state.records.isObserved($0.key) && context.handle.state($0.id) == .playing
        }
        return Set(playing) == Set(expected.map(\.key)) && playing.count == expected.count
          && state.observation.playingIDs == playing.map { state.records[$0].id }
          && playing.enumerated().allSatisfy { state.records[observed: $1].playingIndex == $0 }
          && sources.allSatisfy { state.records.isObserved($0.key) == (state.observation.keysByID[$0.id] == $0.key) }
          && state.observation.keysByID.count == tokens.count { $0 != nil }
      }
      #expect(isRight)
      inbox.deliver()
      for index in 0..<7 where tokens[index] != nil { #expect(states[index] == sources[index].state) }
    }
    for token in tokens { token?.cancel() }
    #expect(context.inspector.observesNothing && !context.inspector.pollsPlayingSources)
  }

  @Test(arguments: [false, true])
  func `Playing sources are polled at each period, and paused ones never`(hasNoHints: Bool) throws {
    let stepped = try SteppedDevice(disabling: hasNoHints ? [.events] : [])
    let context = stepped.context
    let source = try source(48_000, in: context)
    let token = source.observe(.state) { _ in }
    source.play()
    /// The waits after polls at some milliseconds, in milliseconds.
    func waits(at times: [Int64]) -> [Int64?] {
      context.state.withLock { state in
        state.observation.nextSweep = nil
        return times.map { time in state.poll(at: time * 1_000_000).map { $0 / 1_000_000 } }
      }
    }
    let hasHints = context.state.withLock { $0.observation.hasHints }
    if hasNoHints { #expect(hasHints == false) }
    if hasHints == true {
      #expect(waits(at: [1_000, 1_030, 1_099, 1_100, 1_150, 1_300]) == [100, 70, 1, 100, 50, 100])
    } else {
      #expect(waits(at: [1_000, 1_002, 1_004, 1_005, 1_009, 1_050]) == [5, 3, 1, 5, 1, 5])
    }
    source.pause()
    #expect(waits(at: [2_000, 2_500]) == (hasHints == true ? [nil, nil] : [1_000, 1_000]))
    source.play()
    context.suspend()
    #expect(waits(at: [3_000]) == (hasHints == true ? [nil] : [1_000]))
    token.cancel()
  }

  @Test func `A sound that has ended is found by the next poll that is due, and not before`() throws {
    let stepped = try SteppedDevice(disabling: DisabledFeatures(hints: true))
    let context = stepped.context
    let source = try source(100, in: context)
    let inbox = NotificationInbox()
    var states: [SourceState] = []
    let token = inbox.observe(source, .state) { states.append($0.state) }
    source.play()
    inbox.deliver()
    #expect(states == [.playing])
    let found = context.state.withLock { state in
      state.observation.nextSweep = nil
      let period: Int64 = state.observation.hasHints == true ? 100_000_000 : 5_000_000
      _ = state.poll(at: 1_000_000_000)
      stepped.mix(2_000)
      _ = state.poll(at: 1_000_000_000 + period - 1)
      let before = state.records[observed: source.key].tracker.state
      _ = state.poll(at: 1_000_000_000 + period)
      return [before, state.records[observed: source.key].tracker.state]
    }
    #expect(found == [.playing, .stopped])
    inbox.deliver()
    #expect(states == [.playing, .stopped])
    token.cancel()
  }

  @Test func `A connected output posts its loss once, and its return once`() throws {
    let stepped = try SteppedDevice()
    let context = stepped.context
    let inbox = NotificationInbox()
    var kinds: [ContextEvent.Kind] = []
    let token = inbox.observe(context) { kinds.append($0.kind) }
    func update(_ wasConnected: Bool) -> [ContextEvent.Kind] {
      context.state.withLock { state in
        state.observation.isConnected = wasConnected
        check(state.observation.updateConnection(), true)
        check(state.observation.updateConnection(), true)
        check(state.observation.endedWithDevice(), false)
      }
      inbox.deliver()
      defer { kinds = [] }
      return kinds
    }
    #expect(update(true) == [] && update(false) == [.deviceReturned])
    token.cancel()
  }
}
