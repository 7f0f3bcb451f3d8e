import AudioSupport
import TestSupport
import Testing

@testable import Spatial3D

/// The result of combined reasons and of deferred calls: arithmetic alone.
@Suite struct SuspensionLogicTests {
  private static let reasons: [SuspensionReason] = [.interruption, .background, .userPause, SuspensionReason("menu")]

  @Test func `The strongest active suspension applies in any order of calls`() {
    var random = SplitMix64(seed: 1)
    for canFreeze in [true, false] {
      var suspensions = Suspensions(canFreeze: canFreeze)
      var model: [SuspensionReason: SuspensionMode] = [:]
      for _ in 0..<20_000 {
        let reason = Self.reasons.randomElement(using: &random)!
        if let mode = SuspensionMode.allCases.randomElement(using: &random), Bool.random(using: &random) {
          suspensions.suspend(mode, for: reason)
          model[reason] = canFreeze || mode == .mute ? mode : nil
        } else {
          suspensions.resume(from: reason)
          model[reason] = nil
        }
        let modes = Set(model.values)
        #expect(suspensions.modes == model)
        #expect(suspensions.isFrozen == (modes.contains(.freeze) || modes.contains(.queue)))
        #expect(suspensions.defersCommands == modes.contains(.queue))
        #expect(suspensions.isMuted == modes.contains(.mute))
        #expect((suspensions.mode == nil) == modes.isEmpty)
      }
    }
  }

  @Test func `Suspension modes are ordered by strength`() {
    #expect(SuspensionMode.allCases.sorted() == [.mute, .freeze, .queue])
  }

  /// A source with OpenAL's states, in a world without time.
  private struct Model: Equatable {
    var state = SourceState.initial
    var frame = 0.0
    var start: Double?
    var time: Duration?

    mutating func perform(_ call: DeferredPlayback.Call) {
      switch call {
      case .play, .playAt:
        if state != .paused { frame = state == .playing ? 0 : start ?? 0 }
        start = nil
        state = .playing
        time = if case .playAt(let moment) = call { moment } else { nil }
      case .pause: if state == .playing { state = .paused }
      case .stop: end(as: state == .initial ? .initial : .stopped)
      case .rewind: end(as: .initial)
      case .playFrom(let target): (state, frame, start, time) = (.playing, target, nil, nil)
      case .seek(let target): if state == .playing || state == .paused { frame = target } else { start = target }
      }
    }

    private mutating func end(as end: SourceState) { (state, frame, start, time) = (end, 0, nil, nil) }
  }

  /// A random call.
  private func call(_ random: inout SplitMix64) -> DeferredPlayback.Call {
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: .play
    case 9: .playFrom(Double(Int.random(in: 0..<4_000, using: &random)) / 4)
    case 2, 3: .pause
    case 4: .stop
    case 5: .rewind
    case 6: .playAt(.seconds(Int.random(in: 1...3, using: &random)))
    default: .seek(Double(Int.random(in: 0..<4_000, using: &random)) / 4)
    }
  }

  @Test func `A device loss pauses every source with deferred calls, even while a thread performs them`() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<20_000 {
      var model = Model()
      for _ in 0..<Int.random(in: 0..<4, using: &random) { model.perform(call(&random)) }
      (model.time, model.start) = (nil, nil)
      var deferred = DeferredCalls()
      func deferCalls() {
        let now = DeferredPlayback(state: model.state, frame: model.frame)
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
          deferred.add(call(&random), now: now)
        }
      }
      deferCalls()
      // A thread has taken the deferred calls and performed some of them. Then further calls are deferred, and the
      // output is lost.
      var draining: [DeferredPlayback.Call] = []
      if Bool.random(using: &random), let taken = deferred.run() {
        draining = taken.calls
        for _ in 0..<Int.random(in: 0...draining.count, using: &random) { model.perform(draining.removeFirst()) }
        deferCalls()
      }
      model.perform(.pause)
      deferred.pauseForDevice()
      #expect(deferred.playback?.state != .playing)
      let isMoreDeferred = Bool.random(using: &random)
      if isMoreDeferred { deferCalls() }
      let queued = deferred.playback
      for next in draining { model.perform(next) }
      for next in deferred.takePause()?.calls ?? [] { model.perform(next) }
      #expect(deferred.takePause() == nil)
      if !isMoreDeferred { #expect(model.state != .playing) }
      for next in deferred.queued?.calls ?? [] { model.perform(next) }
      if let queued { #expect(model.state == queued.state) }
      if !isMoreDeferred { #expect(model.state != .playing) }
    }
  }

  @Test func `Deferred calls have the effect of direct calls with at most five calls`() {
    var random = SplitMix64(seed: 2)
    for _ in 0..<20_000 {
      var before = Model()
      for _ in 0..<Int.random(in: 0..<5, using: &random) { before.perform(call(&random)) }
      // A source that waited for a time is another case: its wait is not deferred.
      before.time = nil
      // The library keeps the start position of a source that does not play, but does not return it.
      before.start = nil
      var deferred = DeferredPlayback(state: before.state, frame: before.frame)
      var direct = before
      for _ in 0..<Int.random(in: 0..<12, using: &random) {
        let next = call(&random)
        deferred.add(next)
        direct.perform(next)
        #expect(deferred.state == direct.state)
        #expect(deferred.frame == direct.frame)
      }
      var later = before
      #expect(deferred.calls.count <= 5)
      for next in deferred.calls { later.perform(next) }
      #expect(later == direct, "\(before) \(deferred)")
    }
  }
}
