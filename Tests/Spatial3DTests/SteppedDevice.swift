import AudioSupport

@testable import Spatial3D

/// A silent device without a clock: it mixes what a test asks for, and its contexts take it for an output.
struct SteppedDevice {
  let device: AudioDevice
  let context: AudioContext

  init(disabling features: DisabledFeatures = [], _ settings: OutputSettings = OutputSettings()) throws {
    let mixer = ClockDrivenMixer()
    mixer.setSuspended(true)
    device = AudioDevice(handle: try DeviceHandle(silentDisabling: features), mixing: .byClock(mixer))
    context = try AudioContext(device: device, settings: settings)
  }

  /// Mixes a number of frames, in blocks of an output.
  func mix(_ frameCount: Int) {
    var left = frameCount
    while left > 0 { left -= device.handle.discard(frameCount: min(left, 960)) }
  }

  /// Polls an observed source: its record takes over the state and the position of the mixer.
  func poll(_ source: SoundSource) { context.state.withLock { $0.pollSource(source.key) } }
}
