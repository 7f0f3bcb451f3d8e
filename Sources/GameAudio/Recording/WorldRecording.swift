internal import AudioSupport
internal import PCM
internal import Spatial3D
internal import Synchronization

/// The calls of a game to its world, with the frames of the mix at which they took effect.
///
/// ```swift
/// let recording = world.record()
/// torches[0].fade(to: .decibels(-20), Fade(.milliseconds(300)))
/// offline.render(.seconds(1))
/// recording.stop()
/// try WorldPage(recording, title: "Four torches").write(to: "torches.html")
/// ```
///
/// ```swift
/// var other = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
/// let copy = AudioWorld(in: other.context, voiceLimit: 2)
/// recording.replay(in: copy)
/// let mix = other.render(recording.duration)
/// ```
///
/// A replay gives the same mix to the bit if:
///
/// - ``isComplete`` is true;
/// - no closure of the game has called the world inside of one of its calls: a reader that is opened, the closure of
///   ``AudioWorld/castRays(limit:_:)``, or the handler of a diagnostic. Closures that observe events may, because they
///   run behind the call;
/// - the world of the replay is new, and the program keeps it until the end;
/// - it has the same number of voices, and its context has the same settings;
/// - no bank has released or reloaded samples meanwhile: a voice that holds samples is the first choice for another
///   play of them, and the mixer adds voices in their order;
/// - ``AudioWorld/convertsSampleRates`` has not changed behind the loading of a sound;
/// - the context has at most four effects, with the equalisers of rooms: OpenAL Soft 1.25 mixes more of them in an
///   order that differs from run to run;
/// - both mixes have the same format, and were made by the same version of the library;
/// - both are rendered offline, in the same pieces. A replay ends a piece at each recorded call and tick by itself, but
///   not where the game has ended a render, or where a closure of `AudioContext.onTick(every:_:)` or a ``BeatClock``
///   ran without a call. Up to OpenAL Soft 1.19 a reverb that was made or changed less than 128 frames before ends a
///   piece, also a reverb that no call names.
///
/// Otherwise the calls take effect at the same times, and the samples may differ. A sound that had played before the
/// recording began goes on from its position, in a voice of its own. Limits admit it anew. On an output, a sound that
/// was being loaded begins where it begins in the replay: offline at once. Another rate of the output keeps the times,
/// to half a frame at the ends of loops.
///
/// A call of ``AudioWorld/castRays(limit:_:)`` is recorded with its answers, one for each emitter: a replay casts no
/// rays, and applies the answers at the frame at which they took effect. The space of the beginning, with the levels of
/// its zones, is made again. The tails of zones that rang out then are missing.
///
/// A recording holds neither files nor readers of streams: a replay reads the files again, and calls the closures of
/// the readers again. It holds no observers or handlers of the game, only the calls that they made. It holds no changes
/// of the context or of its effect units, and no sounds that a bank has released or reloaded meanwhile: they replay as
/// they are now. It keeps the sounds and the effect units that its calls name. Memory: 50 to 100 bytes for a call, 12
/// to 20 for an emitter that ``AudioWorld/move(_:to:)`` has moved to another position, and 16 for an emitter whose rays
/// were answered. A snapshot is kept as its difference from the snapshot before it: 20 to 40 bytes for an emitter
/// that plays or moves, and none for an emitter that rests.
public final class WorldRecording: Sendable {
  /// Something that happened in a recording.
  public struct Event: Hashable, Sendable, Codable {
    /// The time since the beginning of the recording, in seconds.
    public var time: Double
    /// The number of the emitter or player; `nil` for another subject.
    public var number: Int?
    /// The key of its sound in a bank, or the file of the sound or its other name; `nil` for another subject.
    ///
    /// It is the first of several variations.
    public var sound: String?
    /// The event in words: `bus music fades to -6.0 dB in 2.0 s`, or `has a voice` for the emitter of the number.
    public var text: String
  }

