import AudioSupport
import Foundation
import Spatial3DTesting
import TestServer
import TestSupport
import Testing

@testable import Spatial3D

/// A processed device that plays noise on a private sound server, and recordings of all sinks.
///
/// The recordings begin before the output opens: a sink that nobody records takes frames at a wrong rate for two
/// seconds.
struct ServedMix {
  let server: SoundServer
  let tapes: [Tape]
  let context: AudioContext
  let probe: MixProbe
  /// Noise that repeats after `noiseLength`.
  let source: SoundSource

  /// The recording of the first sink.
  var tape: Tape { tapes[0] }

  /// Opens the first sink by name, or the default sink if there is no other.
  ///
  /// `hasShortBuffer` is whether the buffer of the output has 30 ms, and not a third of a second.
  init(
    on kind: SoundServer.Kind,
    usesQueue: Bool = false,
    disabling features: DisabledFeatures = [],
    ahead: Duration? = nil,
    sinks: [String] = ["main"],
    hasShortBuffer: Bool = false,
    noiseLength: Duration = .milliseconds(900)
  ) throws {
    let server = try SoundServer(kind, sink: sinks[0])
    if hasShortBuffer {
      try server.lendToThisProcess(period: 480, periods: 3)
    } else {
      try server.lendToThisProcess()
    }
    for sink in sinks.dropFirst() { try server.add(sink: sink) }
    tapes = try sinks.map { try Tape(of: server, sink: $0) }
    let name = sinks.count > 1 ? sinks[0] : nil
    var disabled = features
    if usesQueue { disabled.capabilities.insert(.callbackBuffers) }
    let output = AudioDevice(handle: try DeviceHandle(opening: name, disabling: disabled), openedName: name)
    let device = try AudioDevice.processed(on: output, ahead: ahead)
    probe = try MixProbe(device)
    context = try AudioContext(device: device)
    let noise = TestSignal.noise(duration: noiseLength, format: Scenes.mono)
    source = try SoundSource(playing: SoundBuffer(noise, in: context), in: context)
    source.isLooping = true
    source.gain = 0.5
    source.position = [0.5, 0, -1]
    source.play()
    self.server = server
  }

  /// Waits until a recording has sound; by default the recording of the first sink.
  func untilHeard(by tape: Tape? = nil, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let tape = tape ?? self.tape
    try await eventually("the mix is heard", sourceLocation: sourceLocation) { tape.samples.contains { $0 != 0 } }
  }

  /// A click on one channel, which plays directly.
  static func click(on channel: Int, in context: AudioContext) throws -> SoundSource {
    var samples = [Float](repeating: 0, count: 2 * 480)
    for frame in 0..<24 { samples[2 * frame + channel] = 0.8 }
    let buffer = try SoundBuffer(PCMBuffer(samples: samples, format: Scenes.stereo), in: context)
    let source = try SoundSource(playing: buffer, in: context)
    source.spatialization = .never
    source.usesDirectChannels = true
    return source
  }

  /// The frames at which a channel of a stereo recording becomes loud.
  static func onsets(in samples: [Float], _ channel: Int) -> [Int] {
    var (onsets, last) = ([Int](), -10_000)
    for frame in 0..<samples.count / 2 where abs(samples[2 * frame + channel]) > 0.3 {
      if frame - last > 2_000 { onsets.append(frame) }
      last = frame
    }
    return onsets
  }
}

/// A recording of a sink that a thread reads.
final class Tape: Sendable {
  private let recorded = Lock<[Float]>([])
  /// The number of samples after each piece, and the time at which the piece was read.
  private let pieces = Lock<[(end: Int, time: ContinuousClock.Instant)]>([])
  private let isOver = Flag()

  var samples: [Float] { recorded.withLock { $0 } }

  /// The time at which a sample was read.
  func time(of sample: Int) -> ContinuousClock.Instant? { pieces.withLock { $0.first { $0.end > sample }?.time } }

  init(of server: SoundServer, sink: String = "main") throws {
    let recording = try server.recording(of: sink)
    let (isOver, reference) = (isOver, Weak(self))
    // The sink runs at its rate once it is recorded.
    _ = try recording.frames(2_400)
    Thread.detachNewThread {
      while !isOver.isRaised, let piece = try? recording.frames(480), piece.frameCount > 0 {
        guard let tape = reference.object else { return }
        let end = tape.recorded.withLock { recorded in
          recorded += piece.samples
          return recorded.count
        }
        tape.pieces.withLock { $0.append((end, .now)) }
      }
    }
  }

  deinit { end() }

  func end() { isOver.raise() }
}
