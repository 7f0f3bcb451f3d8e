/// The largest number of emitters that play one sound, or that play on one bus, at a time.
///
/// An emitter counts while it plays, with a voice or without. A paused emitter does not count, nor an emitter in the
/// fade-out of a stop.
public struct PlaybackLimit: Hashable, Sendable {
  /// The action when the limit is reached and another emitter begins.
  public enum Overflow: String, Hashable, Sendable, CaseIterable, Codable {
    /// The newcomer does not begin: it ends with the reason ``EmitterEvent/Reason/refused``.
    case refuse
    /// The emitter that began first ends with the reason ``EmitterEvent/Reason/stolen``, in 10 ms.
    case stealOldest
    /// The quietest emitter ends likewise; if that is the newcomer, it is refused.
    case stealQuietest
    /// The emitter farthest from the listener ends likewise; if that is the newcomer, it is refused.
    case stealFarthest
    /// The newcomer plays without a voice, and may have one when another has ended.
    case virtualize
  }

  /// The largest number.
  ///
  /// Range: 1 and up, clamped by ``Bus/limit``, and by the emitters of a sound with the ``Sound/limit``.
  public var count: Int

  /// The action when the limit is reached and another emitter begins.
  public var whenReached: Overflow

  /// The shortest time between two beginnings; a newcomer that is earlier is refused.
  ///
  /// The moments on the mix's clock count, also the moments of ``Emitter/play(at:)``. An emitter that is played again
  /// so soon plays on. Range: 0 and up, clamped like ``count``. Default: 0.
  public var spacing: Duration

  /// A limit; by default the quietest one makes room.
  public init(_ count: Int, whenReached: Overflow = .stealQuietest, spacing: Duration = .zero) {
    (self.count, self.whenReached, self.spacing) = (count, whenReached, spacing)
  }
}

extension PlaybackLimit {
  private static let countRange = 1...
  private static let spacingRange = Duration.zero...

  /// The numbers outside of their ranges.
  var clamps: [ValueFault] {
    var clamps: [ValueFault] = []
    clamps.add(ValueFault("limit.count", count, in: Self.countRange))
    clamps.add(ValueFault("limit.spacing", spacing, in: Self.spacingRange))
    return clamps
  }

  /// The limit with its numbers in their ranges.
  var clamped: PlaybackLimit {
    let (count, spacing) = (Self.countRange.nearest(to: count), Self.spacingRange.nearest(to: spacing))
    return PlaybackLimit(count, whenReached: whenReached, spacing: spacing)
  }
}

extension PlaybackLimit {
  /// The decision about a newcomer.
  enum Decision: Hashable, Sendable {
    case admit
    case refuse
    case admitVirtually
    /// The emitter at this index of the list makes room.
    case steal(Int)
  }

  /// An emitter that counts.
  struct Player: Hashable, Sendable {
    /// The position in the order of the beginnings.
    let order: Int
    let loudness: Float
    let distance: Float
  }

  /// Decides about a newcomer.
  ///
  /// Among equals the newcomer stays out, and then the older one stays in. The list is computed only where an emitter
  /// of it has to end. Pure: no call and no lock.
  func decide(
    _ newcomer: Player,
    playing: Int,
    among players: () -> [Player],
    framesSinceLast: Int?,
    sampleRate: Int
  ) -> Decision {
    if let framesSinceLast, isTooSoon(framesSinceLast: framesSinceLast, sampleRate: sampleRate) { return .refuse }
    if hasRoom(beside: playing) { return .admit }
    switch whenReached {
    case .refuse: return .refuse
    case .virtualize: return .admitVirtually
    case .stealOldest, .stealQuietest, .stealFarthest: return steal(for: newcomer, from: players())
    }
  }

  /// Whether a beginning follows the last beginning too soon.
  func isTooSoon(framesSinceLast frames: Int, sampleRate: Int) -> Bool {
    spacing > .zero && Double(frames) < spacing / .seconds(1) * Double(sampleRate)
  }

  /// Whether one more may play beside a number of others.
  func hasRoom(beside playing: Int) -> Bool { playing < max(count, 1) }

  private func steal(for newcomer: Player, from players: [Player]) -> Decision {
    let victim: Int?
    switch whenReached {
    case .refuse, .virtualize: return .refuse
    case .stealOldest: victim = players.indices.min { players[$0].order < players[$1].order }
    case .stealQuietest:
      victim = players.indices.min {
        (players[$0].loudness, -players[$0].order) < (players[$1].loudness, -players[$1].order)
      }
      if let victim, players[victim].loudness >= newcomer.loudness { return .refuse }
    case .stealFarthest:
      victim = players.indices.min {
        (-players[$0].distance, -players[$0].order) < (-players[$1].distance, -players[$1].order)
      }
      if let victim, players[victim].distance <= newcomer.distance { return .refuse }
    }
    return victim.map { .steal($0) } ?? .refuse
  }
}
