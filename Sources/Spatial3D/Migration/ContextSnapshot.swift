internal import AudioSupport

/// The playback of a context's sources, to be restored on another device of the library.
struct ContextSnapshot: Sendable {
  let handle: ContextHandle
  var sources: [Source]
  /// The clock at which the positions were read.
  private(set) var clock: Int64 = 0

  init(handle: ContextHandle, sources: [Source]) { (self.handle, self.sources) = (handle, sources) }

  struct Source: Sendable {
    let key: SourceKey
    let id: UInt32
    var state = SourceState.initial
    /// The position, in frames with a fraction.
    ///
    /// If the source neither plays nor is paused, this is its start frame; negative for its beginning.
    var frame = -1.0
    /// The start time of a source that waits in the library, on the library's clock.
    var startTime: Int64?
    /// The last recorded position of a source, for a lost device; `nil` if it neither plays nor is paused there.
    var extrapolation: Extrapolation?
  }

  /// Reads states and positions from the library.
  mutating func read() {
    // The positions are read first: they then fit each source that still plays.
    let positions = sources.map { handle.position($0.id).frame }
    var states: [UInt8] = []
    handle.readStates(of: sources.map(\.id), into: &states)
    // The check comes this late because the device may be lost during the wait for other threads in the library.
    let isLost = handle.isLost
    clock = handle.clock
    for (index, number) in states.enumerated() {
      let found = SourceState(shimNumber: number)
      if isLost, let lost = sources[index].extrapolation?.position(at: clock), found == .stopped || found == .paused {
        // The loss does not stop a paused source.
        sources[index].state = lost.isPlaying && found == .stopped ? .playing : .paused
        sources[index].frame = lost.frame
      } else {
        sources[index].state = found
        if found == .playing || found == .paused { sources[index].frame = positions[index] }
      }
    }
  }
}
