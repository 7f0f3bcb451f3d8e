import AudioSupport
import Synchronization

@testable import Spatial3D

/// The private state of a context and of its sources, for tests.
///
/// A test reads this inspector and not the fields of a context, so a change of their layout changes this file only.
/// `LibraryReadback` has the values that the library holds.
struct ContextInspector: Sendable {
  let context: AudioContext
}

extension AudioContext {
  var inspector: ContextInspector { ContextInspector(context: self) }
}

// MARK: - Notifications

extension ContextInspector {
  /// Whether no source has an observer or a feed that the context has to poll for.
  var observesNothing: Bool { context.state.withLock { $0.observation.isEmpty } }

  /// The number of frames that the library mixes at once.
  var framesPerMix: Int { context.state.withLock { $0.framesPerMix() } }

  /// Whether an observed source plays, so that the context polls.
  var pollsPlayingSources: Bool { context.state.withLock { $0.observation.isPlaying } }

  /// The number of the last notification to the newest observer of a source.
  func lastSequence(of source: SoundSource) -> UInt64? {
    context.state.withLock { $0.records[source.key].observed?.subscribers.last?.sequence }
  }

  /// Whether a change makes the context compute the time of the next loop again.
  func recomputesNextLoop(after change: () -> Void) -> Bool {
    context.state.withLock { $0.observation.nextLoop = 1 }
    change()
    return context.state.withLock { $0.observation.nextLoop == nil }
  }

  /// The time from a poll now until the poll for the next loop; `nil` where no observed source loops.
  var timeUntilNextLoop: Duration? {
    context.state.withLock { state in
      let now = monotonicTime()
      state.observation.nextLoop = nil
      _ = state.poll(at: now)
      return state.observation.nextLoop.flatMap { $0 == .max ? nil : .nanoseconds($0 - now) }
    }
  }

  /// The number of frames that an offline context has mixed.
  var renderedFrameCount: Int { context.device.renderedFrames.load(ordering: .relaxed) }
}

// MARK: - Sources

extension ContextInspector {
  /// The number of sources of the context.
  var sourceCount: Int { context.state.withLock { $0.records.count } }

  /// The values that the context holds for a source.
  func values(of source: SoundSource) -> SourceValues {
    context.state.withLock { $0.records[source.key].scene.values }
  }

  /// The state of a source in the library.
  func libraryState(of source: SoundSource) -> SourceState { context.handle.state(source.id) }

  /// The frame of a source in the library, including silence ahead of its sound.
  func libraryFrame(of source: SoundSource) -> Double { context.handle.position(source.id).frame }

  /// The frame of a source's sound or stream without the silence ahead of it, and the clock at that frame.
  func soundPosition(of source: SoundSource) -> (frame: Double, clock: Int64) {
    context.state.withLock { state in
      let reading = context.handle.position(source.id)
      guard let stream = source.stream else {
        return (reading.frame - Double(state.records[source.key].start.silence), reading.clock)
      }
      let position = stream.state.withLock { $0.queue.position(at: Int(reading.frame)) }
      return (Double(position) + reading.frame - reading.frame.rounded(.down), reading.clock)
    }
  }

  /// The number of frames in the queue of a streaming source.
  func queuedFrameCount(of source: SoundSource) -> Int { source.stream?.state.withLock { $0.queue.frameCount } ?? 0 }

  /// The number of buffers in the queue of a streaming source.
  func queuedBufferCount(of source: SoundSource) -> Int { source.stream?.buffers.withLock { $0.count } ?? 0 }
}

// MARK: - Scheduled starts and suspension

extension ContextInspector {
  /// Whether no source waits for its start time, and none plays silence ahead of its sound.
  var schedulesNothing: Bool { context.state.withLock { $0.schedule.isEmpty } }

  /// The library's name of a buffer with silence ahead of a sound; `nil` if no source has one.
  var silenceBufferID: UInt32? {
    context.state.withLock { state in
      state.schedule.padded.first.flatMap { state.records[$0].start.padding?.buffer.id }
    }
  }

  /// Starts the waiting sources whose time has passed, or passes within some frames.
  func startWaitingSources(tolerance: Int = 0) {
    context.state.withLock { _ = $0.startWaitingSources(tolerance: tolerance) }
  }

  /// Whether the context defers the calls for its sources.
  var defersCalls: Bool { context.state.withLock { $0.deferred.isOn } }

  /// Whether a thread performs deferred calls now.
  var performsDeferredCalls: Bool { context.state.withLock { $0.deferred.isRunning } }

  /// The number of sources with deferred calls.
  var deferredSourceCount: Int { context.state.withLock { $0.deferred.queued.count } }
}

// MARK: - Fades

