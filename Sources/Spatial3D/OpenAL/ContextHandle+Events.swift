internal import AudioSupport
internal import CSpatial3DShim

extension ContextHandle {
  /// The position of a source in its buffer or its queue.
  struct Position: Sendable {
    /// The frame, with a fraction.
    var frame: Double
    /// Nanoseconds mixed at that time.
    var clock: Int64
  }

  /// Subscribes a signal to the library's events; returns whether the library has them.
  ///
  /// Call this once per context. The signal must outlive the context.
  func listen(_ semaphore: Semaphore) -> Bool { unsafe s3d_context_subscribe(pointer, semaphore.pointer) }

  /// Enables signals about sources; without them, the library only signals events of its device.
  func wantHints(_ areWanted: Bool) { unsafe s3d_context_enable_hints(pointer, areWanted) }

  /// Takes the names of sources that may have changed, and returns whether the list was incomplete.
  ///
  /// Only one thread may call it at a time.
  func takeHints(into ids: inout [UInt32]) -> Bool {
    var wereLost = false
    ids.removeAll(keepingCapacity: true)
    // The shim writes at most the capacity, and returns how many it wrote.
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.hintsAtOnce) { room in
      let count = unsafe s3d_context_take_hints(pointer, room.baseAddress, Int32(room.count), &wereLost)
      for index in 0..<Int(count) { unsafe ids.append(room[index]) }
    }
    return wereLost
  }

  private static let hintsAtOnce = 64

  func takeDisconnection() -> Bool { unsafe s3d_context_take_disconnection(pointer) }

  var isConnected: Bool { device.isConnected }

  /// Simulates the loss of the device, for tests.
  func forceUnplugged(_ isUnplugged: Bool) { device.forceUnplugged(isUnplugged) }

  /// Reads the states of many sources, and replaces the array's contents with them.
  func readStates(of ids: [UInt32], into states: inout [UInt8]) {
    states.removeAll(keepingCapacity: true)
    guard !ids.isEmpty else { return }
    states.append(contentsOf: repeatElement(0, count: ids.count))
    // Both arrays have the count, and the shim writes that many.
    unsafe s3d_sources_read_states(pointer, ids, Int32(ids.count), &states)
  }

  func position(_ id: UInt32) -> Position {
    let position = unsafe s3d_source_read_position(pointer, s3d_source(id: id))
    return Position(frame: Double(position.fixed_frame) / 4_294_967_296, clock: position.clock)
  }
}

extension DeviceHandle {
  /// Simulates the loss of the device, for tests.
  func forceUnplugged(_ isUnplugged: Bool) { unsafe s3d_device_force_unplugged(pointer, isUnplugged) }
}

extension SourceState {
  /// The state for a number of the shim.
  init(shimNumber: UInt8) { self.init(s3d_state(rawValue: UInt32(shimNumber))) }

  @inline(__always)
  init(_ state: s3d_state) {
    switch state {
    case S3D_PLAYING: self = .playing
    case S3D_PAUSED: self = .paused
    case S3D_STOPPED: self = .stopped
    default: self = .initial
    }
  }
}
