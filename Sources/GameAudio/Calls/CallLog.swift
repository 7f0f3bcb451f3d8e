internal import AudioSupport
internal import Spatial3D

/// The calls, ticks, events and states of a world that a recording collects.
///
/// The entries are appended under the world's lock. The copies of states become snapshots later, without it.
final class CallLog: Sendable {
  /// Something that happened, at a frame of the mix.
  struct Entry: Sendable {
    enum Happening: Sendable {
      case call(WorldCall)
      /// A tick of the world.
      case tick
      /// The number of the effect that was made last, where effects were made since the last entry.
      case effects(last: Int)
      /// An event of an emitter or of a player, by its number.
      case event(Int, EmitterEvent)
      indirect case playerEvent(Int, PlayerEvent)
    }

    let frame: Int
    let happening: Happening
  }

  struct Content: Sendable {
    fileprivate(set) var entries: [Entry] = []
    fileprivate var states: [any SnapshotSource] = []
    /// The frame of the end; `nil` while the recording runs.
    fileprivate(set) var end: Int?
    /// The number of the effect that was made last.
    fileprivate var lastEffect = 0

    fileprivate mutating func append(_ happening: Entry.Happening, at frame: Int) {
      entries.append(Entry(frame: max(frame, entries.last?.frame ?? frame), happening: happening))
    }
  }

  /// The number of ticks between two snapshots.
  let interval: Int
  /// The sample rate whose frames the entries have, also after a change of the output.
  let sampleRate: Int
  let content = Lock(Content())
  private let series = Lock(SnapshotSeries())

  init(interval: Int, sampleRate: Int, lastEffect: Int) {
    (self.interval, self.sampleRate) = (interval, sampleRate)
    content.withLock { $0.lastEffect = lastEffect }
  }

  /// Appends an entry, which comes at the same frame as the last one or later.
  ///
  /// Threads read the frame before they take the world's lock, perhaps in another order.
  func add(_ happening: Entry.Happening, at moment: MixMoment) {
    let (frame, lastEffect) = (moment.frame(at: sampleRate), EffectUnit.lastNumber)
    content.withLock { content in
      if lastEffect > content.lastEffect {
        content.lastEffect = lastEffect
        content.append(.effects(last: lastEffect), at: frame)
      }
      content.append(happening, at: frame)
    }
  }

  /// Ends the log, with a last state.
  func end(_ state: any SnapshotSource, at moment: MixMoment) {
    let frame = moment.frame(at: sampleRate)
    content.withLock { content in
      content.states.append(state)
      content.end = max(frame, content.entries.last?.frame ?? frame)
    }
  }

  /// Ends the log of a world that is gone, with the last entry, and adds the copies that are left to the series.
  ///
  /// - Parameter frame: The frame of the beginning.
  func endWithoutWorld(from frame: Int) {
    content.withLock { $0.end = $0.end ?? max(frame, $0.entries.last?.frame ?? frame) }
    build {}
  }

  func add(_ state: any SnapshotSource) { content.withLock { $0.states.append(state) } }

  /// Runs a closure with a copy of the content, without the lock.
  func withCopy<Result>(_ body: (Content) -> Result) -> Result {
    let copy = content.withLock { $0 }
    defer { withExtendedLifetime(copy) { content.endCopy() } }
    return body(copy)
  }

  /// Adds the copies of states to the series; returns when all are.
  ///
  /// - Parameter finish: Ends the use of a copy, which is released behind it.
  func build(_ finish: () -> Void) {
    while let state = buildNext() { withExtendedLifetime(state, finish) }
  }

  /// Adds the oldest copy to the series and returns the copy; returns `nil` if the log has no copy.
  ///
  /// The caller releases the copy without a lock: the deinit of a value of the game may read the recording.
  private func buildNext() -> (any SnapshotSource)? {
    series.withLock { series in
      let (state, isEnded) = content.withLock { content -> ((any SnapshotSource)?, Bool) in
        (content.states.isEmpty ? nil : content.states.removeFirst(), content.end != nil)
      }
      if let state { series.append(state) } else if isEnded { series.finish() }
      return state
    }
  }

  /// The bytes that only further snapshots need.
  var spareByteCount: Int { series.withLock { $0.spareByteCount } }

  /// The snapshots of the states until now, the oldest one first.
  var snapshots: [WorldSnapshot] {
    let copy = series.withLock { $0 }
    defer { withExtendedLifetime(copy) { series.endCopy() } }
    return copy.snapshots
  }
}

/// A moment of the mix, in the frames of the rate that the output had then.
struct MixMoment: Sendable {
  var frame = 0
  var sampleRate = 0

  /// The moment in frames of another rate.
  func frame(at rate: Int) -> Int {
    if rate == sampleRate || sampleRate <= 0 { return frame }
    return Int(saturating: (Double(frame) * Double(rate) / Double(sampleRate)).rounded())
  }
}

extension MixPhysics {
  var moment: MixMoment { MixMoment(frame: frame, sampleRate: sampleRate) }
}
