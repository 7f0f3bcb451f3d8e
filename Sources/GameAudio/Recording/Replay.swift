internal import AudioSupport
internal import PCM
internal import Spatial3D

/// The calls of a recording, carried out on the ticks of another mix.
///
/// A closure of the context runs at the frame of each entry, and then waits for the next one. The recorded ticks
/// replace the world's own ticks, so that calls and ticks of one frame keep their order.
final class Replay: Sendable {
  private struct State: Sendable {
    var next = 0
    /// The closure for the next entry.
    var token: NotificationToken?
  }

  let world: Weak<AudioWorld>
  /// The recording, which keeps the replay until its end.
  private let recording: Weak<WorldRecording>
  let objects = Lock(ReplayObjects())
  private let entries: [CallLog.Entry]
  /// The frame of the recording's beginning, and the frame of the mix which stands for it.
  private let first: Int
  private let ownFirst: Int
  /// The sample rates of the recording and of the mix.
  let rate: Int
  let ownRate: Int
  /// The frame of the recording's end.
  private let end: Int
  private let state = Lock(State())

  init(_ recording: WorldRecording, in world: AudioWorld) {
    self.world = Weak(world)
    self.recording = Weak(recording)
    let (entries, last) = recording.log.withCopy { ($0.entries.filter(\.isPerformed), $0.end) }
    let (conditions, physics) = (recording.conditions, world.context.physics)
    self.entries = entries
    end = last ?? entries.last?.frame ?? conditions.frame
    (first, rate) = (conditions.frame, conditions.sampleRate)
    (ownFirst, ownRate) = (physics.frame, physics.sampleRate)
  }

  deinit {
    // A forked child lacks the threads that may hold the locks.
    guard let world = world.object, !world.context.isInherited else { return }
    world.withState { if $0.playback.log.isReplaying { $0.playback.log.endReplay(at: $0.playback.now) } }
    world.updateTicks()
    objects.withLock { $0.takeAll() }.handles.release()
  }

  /// The distance from the frame of the recording's beginning to the frame of the mix that stands for it.
  var shift: Int { ownFirst - first }

  /// The frame of the mix that stands for a frame of the recording.
  func frame(for frame: Int) -> Int {
    let distance = MixMoment(frame: frame - first, sampleRate: rate).frame(at: ownRate)
    return Frames.usable(Frames.sum(ownFirst, distance))
  }

  /// Makes the state of the beginning, and begins with the entries.
  func begin(_ recording: WorldRecording, in world: AudioWorld) {
    let (conditions, shift) = (recording.conditions, shift)
    world.withState { state in
      state.playback.scene.time.restore(
        ticks: conditions.ticks,
        waitedTicks: conditions.waitedTicks,
        lastTick: conditions.lastTick + shift
      )
      state.playback.scene.emitters.nextShift = conditions.nextShift
      state.playback.scene.emitters.derivedAt = conditions.derivedAt + shift
      state.playback.scene.mixer.setDucked(until: conditions.duckedUntil + shift)
      state.playback.scene.space.rays.setMoved(until: conditions.raysMovedUntil + shift)
      state.playback.log.beginReplay()
    }
    world.updateTicks()
    makeUnits(for: recording.recreation + entries.compactMap { $0.call.map { .call($0) } }, of: recording)
    // A world on an output begins with a limiter, which the recorded world may not have had.
    if world.mixer.limiter != nil { world.perform(.limiter(nil)) }
    for step in recording.recreation { perform(step, in: world) }
    // The first sound may begin before the first tick.
    world.act { $0.flushStrips() }
    advance()
  }