extension ContextInspector {
  /// Sets the gains of all fades for the next step; returns the number of frames until the next one, `nil` for none.
  func stepFades() -> Int? {
    context.state.withLock { state in
      state.fades.step(in: &state.records, state.scene, of: state.device, by: state.handle)
    }
  }

  /// The nanoseconds until the next step of the fades, after a poll at a time.
  func waitForFades(at now: Int64) -> Int64? {
    context.state.withLock { state in
      let device = state.device
      return state.fades.wait(at: now, in: &state.records, state.scene, of: device, &state.output, by: state.handle)
    }
  }

  /// Whether no source fades for a call of the game.
  var fadesNothing: Bool { context.state.withLock { $0.fades.isEmpty } }

  /// The number of sources of the library that fade out.
  var endingCount: Int { context.state.withLock { $0.shortFades.endings.count } }

  /// Releases the sources that have faded out; returns the nanoseconds until the next look, `nil` for none.
  func waitForEndings() -> Int64? {
    context.state.withLock { $0.shortFades.endings.wait(on: $0.device, &$0.output, by: $0.handle) }
  }
}

// MARK: - Rooms, effects and the library

extension ContextInspector {
  /// The effect slot of the present room.
  var roomSlot: UInt32? { context.state.withLock { $0.scene.room.slot } }

  /// The number of effect slots that rooms take.
  var roomSlotCount: Int { context.state.withLock { $0.scene.room.units.count { $0 != nil } } }

  /// The number of rooms that the library mixes.
  var loadedRoomCount: Int { context.state.withLock { $0.scene.room.units.count { $0?.isLoaded == true } } }

  /// The number of sends that the library grants each source now.
  var librarySendLimit: Int { context.handle.sendLimit }

  /// Whether the library fails on rooms that are damped too strongly.
  var limitsDamping: Bool { context.handle.effectLimits.leastShelfGain != nil }

  /// The rate of the mix, in hertz, that a unit's effect was loaded for.
  func rate(of unit: EffectUnit) -> Double? { context.handle.loaded.withLock { $0.rates[unit.slot] } }

  /// Loads the effects again for a rate of the mix, in hertz.
  func reloadEffects(for rate: Int) { context.handle.reloadEffects(for: rate) }

  var libraryVersion: LibraryVersion? { context.handle.version }

  /// Whether the library reports that the output is connected.
  var isConnected: Bool { context.handle.isConnected }
}

// MARK: - Events outside of the context's calls

extension ContextInspector {
  /// Stops a source in the library, as the mixer does at its end.
  func stopInLibrary(_ source: SoundSource) { context.handle.perform(.stop, source.id) }

  /// Simulates the loss of the output, or its return.
  func forceUnplugged(_ isUnplugged: Bool) { context.handle.forceUnplugged(isUnplugged) }

  /// Mixes frames of an offline context without a poll.
  func mixUnpolled(frameCount: Int, _ format: PCMFormat) {
    context.withState { _ in
      var mix = PCMBuffer<Float>(format: format)
      context.handle.render(frameCount: frameCount, format: format, appendingTo: &mix)
    }
  }

  /// Unqueues the played buffers of a source; the library mixes some frames in the middle of the call.
  func unqueueProcessed(of source: SoundSource, duringMixOf frameCount: Int, _ format: PCMFormat) {
    context.withState { state in
      _ = state.changing(source) { state in
        var mix = PCMBuffer<Float>(format: format)
        context.handle.render(frameCount: frameCount, format: format, appendingTo: &mix)
        return state.takePlayed(of: source)
      }
    }
  }

  /// Makes a call for a source that fails with an error.
  func failCall<Failure: Error>(for source: SoundSource, with failure: Failure) throws(Failure) {
    try context.withState { state throws(Failure) in
      try state.changing(source) { _ throws(Failure) in throw failure }
    }
  }

  /// Holds the context's lock while a closure runs.
  func holdLock(while body: () -> Void) { context.state.withLock { _ in body() } }
}

extension SoundSource {
  /// The values that the library holds for the source.
  var libraryValues: SourceValues { context.handle.values(id) }
}

extension AudioContext {
  var libraryListener: Listener { handle.listener }

  /// The address of the context in the library.
  var libraryAddress: UInt { handle.address }

  /// Whether the library defers updates now.
  var libraryDefersUpdates: Bool { state.withLock { _ in handle.defersUpdates } }

  func libraryHasBuffer(_ id: UInt32) -> Bool { handle.hasBuffer(id) }

  /// Makes the output seem disconnected, which stops playing sources if the library does not hold them.
  func lose() {
    // The lock keeps the placeholder out: a placeholder stops no source.
    state.withLock { state in
      handle.forceUnplugged(true)
      if handle.recordsPositions { handle.perform(.stop, state.records.keys.map { state.records[$0].id }) }
    }
  }
}
