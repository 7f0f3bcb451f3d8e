internal import Spatial3D

/// The buses of a world, which group its sounds.
///
/// Unity: `AudioMixer`. FMOD: the mixer of the master bank.
public struct Mixer: Sendable {
  let world: AudioWorld

  /// The bus that contains all others.
  public var main: Bus { Bus(.main, in: world) }

  /// Makes a bus inside another bus.
  ///
  /// A bus that exists is returned as it is. `AudioContext.onDiagnostic` reports once that it has another parent, or is
  /// not of the kind `Bus.Kind.direct`. A parent of another world is reported and left out. In a world with 65,536
  /// buses a new name leads to its parent.
  ///
  /// - Parameters:
  ///   - name: The name, unique in the world.
  ///   - parent: The bus that contains the bus; `nil` for ``main``.
  ///   - kind: The rendering of its sounds.
  /// - Returns: The bus of the name.
  @discardableResult
  public func makeBus(_ name: BusName, in parent: Bus? = nil, kind: Bus.Kind = .spatial) -> Bus {
    let isOwn = parent.map { world.owns($0, for: .parent) } ?? false
    let (wanted, isDirect) = (isOwn ? parent?.index : nil, kind == .direct)
    let (index, report) = world.withState { state in
      let index = state.makeBus(name.name, in: wanted ?? .main, isDirect: isDirect)
      return (index, Self.conflict(of: index, name.name, in: wanted, isDirect: isDirect, &state))
    }
    if let report { world.context.report(report) }
    return world.bus(index)
  }

  /// The report of a bus that exists with another parent or kind than it is asked for with; `nil` for a known report.
  private static func conflict(
    of index: BusIndex,
    _ name: String,
    in parent: BusIndex?,
    isDirect: Bool,
    _ state: inout WorldState
  ) -> Diagnostic? {
    let bus = state.playback.scene.mixer.buses[index]
    // A new name leads to its parent where there is no room for a bus.
    guard bus.name == name else { return nil }
    if isDirect, !bus.isDirect, state.playback.outbox.isNew(.kindOfBus(name)) {
      return .busExists(name, "is of the kind spatial: the kind direct has no effect")
    }
    if let parent, parent != bus.parent, state.playback.outbox.isNew(.parentOfBus(name)) {
      let own = bus.parent.map { "is in \(state.playback.scene.mixer.buses[$0].name)" } ?? "contains all others"
      return .busExists(name, "\(own): the parent \(state.playback.scene.mixer.buses[parent].name) has no effect")
    }
    return nil
  }

  /// The bus of a name; `nil` where no bus of the world has the name.
  public subscript(_ name: BusName) -> Bus? {
    world.withState { $0.playback.scene.mixer.buses[name.name] }.map { world.bus($0) }
  }

  /// All buses, in the order in which they were made; ``main`` is the first.
  public var buses: [Bus] {
    (0..<world.withState { $0.playback.scene.mixer.buses.count }).map { world.bus(BusIndex($0)) }
  }

  /// The present settings of all buses, as a value that can be changed, stored and applied.
  ///
  /// A value that fades counts as it is in force now. Mutes, solos, pauses and duckers are left out.
  public func snapshot() -> MixSnapshot {
    world.withState { $0.playback.scene.mixer.snapshot }
  }

  /// Fades all buses of a snapshot to its settings.
  ///
  /// A bus that the snapshot does not name keeps its own. `AudioContext.onDiagnostic` reports a line without a bus. It
  /// reports an unusable number once for each property of a bus, and the property stays unchanged. A number out of its
  /// range is clamped and reported, as the properties of the ``Bus`` do.
  public func apply(_ snapshot: MixSnapshot, _ fade: Fade = .declick) {
    let unknown = world.withState { state in
      Set(snapshot.lines.keys.filter { state.playback.scene.mixer.buses[$0.name] == nil })
    }
    world.perform(.apply(snapshot, fade))
    check(fade)
    if !unknown.isEmpty { world.context.report(.unknownBuses(unknown.map(\.name).sorted())) }
    for name in snapshot.lines.keys.sorted() where !unknown.contains(name) {
      guard let line = snapshot.lines[name] else { continue }
      for fault in line.faults { world.report(fault, of: .bus(name.name)) }
      guard let inserts = line.inserts, !inserts.isEmpty, let bus = self[name] else { continue }
      bus.check("inserts.count", inserts.count, in: 0...BusRecord.mostInserts)
      for fault in inserts.faults(sampleRate: world.processingRate) { bus.report(fault) }
      world.reportUnprocessed(bus)
    }
  }
}

extension AudioWorld {
  /// The bus of an index.
  func bus(_ index: BusIndex) -> Bus { Bus(index, in: self) }

  /// The bus that a call has; the main bus for `nil`, and for a bus of another world.
  func own(_ bus: Bus?, for use: BusUse) -> Bus {
    guard let bus, owns(bus, for: use) else { return mixer.main }
    return bus
  }

  /// Whether a bus belongs to the world; a bus of another world is reported once for each call.
  func owns(_ bus: Bus, for use: BusUse) -> Bool {
    if bus.world === self { return true }
    report(foreign: bus.name.name, use)
    return false
  }

  @inline(never)
  private func report(foreign name: String, _ use: BusUse) {
    let isKnown = withState { state -> Bool? in
      guard state.playback.outbox.isNew(.busOfAnotherWorld(name, use)) else { return nil }
      return state.playback.scene.mixer.buses[name] != nil
    }
    if let isKnown { context.report(.busOfAnotherWorld(name, use, isKnown: isKnown)) }
  }
}
