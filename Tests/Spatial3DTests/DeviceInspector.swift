import AudioSupport

@testable import Spatial3D

/// The private state of a device, and of the thread that polls the outputs, for tests.
///
/// See `ContextInspector`.
struct DeviceInspector: Sendable {
  let device: AudioDevice
}

extension AudioDevice {
  /// The address of the device in the library.
  var libraryAddress: UInt { handle.address }

  var inspector: DeviceInspector { DeviceInspector(device: self) }
}

extension DeviceInspector {
  /// Whether a placeholder replaces the output.
  var isOnPlaceholder: Bool { device.handle.isPlaceholder }

  /// Whether a probe has found that the server of the present output hangs.
  var hasHung: Bool { device.outputSelection.withLock { $0.hasHung } }

  /// The output that a poll has found since the device is on it.
  var foundOutput: String? { device.outputSelection.withLock { $0.lastConfirmed } }

  /// The number of moves of the device, and of changes of its target.
  var moveCount: Int { device.outputSelection.withLock { $0.generation } }

  /// Whether the library has stopped time for a suspension.
  var hasStoppedTime: Bool { device.stopping.withLock { $0 } }

  /// Stops time in the library.
  func stopTime() { device.handle.suspend() }

  /// Starts time in the library again.
  func startTime() { device.handle.resume() }

  /// Holds up every move to another output while a closure runs.
  func holdMoves<Failure: Error>(while body: () throws(Failure) -> Void) throws(Failure) {
    try device.migrationLock.withLock { _ throws(Failure) in try body() }
  }
}

// MARK: - All outputs

extension DeviceInspector {
  /// Whether the system has sent events about outputs.
  static var hasOutputEvents: Bool { OutputMonitor.all.eventSource != .unsupported }

  /// Whether the system's events about outputs replace the poll.
  static var trustsOutputEvents: Bool { OutputMonitor.all.eventSource == .live }

  /// Stops the trust in the system's events, as after the loss of an output.
  static func doubtOutputEvents() { OutputMonitor.all.doubt() }

  /// Whether the clock watchdog thread runs.
  static var isWatchingClocks: Bool { ClockWatchdog.all.isRunning }

  /// Polls the outputs at once.
  static func pollOutputs() { OutputMonitor.all.poll() }
}
