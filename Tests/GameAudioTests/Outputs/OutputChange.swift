import AudioSupport
import TestSupport
import Testing

@testable import GameAudio
@testable import Spatial3D

/// A change of the output of a world: the output goes and returns, another takes over, or it has other settings.
///
/// The null device stands for the output. `WorldServerTests` has the changes of a sound server.
enum OutputChange: String, CaseIterable, Sendable {
  /// The output is gone, and returns.
  case loss
  /// The same with a library that stops the sources of a device that is gone.
  case lossWithoutHold
  /// The library opens another output instead of the first.
  case move
  /// The engine builds the device anew, because the library cannot reopen it.
  case rebuilding
  /// The output has another rate for some time.
  case rate
  /// The output has another number of loudspeakers for some time.
  case layout

  /// A context whose output can change so.
  func context() throws -> AudioContext {
    let disabled: DisabledFeatures =
      switch self {
      case .lossWithoutHold: DisabledFeatures(holdOnDisconnect: true)
      case .rebuilding: [.deviceReopening]
      default: []
      }
    let handle = try DeviceHandle(opening: nil, disabling: disabled)
    return try AudioContext(
      device: AudioDevice(handle: handle),
      settings: OutputSettings(sampleRate: 48_000, layout: .stereo)
    )
  }

  /// Changes the output, runs a closure, and changes the output back.
  func happen(to context: AudioContext, meanwhile body: () async throws -> Void = {}) async throws {
    let kinds = Collected<ContextEvent.Kind>()
    let token = context.observe { kinds.append($0.kind) }
    let device = context.device
    switch self {
    case .loss, .lossWithoutHold:
      context.loseOutput()
      try await eventually("the output is lost") { kinds.all.contains(.deviceLost) }
      // The event comes before the placeholder, and a device that is gone never returns: another device does.
      try await eventually("a placeholder mixes") { context.handle.device.isPlaceholder }
      try await body()
      context.handle.forceUnplugged(false)
      try await eventually("the output is back") { kinds.all.contains(.deviceReturned) }
    case .move, .rebuilding:
      try device.move(to: device.name)
      try await body()
      try device.move(to: nil)
    case .rate:
      try device.reset(OutputSettings(sampleRate: 44_100, layout: .stereo))
      #expect(context.sampleRate == 44_100)
      try await body()
      try device.reset(OutputSettings(sampleRate: 48_000, layout: .stereo))
    case .layout:
      try device.reset(OutputSettings(sampleRate: 48_000, layout: .quad))
      try await body()
      try device.reset(OutputSettings(sampleRate: 48_000, layout: .stereo))
    }
    #expect(context.sampleRate == 48_000)
    withExtendedLifetime(token) {}
  }
}

extension AudioContext {
  /// Makes the output seem disconnected, which stops playing sources if the library does not hold them.
  fileprivate func loseOutput() {
    // The lock keeps the placeholder out: a placeholder stops no source.
    state.withLock { state in
      handle.forceUnplugged(true)
      if handle.recordsPositions { handle.perform(.stop, state.records.keys.map { state.records[$0].id }) }
    }
  }

  /// Waits until the mix is some time further, by its own clock.
  func advance(by duration: Duration) async throws {
    let moment = clock + duration
    try await eventually("the mix is \(duration) further") { clock >= moment }
  }
}

/// The differences of a position from the clock, as far as readings one after the other bound them.
struct ClockOffset {
  /// The tolerance: a position and the clock are whole frames of the mix, and each change of a rate rounds once.
  static let tolerance = Duration.microseconds(70)

  /// The moment of the last reading.
  private var moment: Duration
  private(set) var lowest = Duration.seconds(-1 << 40)
  private(set) var highest = Duration.seconds(1 << 40)

  /// Reads a position in a loop of some length, each time between two readings of the clock.
  init(of position: () -> Duration, over length: Duration, from context: AudioContext) {
    moment = context.clock
    for _ in 0..<40 {
      let before = context.clock
      var place = position()
      let after = context.clock
      // A sound that started over counts from its first start.
      while place - after <= .zero - length { place += length }
      lowest = max(lowest, place - after)
      highest = min(highest, place - before)
    }
  }

  /// The difference of a sound that begins at a moment.
  init(beginningAt moment: Duration, over length: Duration) {
    var difference = .zero - moment
    while difference <= .zero - length { difference += length }
    (self.moment, lowest, highest) = (moment, difference, difference)
  }

  /// Whether the position was as far from the clock as at another time.
  ///
  /// OpenAL Soft 1.19 rounds the frames of a sound for a frame of the mix to 1/4,096, and the positions follow it.
  func agrees(with other: ClockOffset) -> Bool {
    let distance = moment > other.moment ? moment - other.moment : other.moment - moment
    let tolerance = Self.tolerance + distance / 8_192
    return lowest <= other.highest + tolerance && other.lowest <= highest + tolerance
  }
}
