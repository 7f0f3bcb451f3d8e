internal import AudioSupport

/// The sources of an offline context whose sounds begin with the next mix, or later.
///
/// The gain of a sound that is new to the mixer has no past: it begins at once, or from silence. Pure: no call and no lock.
struct BegunSounds: Sendable {
  /// The beginning of a sound.
  struct Beginning: Equatable, Sendable {
    /// The clock of a start that the library delays; `.min` for the next mix.
    var time = Int64.min
    /// Whether a sound that is not at its beginning begins with its full gain.
    var isAbrupt = false
  }

  private(set) var all: [UInt32: Beginning] = [:]
  /// The sources that were paused since the last mix: the mixer does not notice that they have resumed.
  private var paused: Set<UInt32> = []

  /// Notes a verb ahead of it, for a source in a state.
  ///
  /// A library that cuts sounds resumes a source within one sample.
  mutating func note(_ verb: ContextHandle.Verb, _ id: UInt32, in state: SourceState, cutsSounds: Bool) {
    switch verb {
    case .play: if paused.remove(id) == nil { all[id] = Beginning(isAbrupt: cutsSounds && state == .paused) }
    case .pause: if all[id] == nil, state == .playing { paused.insert(id) }
    case .stop, .rewind: paused.remove(id)
    }
  }

  mutating func noteStart(of id: UInt32, at time: Int64) { all[id] = Beginning(time: time) }

  /// Notes a seek, which leaves the time of a start as it is.
  mutating func noteSeek(of id: UInt32) {
    paused.remove(id)
    if all[id] == nil { all[id] = Beginning() }
  }

  /// Forgets a source that is destroyed: another one may get its name.
  mutating func forget(_ id: UInt32) {
    all[id] = nil
    paused.remove(id)
  }

  /// Forgets the sounds that a mix up to a clock has begun.
  mutating func endMix(at clock: Int64) {
    if !paused.isEmpty { paused = [] }
    if !all.isEmpty { all = all.filter { $0.value.time >= clock } }
  }
}