  /// The snapshot of the beginning.
  public let start: WorldSnapshot

  /// Whether a replay can make the beginning to the bit.
  ///
  /// It can if no emitter or player had been released or played before. No effect of a zone or of a recorded send, no
  /// insert and no loudness target may have been mixed before: the state of an effect, such as the phase of a
  /// modulation, follows from all that was mixed since its beginning. While the recording runs, a send to such an
  /// effect makes it `false`. The cost grows with the number of calls.
  public var isComplete: Bool {
    guard isRecreatedExactly, !recreation.contains(where: hasOlderUnit(_:)) else { return false }
    return !log.content.withLock { content in
      content.entries.contains { entry in
        if case .call(let call) = entry.happening { call.units.contains(where: isOlder) } else { false }
      }
    }
  }

  private func hasOlderUnit(_ step: BeginningStep) -> Bool {
    if case .space(let record) = step { return record.units.contains { $0.firstFrame < conditions.frame } }
    return step.units.contains(where: isOlder)
  }

  private func isOlder(_ unit: EffectUnit) -> Bool { unit.firstFrame < conditions.frame }

  /// Whether the calls of the beginning make all of its state.
  private let isRecreatedExactly: Bool
  let log: CallLog
  /// The calls that make the state of the beginning.
  let recreation: [BeginningStep]
  let conditions: ReplayConditions
  /// The replays, which own the emitters that they have made.
  let replays = Lock<[Replay]>([])
  private let world: Weak<AudioWorld>

  init(
    of world: AudioWorld,
    start: WorldSnapshot,
    isRecreatedExactly: Bool,
    log: CallLog,
    recreation: [BeginningStep],
    conditions: ReplayConditions
  ) {
    self.world = Weak(world)
    (self.start, self.isRecreatedExactly, self.log) = (start, isRecreatedExactly, log)
    (self.recreation, self.conditions) = (recreation, conditions)
  }

  deinit {
    // A forked child lacks the threads that may hold the locks.
    guard let world = world.object, !world.context.isInherited else { return }
    world.end(log)
  }

  /// Ends the recording; a later call has no effect.
  public func stop() {
    guard let world = world.object else { return log.endWithoutWorld(from: conditions.frame) }
    world.end(log)
    log.build { world.state.endCopy() }
  }

  /// The snapshots of the beginning, of the ticks, and of the end, the oldest one first; until now while it runs.
  ///
  /// Offline, the snapshot of a tick has the state after the handlers of its events, and the sounds that begin with the
  /// tick are loaded and open in it. On an output, handlers run on a thread of their own, before or after the snapshot.
  ///
  /// The recording keeps their differences, and each read builds them anew: half a microsecond and 400 bytes for each
  /// emitter of each snapshot. Keep the list.
  public var snapshots: [WorldSnapshot] { [start] + log.snapshots }

  /// The number of recorded calls.
  public var callCount: Int {
    log.content.withLock { content in
      content.entries.count { if case .call = $0.happening { true } else { false } }
    }
  }

  /// The time from the beginning to the end, or to the last call while it runs.
  public var duration: Duration {
    let last = log.content.withLock { $0.end ?? $0.entries.last?.frame ?? conditions.frame }
    return PCMFormat.mono(sampleRate: conditions.sampleRate).duration(ofFrames: max(last - conditions.frame, 0))
  }

  /// The events of emitters and players, and the calls that begin, end, pause and fade, in their order.
  ///
  /// A call stands before the events that it causes.
  /// Positions and other settings are left out: the snapshots have them.
  public var events: [Event] {
    var buses = start.buses.map(\.name)
    let sounds = soundNames
    return log.withCopy { content in
      content.entries.compactMap { entry in
        let (number, text): (Int?, String?)
        switch entry.happening {
        case .tick, .effects: return nil
        case .event(let emitter, let event): (number, text) = (emitter, event.words)
        case .playerEvent(let player, let event): (number, text) = (player, event.description)
        case .call(let call):
          if case .makeBus(_, let name, _, _) = call { buses.append(name) }
          (number, text) = (call.number, call.words(buses: buses))
        }
        guard let text else { return nil }
        let seconds = Double(entry.frame - conditions.frame) / Double(max(conditions.sampleRate, 1))
        return Event(time: seconds.atMicro, number: number, sound: number.flatMap { sounds[$0] }, text: text)
      }
    }
  }
}

