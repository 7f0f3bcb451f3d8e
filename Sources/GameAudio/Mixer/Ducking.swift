public import Spatial3D

/// The rule by which the sounds of one bus lower another bus.
///
/// FMOD, Wwise: auto-ducking, side-chain. PHASE: `PHASEDucker`.
public struct Ducking: Hashable, Sendable {
  /// The condition under which the other bus is lowered.
  public enum Trigger: Hashable, Sendable {
    /// A sound of the trigger's bus is audible: the predicted ``Bus/level`` is above -60 dB; below -66 dB the condition
    /// ends.
    case playing
    /// The predicted ``Bus/level`` of the trigger's bus is above a level; 6 dB below it the condition ends.
    ///
    /// NaN counts as silence: any sound is above it.
    case level(above: Decibels)
  }

  /// The change of the level while the condition holds: -6 dB lowers the bus by 6 dB.
  ///
  /// Range: -96 to 0 dB, clamped by ``Bus/duck(under:_:)``; silence is -96 dB, and NaN is 0 dB.
  public var depth: Decibels

  /// The condition; ``Trigger/playing`` by default.
  public var trigger: Trigger

  /// The time from no change to the whole of it, straight in decibels; 100 ms by default.
  ///
  /// Range: 0 and up, clamped.
  public var attack: Duration

  /// The time for which the level stays low after the condition has ended; 300 ms by default.
  ///
  /// A condition that holds again within it goes on as if it had never ended. Range: 0 and up, clamped.
  public var hold: Duration

  /// The time from the whole change back to none, straight in decibels; 700 ms by default.
  ///
  /// Range: 0 and up, clamped.
  public var release: Duration

  /// The lowering of a bus by a level, which is negative: the range of ``depth`` is -96 to 0 dB.
  ///
  /// A time below zero counts as zero: the level steps at the next tick.
  public init(
    by depth: Decibels,
    when trigger: Trigger = .playing,
    attack: Duration = .milliseconds(100),
    hold: Duration = .milliseconds(300),
    release: Duration = .milliseconds(700)
  ) {
    // Chosen: the attack lasts for about a syllable, the hold covers the pause between two words, and the release is
    // slow enough that the level does not pump between two sentences.
    (self.depth, self.trigger) = (depth, trigger)
    (self.attack, self.hold, self.release) = (attack, hold, release)
  }
}

extension Ducking {
  /// The numbers that a bus does not take as they are.
  var faults: [ValueFault] {
    var faults: [ValueFault] = []
    if depth.rawValue.isNaN {
      faults.append(ValueFault(unusable: "ducking.depth", .level(depth), .other("0 dB is used")))
    }
    faults.add(ValueFault("ducking.depth", depth, in: -96...0))
    if case .level(let level) = trigger, level.rawValue.isNaN {
      faults.append(ValueFault(unusable: "ducking.trigger", .level(level), .other("silence is used")))
    }
    faults.add(ValueFault("ducking.attack", attack, in: Duration.zero...))
    faults.add(ValueFault("ducking.hold", hold, in: Duration.zero...))
    faults.add(ValueFault("ducking.release", release, in: Duration.zero...))
    return faults
  }
}