  /// Carries out all entries that are due, and waits for the next one.
  private func advance() {
    guard let world = world.object else { return release() }
    let frame = world.context.physics.frame
    while let entry = takeEntry(until: frame) {
      switch entry.happening {
      case .call(let call): perform(call, in: world)
      case .tick: world.tick(world.context.physics)
      case .effects(let last): makeUnits(upTo: last)
      case .event, .playerEvent: break
      }
    }
    makeUnits(dueAt: frame)
    let entry = self.frame(for: state.withLock { $0.next < entries.count ? entries[$0.next].frame : end })
    guard entry > frame else { return finish(in: world, at: frame) }
    let next = min(entry, nextUnitFrame ?? entry)
    // The first multiple of the frame from now on is the frame itself.
    exchange(world.context.onTick(every: next) { [weak self] _ in self?.advance() })
  }

  private func takeEntry(until frame: Int) -> CallLog.Entry? {
    state.withLock { state in
      guard state.next < entries.count, self.frame(for: entries[state.next].frame) <= frame else { return nil }
      state.next += 1
      return entries[state.next - 1]
    }
  }

  /// Gives the world its own ticks back, and releases the emitters that the recording has not released.
  private func finish(in world: AudioWorld, at frame: Int) {
    world.withState { $0.playback.log.endReplay(at: frame) }
    release()
    world.updateTicks()
  }

  /// Releases all objects of the replay; the recording does not keep it any more.
  private func release() {
    exchange(nil)
    objects.withLock { $0.takeAll() }.handles.release()
    recording.object?.forget(self)
  }

  private func exchange(_ token: NotificationToken?) {
    let old = state.withLock { state in
      let old = state.token
      state.token = token
      return old
    }
    withExtendedLifetime(old) {}
  }
}

/// The emitters, players, buses and effects that stand for the objects of a recording.
struct ReplayObjects: Sendable {
  /// The emitters and players that the recording has not released, with the world that they keep.
  struct Handles: Sendable {
    var world: AudioWorld?
    /// The identities in the world of the replay, by the identities in the recording.
    var ids: [EmitterKey: EmitterKey] = [:]

    /// Releases all of them without a lock.
    func release() {
      for id in ids.values.sorted(by: { $0.number < $1.number }) { world?.release(id) }
    }
  }

  var handles = Handles()
  /// The identities of the emitters and players, also of those that sound on after their release.
  var ids: [EmitterKey: EmitterKey] = [:]
  var buses: [BusIndex: BusIndex] = [:]
  var units: [ObjectIdentifier: EffectUnit] = [:]
  /// The units of the recording that the replay makes later, the next one at the end.
  var laterUnits: [EffectUnit] = []
  /// The units of the zones of the beginning, by their index in the pool.
  var zoneUnits: [Int: EffectUnit] = [:]

  mutating func add(_ own: EmitterKey, for id: EmitterKey, in world: AudioWorld) {
    handles.world = world
    handles.ids[id] = own
    ids[id] = own
  }

  /// Moves all objects out, at the end of the replay.
  mutating func takeAll() -> ReplayObjects {
    defer { self = ReplayObjects() }
    return self
  }
}

extension CallLog.Entry {
  /// The call of the entry; `nil` if the entry is not a call.
  fileprivate var call: WorldCall? { if case .call(let call) = happening { call } else { nil } }

  /// Whether a replay performs the entry.
  fileprivate var isPerformed: Bool {
    switch happening {
    case .call, .tick, .effects: true
    case .event, .playerEvent: false
    }
  }
}

extension WorldRecording {
  /// Carries out the recorded calls in a world, at the same distances in frames from now on.
  ///
  /// Call it on a new world, whose renderer then renders the mix. On an output, each call takes effect with the mix
  /// that its frame is in. The recording keeps the emitters and players of the replay, and releases them at its end:
  /// keep the recording until then.
  ///
  /// See ``WorldRecording`` for the conditions of an equal mix.
  public func replay(in world: AudioWorld) {
    let replay = Replay(self, in: world)
    replays.withLock { $0.append(replay) }
    replay.begin(self, in: world)
  }

  /// Releases a replay that is over.
  fileprivate func forget(_ replay: Replay) {
    _ = replays.withLock { replays in
      let gone = replays.filter { $0 === replay }
      replays.removeAll { $0 === replay }
      return gone
    }
  }
}
