internal import Glibc

/// The three effect units that zones sound with: two are fed, and the third rings out.
///
/// The pool decides; the world makes, mutes and releases the units by its ``actions``. Pure: no call and no lock.
struct ZonePool: Sendable {
  /// The number of units: two units have feeds, and the third unit rings out.
  static let capacity = 3
  /// The number of ticks in which a feed moves from nothing to all: 0.34 s at 48,000 Hz.
  ///
  /// A soft feed moves more slowly. Chosen: shorter than a step of a person, and long enough for the lowest tones.
  static let crossfade: Float = 32
  /// The number of ticks in which a unit that rings out falls silent, where another zone needs it: 0.17 s at 48,000 Hz.
  ///
  /// Chosen: half of a crossfade, as the new zone waits for it.
  static let hush: Float = 16

  /// The state of a unit.
  enum State: Equatable, Sendable {
    case empty
    /// The world makes it.
    case opening
    case fed
    /// Nothing feeds it until it is silent, at a frame of the mix.
    case ringing(until: Int)
    /// It falls silent early, with the gain that it has.
    case hushing(gain: Float)
    /// The library has no room for it.
    case refused
  }

  /// One of the units.
  struct Unit: Equatable, Sendable {
    var state = State.empty
    /// The zone that it sounds with; `nil` for none.
    var zone: ZoneIndex?
    /// The feed as an angle: its sine is the gain, so that one rises as another falls, with the same power.
    var angle: Float = 0
    /// The angle at which the law of the sends holds: ahead of the feed while it begins, the last one while it ends.
    var level: Float = 0
    /// The part of the feed that the sounds of each listener give.
    var shares = SIMD4<Float>(repeating: 1)
    /// The parts at which the law of the sends holds, as for ``level``.
    var shareLevels = SIMD4<Float>(repeating: 1)
    /// The frames that it rings on.
    var ringing = 0

    var gain: Float { angle >= .pi / 2 ? 1 : sin(angle) }
    /// The gain at which the law of the sends holds.
    var levelGain: Float { level >= .pi / 2 ? 1 : sin(level) }
    var isFed: Bool { state == .fed || state == .opening }

    /// Moves the part of a listener as the feed is moved.
    fileprivate mutating func moveShare(of listener: Int, to target: Float, by ticks: Float, _ jumps: Bool) {
      if shares[listener] == 0, target > 0 { shareLevels[listener] = target }
      let step = max(shareLevels[listener], ZoneLaw.least).squareRoot() / ZonePool.crossfade
      let most = jumps ? 1 : step * ticks
      shares[listener] = min(max(target, shares[listener] - most), shares[listener] + most)
      if target > 0 {
        shareLevels[listener] = min(max(target, shareLevels[listener] - most), shareLevels[listener] + most)
      }
    }
  }

  /// How a step moves the feeds.
  enum Motion: Sendable {
    /// By the time that has passed.
    case glides
    /// By the time that has passed; a feed that begins has its level at once.
    case begins
    /// To their levels at once: nothing plays that could click.
    case jumps
  }

  /// A change of a unit that the world carries out.
  enum Action: Equatable, Sendable {
    case open(unit: Int, zone: ZoneIndex)
    case setGain(unit: Int, Float)
    case release(unit: Int)
  }

  private(set) var units = InlineArray<3, Unit>(repeating: Unit())
  /// The changes of the last step, in their order.
  private(set) var actions: [Action] = []

  init() { actions.reserveCapacity(2 * Self.capacity) }

  /// The zone of each unit that is fed; `nil` for the other units.
  var fedZones: InlineArray<3, ZoneIndex?> { InlineArray { units[$0].isFed ? units[$0].zone : nil } }

  /// Whether a unit exists, or is being made.
  var isInUse: Bool { contains { $0 != .empty && $0 != .refused } }

  /// Whether a unit is being made.
  var isOpening: Bool { contains { $0 == .opening } }

  /// Whether a unit waits for the end of its sound.
  var isRinging: Bool {
    contains { state in
      switch state {
      case .ringing, .hushing: true
      default: false
      }
    }
  }

  private func contains(_ condition: (State) -> Bool) -> Bool {
    for index in 0..<Self.capacity where condition(units[index].state) { return true }
    return false
  }

  /// The world has made a unit, or could not.
  mutating func opened(_ unit: Int, succeeded: Bool) {
    guard units[unit].state == .opening else { return }
    units[unit].state = succeeded ? .fed : .refused
  }

  /// The pool in another mix, whose frames are moved by a distance.
  ///
  /// A unit that could not be made there is refused. A unit that was being made is claimed again.
  func moved(by shift: Int, isMade: (Int) -> Bool) -> ZonePool {
    var pool = self
    pool.actions.removeAll()
    for index in 0..<Self.capacity {
      switch units[index].state {
      case .ringing(let end): pool.units[index].state = .ringing(until: end + shift)
      case .opening: pool.units[index] = Unit()
      case .fed: pool.units[index].state = isMade(index) ? .fed : .refused
      case .empty, .hushing, .refused: break
      }
    }
    return pool
  }

