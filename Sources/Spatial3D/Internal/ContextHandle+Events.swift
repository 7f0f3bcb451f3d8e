internal import CSpatial3DShim

extension ContextHandle {
  /// Where a source is in its buffer or its queue.
  struct Place: Sendable {
    /// In frames, with what is between two of them.
    var frame: Double
    /// Nanoseconds mixed at that moment; `nil` where the library cannot say.
    var clock: Int64?
  }

  /// Lets the library ring a bell; says whether it can.
  ///
  /// Once for a context. The bell outlives it.
  func listen(_ bell: Bell) -> Bool { unsafe s3d_context_subscribe(pointer, bell.pointer) }

  /// While `false`, the library rings for its device alone.
  func wantHints(_ areWanted: Bool) { unsafe s3d_context_enable_hints(pointer, areWanted) }

  /// Takes the names of sources that something may have happened to, and whether there were others.
  ///
  /// For one thread at a time.
  func takeHints(into ids: inout [UInt32]) -> Bool {
    var wereLost = false
    ids.removeAll(keepingCapacity: true)
    // The shim writes at most the capacity, and says how many it wrote.
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.hintsAtOnce) { room in
      let count = unsafe s3d_context_take_hints(pointer, room.baseAddress, Int32(room.count), &wereLost)
      for index in 0..<Int(count) { unsafe ids.append(room[index]) }
    }
    return wereLost
  }

  private static let hintsAtOnce = 64

  func takeDisconnection() -> Bool { unsafe s3d_context_take_disconnection(pointer) }

  var isConnected: Bool { device.handle.isConnected }

  /// Has the device seem gone, for tests.
  func forceUnplugged(_ isUnplugged: Bool) { device.forceUnplugged(isUnplugged) }

  /// The states of many sources, put in place of what was there.
  func readStates(of ids: [UInt32], into states: inout [UInt8]) {
    states.removeAll(keepingCapacity: true)
    guard !ids.isEmpty else { return }
    states.append(contentsOf: repeatElement(0, count: ids.count))
    // Both arrays have the count, and the shim writes that many.
    unsafe s3d_sources_read_states(pointer, ids, Int32(ids.count), &states)
  }

  func place(_ id: UInt32) -> Place {
    let place = unsafe s3d_source_read_position(pointer, s3d_source(id: id))
    return Place(frame: Double(place.fixed_frame) / 4_294_967_296, clock: place.clock < 0 ? nil : place.clock)
  }

  /// Where a source is, in 1 / 2^32 of a frame.
  func fixedFrame(_ id: UInt32) -> Int64 { unsafe s3d_source_read_position(pointer, s3d_source(id: id)).fixed_frame }
}

extension AudioDevice {
  /// Has it seem gone, for tests.
  func forceUnplugged(_ isUnplugged: Bool) { unsafe s3d_device_force_unplugged(handle.pointer, isUnplugged) }
}

extension SourceState {
  /// The state that the shim has a number for.
  init(shimNumber: UInt8) {
    switch s3d_state(rawValue: UInt32(shimNumber)) {
    case S3D_PLAYING: self = .playing
    case S3D_PAUSED: self = .paused
    case S3D_STOPPED: self = .stopped
    default: self = .initial
    }
  }
}
