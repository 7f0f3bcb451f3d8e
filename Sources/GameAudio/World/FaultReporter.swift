internal import AudioSupport
internal import Spatial3D

/// An object of the game whose properties report the values that they do not take as they are.
///
/// A world reports each property once for all of its emitters, once for all of its players, and once for each bus. A
/// value that is not usable and a value out of its range are reported apart. The caller holds no lock of the world. A
/// setter reports behind its store: a handler that sets the property again has the last word.
protocol FaultReporter {
  func report(_ fault: ValueFault)
}

extension FaultReporter {
  /// Reports a value that a property cannot take.
  @inline(never)
  func reportUnusable(_ property: String, _ value: FaultValue, _ remedy: ValueFault.Remedy = .keepsValue) {
    report(ValueFault(unusable: property, value, remedy))
  }

  /// Reports a value outside of a range.
  @inline(__always)
  func check<Value: RangedValue>(_ property: String, _ value: Value, in range: ClosedRange<Value>) {
    if range.nearest(to: value) != value { reportClamped(property, value, in: range) }
  }

  /// Reports a value below a range.
  @inline(__always)
  func check<Value: RangedValue>(_ property: String, _ value: Value, in range: PartialRangeFrom<Value>) {
    if range.nearest(to: value) != value { reportClamped(property, value, in: range) }
  }

  @inline(never)
  private func reportClamped<Value: RangedValue>(_ property: String, _ value: Value, in range: ClosedRange<Value>) {
    if let fault = ValueFault(property, value, in: range) { report(fault) }
  }

  @inline(never)
  private func reportClamped<Value: RangedValue>(_ property: String, _ value: Value, in range: PartialRangeFrom<Value>)
  {
    if let fault = ValueFault(property, value, in: range) { report(fault) }
  }

  /// Stores the nearest value of a range; behind it, reports a value out of the range.
  ///
  /// A value that is not usable is reported, and not stored.
  @inline(__always)
  func setNearest<Value: RangedValue>(
    _ property: String,
    _ value: Value,
    in range: ClosedRange<Value>,
    _ store: (Value) -> Void
  ) {
    guard value.isUsable else { return reportUnusable(property, value.faultValue) }
    store(range.nearest(to: value))
    check(property, value, in: range)
  }

  /// Stores the nearest value of a range without an upper end; behind it, reports a value below the range.
  @inline(__always)
  func setNearest<Value: RangedValue>(
    _ property: String,
    _ value: Value,
    in range: PartialRangeFrom<Value>,
    _ store: (Value) -> Void
  ) {
    store(range.nearest(to: value))
    check(property, value, in: range)
  }

  /// Reports a fade whose duration is below zero.
  @inline(__always)
  func check(_ fade: Fade) { check("fade.duration", fade.duration, in: Duration.zero...) }

  func report(_ faults: [ValueFault]) { for fault in faults { report(fault) } }
}

extension Emitter: FaultReporter {
  func report(_ fault: ValueFault) { world.report(fault, ofSlot: slot) }
}

extension Bus: FaultReporter {
  func report(_ fault: ValueFault) { world.report(fault, of: .bus(name.name)) }
}

extension Mixer: FaultReporter {
  func report(_ fault: ValueFault) { world.report(fault, of: .kind("a mixer")) }
}

// MARK: - The world

extension AudioWorld: FaultReporter {
  func report(_ fault: ValueFault) { report(fault, of: .kind("a world")) }

  /// Reports a fault of an owner once.
  @inline(never)
  func report(_ fault: ValueFault, of owner: FaultOwner) {
    guard withState({ $0.playback.outbox.isNew(.fault(fault, of: owner)) }) else { return }
    context.report(.notTaken(fault, of: "\(owner)"))
  }

  /// Reports a fault of an emitter or a player, once for all emitters and once for all players.
  @inline(never)
  func report(_ fault: ValueFault, ofSlot slot: EmitterSlot) {
    let report = withState { $0.playback.firstReport(of: fault, slot) }
    if let report { context.report(report) }
  }

  /// Reports the faults of a sound, once for each name of a sound.
  @inline(never)
  func report(_ faults: [ValueFault], of sound: Sound) {
    let owner = FaultOwner.sound(sound.variations[0].name)
    let new = withState { state in
      faults.filter { state.playback.outbox.soundReports.isNew($0, of: owner) }
    }
    for fault in new { context.report(.notTaken(fault, of: "\(owner)")) }
  }

  /// Reports the parts of a listener that it does not take as they are.
  @inline(never)
  func report(_ listener: Listener, _ index: Int = 0) {
    for fault in listener.faults { report(fault, of: .listener(index)) }
  }

  /// Reports once that a call has moved fewer emitters than it was given, or fewer than it has positions for.
  @inline(never)
  func reportMove(of emitters: Int, to positions: Int) {
    guard withState({ $0.playback.outbox.isNew(.unequalMove) }) else { return }
    context.report(.unequalMove(emitters, positions))
  }
}

extension FaultReporter {
  /// Reports an effect unit that no source of the world can feed.
  func reportForeignEffect() {
    reportUnusable(
      "send",
      .words("an effect of another context"),
      .other("make the EffectUnit in world.context")
    )
  }
}

extension Listener {
  /// The range of the gain: up to the mixer's own limit, 24 dB.
  static let gainRange: ClosedRange<Gain> = Gain.silence...Gain(16)

  /// Whether a world takes each part as it is.
  @inline(__always)
  var isInRange: Bool {
    // A range of gains contains NaN, because a gain compares by `<` alone.
    position.isInRange && velocity.isInRange && gain.isUsable && gain <= Self.gainRange.upperBound
      && orientation.forward != .zero
  }

  /// The parts that a world does not take as they are.
  var faults: [ValueFault] {
    var faults: [ValueFault] = []
    for (property, vector) in [("position", position), ("velocity", velocity)] where !vector.isInRange {
      if let used = vector.usable {
        faults.append(ValueFault(property, vector, used: used))
      } else {
        faults.append(ValueFault(unusable: property, .vector(vector)))
      }
    }
    if gain.isUsable {
      faults.add(ValueFault("gain", gain, in: Self.gainRange))
    } else {
      faults.append(ValueFault(unusable: "gain", .gain(gain)))
    }
    if orientation.forward == .zero {
      faults.append(ValueFault(unusable: "orientation", .words("a forward direction without a finite length")))
    }
    return faults
  }
}