  /// Counts in the frames of another rate.
  mutating func convertFrames(_ conversion: FrameConversion) {
    for index in 0..<Self.capacity {
      // A number of frames is a distance between two.
      units[index].ringing = conversion.converted(units[index].ringing) - conversion.converted(0)
      if case .ringing(let end) = units[index].state { units[index].state = .ringing(until: conversion.converted(end)) }
    }
  }

  /// Gives each unit the new index of its zone; a unit whose zone is gone rings out, or is not made any more.
  mutating func renumber(_ newIndex: (ZoneIndex) -> ZoneIndex?) {
    for index in 0..<Self.capacity {
      guard let zone = units[index].zone else { continue }
      units[index].zone = newIndex(zone)
      if units[index].zone == nil, units[index].state == .opening { units[index] = Unit() }
    }
    for index in 0..<Self.capacity where units[index].state == .refused { units[index] = Unit() }
  }

  /// Moves all feeds by a time towards the two zones of a pair.
  ///
  /// - Parameters:
  ///   - pair: The zones, with their gains.
  ///   - frame: The frame of the mix.
  ///   - ticks: The time, in ticks.
  ///   - motion: How the feeds move.
  ///   - ringing: The frames that a zone rings on.
  mutating func step(
    to pair: ZoneLaw.Pair,
    at frame: Int,
    ticks: Float = 1,
    _ motion: Motion = .glides,
    ringing: (ZoneIndex) -> Int
  ) {
    actions.removeAll(keepingCapacity: true)
    for index in 0..<Self.capacity {
      if units[index].isFed, let zone = units[index].zone { units[index].ringing = ringing(zone) }
      move(index, to: pair, at: frame, by: ticks, motion)
    }
    if let zone = pair.first { claim(zone, ringing) }
    if let zone = pair.second { claim(zone, ringing) }
  }

  private mutating func move(_ index: Int, to pair: ZoneLaw.Pair, at frame: Int, by ticks: Float, _ motion: Motion) {
    switch units[index].state {
    case .empty, .opening, .refused: break
    case .fed:
      let target = asin(min(units[index].zone.map(pair.gain(of:)) ?? 0, 1))
      let jumps = motion == .jumps || motion == .begins && units[index].angle == 0
      let shares = pair.shares(of: units[index].zone)
      if units[index].angle == 0, target > 0 {
        units[index].level = target
        (units[index].shares, units[index].shareLevels) = (shares, shares)
      }
      // A send exceeds its feed by the root of the level at most: the send, too, has no larger steps.
      let step = Float.pi / 2 / Self.crossfade * max(units[index].levelGain, ZoneLaw.least).squareRoot()
      let most = jumps ? .pi : step * ticks
      units[index].angle = min(max(target, units[index].angle - most), units[index].angle + most)
      if target > 0 {
        units[index].level = min(max(target, units[index].level - most), units[index].level + most)
        for listener in 0..<4 { units[index].moveShare(of: listener, to: shares[listener], by: ticks, jumps) }
      }
      if target == 0, units[index].angle == 0 { units[index].state = .ringing(until: frame + units[index].ringing) }
    case .ringing(let end):
      // The tail of a long reverb is still loud.
      if frame >= end { units[index].state = .hushing(gain: 1) }
    case .hushing(let gain):
      if gain <= 0 { return release(index) }
      if ticks == 0 { return }
      let next = max(gain - ticks / Self.hush, 0)
      units[index].state = .hushing(gain: next)
      actions.append(.setGain(unit: index, next))
    }
  }

  /// Finds a unit for a zone that is to sound; without a free one, the unit that is silent soonest is hushed.
  private mutating func claim(_ zone: ZoneIndex, _ ringing: (ZoneIndex) -> Int) {
    var (fed, soonestEnd) = (0, Int.max)
    var (free, soonest): (Int?, Int?) = (nil, nil)
    for index in 0..<Self.capacity {
      if units[index].zone == zone {
        switch units[index].state {
        case .ringing:
          // It rings on with the same reverb.
          guard fedCount < 2 else { return }
          units[index].state = .fed
          return
        case .empty: break
        case .opening, .fed, .hushing, .refused: return
        }
      }
      if units[index].isFed { fed += 1 }
      switch units[index].state {
      case .empty: free = free ?? index
      case .hushing: soonestEnd = .min
      case .ringing(let end) where end < soonestEnd: (soonest, soonestEnd) = (index, end)
      case .ringing, .opening, .fed, .refused: break
      }
    }
    guard fed < 2 else { return }
    if let free {
      units[free] = Unit(state: .opening, zone: zone, ringing: ringing(zone))
      actions.append(.open(unit: free, zone: zone))
    } else if soonestEnd > .min, let soonest {
      units[soonest].state = .hushing(gain: 1)
    }
  }

  private var fedCount: Int {
    var count = 0
    for index in 0..<Self.capacity where units[index].isFed { count += 1 }
    return count
  }

  /// Releases a unit; the library may have room for those that were refused then.
  private mutating func release(_ index: Int) {
    units[index] = Unit()
    for other in 0..<Self.capacity where units[other].state == .refused { units[other] = Unit() }
    actions.append(.release(unit: index))
  }
}
