/// The compensation of the loudness of copies of a sound that begin together.
///
/// Each copy is lowered by the number of copies that have begun in the 50 ms around it. The counts are numbers of the
/// identity of the sound, in the table of sounds.
struct CopyCompensation: Sendable {
  /// A beginning of an emitter whose loudness is compensated.
  struct Beginning: Sendable {
    let slot: EmitterSlot
    let order: UInt32
    /// The number that the copies of the sound share.
    let identity: Int
    fileprivate(set) var frame: Int
  }

  /// The beginnings of the last 50 ms, in the order of their frames.
  private(set) var beginnings: [Beginning] = []
  /// The starts that lie ahead.
  private(set) var planned: [Beginning] = []
  /// Whether a copy has begun since the last tick.
  private(set) var hasNew = false

  /// Plans a start that lies ahead: it counts from the tick before it.
  mutating func plan(_ beginning: Beginning) { planned.append(beginning) }

  /// Takes the planned starts up to a frame.
  mutating func takePlanned(upTo frame: Int) -> [Beginning] {
    guard planned.contains(where: { $0.frame <= frame }) else { return [] }
    let due = planned.filter { $0.frame <= frame }
    planned.removeAll { $0.frame <= frame }
    return due
  }

  /// Counts a beginning; returns the gain of the copy.
  ///
  /// The next tick lowers the other copies: a beginning costs the same with one copy and with thousands.
  mutating func count(_ beginning: Beginning, forgettingBefore first: Int, in sounds: inout SoundTable) -> Float {
    forget(before: first, in: &sounds)
    let index = beginnings.lastIndex { $0.frame <= beginning.frame }.map { $0 + 1 } ?? 0
    beginnings.insert(beginning, at: index)
    sounds.change(playsOf: beginning.identity) { $0.recent += 1 }
    hasNew = true
    return Self.gain(of: beginning.identity, in: sounds)
  }

  /// Whether copies have begun since the last call, so that others have to be lowered.
  mutating func takeHasNew() -> Bool {
    defer { hasNew = false }
    return hasNew
  }

  /// The gain of each copy of a sound.
  static func gain(of identity: Int, in sounds: SoundTable) -> Float {
    1 / Float(max(sounds.plays(of: identity).recent, 1)).squareRoot()
  }

  /// Counts the beginnings before a frame no longer.
  mutating func forget(before first: Int, in sounds: inout SoundTable) {
    guard let oldest = beginnings.first, oldest.frame < first else { return }
    let count = beginnings.firstIndex { $0.frame >= first } ?? beginnings.count
    for beginning in beginnings[..<count] { sounds.change(playsOf: beginning.identity) { $0.recent -= 1 } }
    beginnings.removeFirst(count)
  }
}

extension CopyCompensation: RateConvertible {
  mutating func convertFrames(_ conversion: FrameConversion) {
    for index in beginnings.indices { conversion.convert(&beginnings[index].frame) }
    for index in planned.indices { conversion.convert(&planned[index].frame) }
  }
}