/// The values of a world at the beginning of a recording that a replay needs.
struct ReplayConditions: Sendable {
  let frame: Int
  let sampleRate: Int
  let ticks: Int
  let waitedTicks: Int
  let nextShift: EmitterSlot
  let derivedAt: Int
  let duckedUntil: Int
  let lastTick: Int
  let raysMovedUntil: Int
  /// The number of the effect that was made last.
  let lastEffect: Int
}

extension AudioWorld {
  /// Begins to record the calls of the game, and a snapshot in each interval.
  ///
  /// The recording lasts until ``WorldRecording/stop()``, or its release. While nothing records, a call costs one
  /// branch; while something does, it allocates memory and reads the clock of the device. Several recordings may run at
  /// a time.
  ///
  /// - Parameter interval: The time between two snapshots, which are taken while something plays. Range: 0 and up,
  ///   clamped; it is rounded to ticks of 512 frames, from one to 10⁹ of them. Default: 250 ms.
  /// - Returns: The recording, which lasts for as long as it is kept.
  public func record(snapshotsEach interval: Duration = .milliseconds(250)) -> WorldRecording {
    // Chosen: four snapshots a second show how a sound moves. A snapshot has a line for each emitter, so that more of
    // them take much memory.
    let physics = context.physics
    let tick = PCMFormat.mono(sampleRate: physics.sampleRate).duration(ofFrames: MixTime.tick)
    let longest = Duration.seconds(tick / .seconds(1) * 1e9)
    if let fault = ValueFault("interval", interval, in: Duration.zero...longest) {
      report(fault, of: .kind("a recording"))
    }
    let ticks = min(max(Int(saturating: (interval / tick).rounded()), 1), 1_000_000_000)
    let lastEffect = EffectUnit.lastNumber
    let log = CallLog(interval: ticks, sampleRate: physics.sampleRate, lastEffect: lastEffect)
    isRecording.store(true, ordering: .relaxed)
    let (recreation, copy) = state.withLock { state in
      // The end of another recording may have reset it meanwhile.
      isRecording.store(true, ordering: .relaxed)
      state.adopt(physics)
      defer { state.playback.log.begin(log, at: physics.moment) }
      return (Recreation(of: state.playback), WorldCopy(state))
    }
    defer { withExtendedLifetime((recreation, copy)) { state.endCopy() } }
    return WorldRecording(
      of: self,
      start: WorldSnapshot(copy),
      isRecreatedExactly: recreation.isExact,
      log: log,
      recreation: recreation.steps,
      conditions: ReplayConditions(
        frame: copy.scene.now,
        sampleRate: physics.sampleRate,
        ticks: copy.scene.time.ticks,
        waitedTicks: copy.scene.time.waitedTicks,
        nextShift: copy.scene.emitters.nextShift,
        derivedAt: copy.scene.emitters.derivedAt,
        duckedUntil: copy.scene.mixer.duckedUntil,
        lastTick: copy.scene.time.lastTick,
        raysMovedUntil: copy.scene.space.rays.movedUntil,
        lastEffect: lastEffect
      )
    )
  }

  /// Ends a recording, with a last snapshot.
  func end(_ log: CallLog) {
    let physics = context.physics
    state.withLock { state in
      guard state.playback.log.end(log) else { return }
      state.adopt(physics)
      isRecording.store(state.playback.log.isRecording, ordering: .relaxed)
      log.end(WorldCopy(state), at: physics.moment)
    }
  }
}
