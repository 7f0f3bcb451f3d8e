import AudioSupport
import Foundation
import Spatial3D
import Spatial3DTesting
import Synchronization
import Testing

@Suite struct DopplerTests {
  /// The audible frequency of a sine of 1,000 Hz, from a count of its periods over a second.
  private func frequency(
    source velocity: SIMD3<Float>,
    listener: SIMD3<Float> = .zero,
    sourceFactor: Float = 1,
    _ prepare: (AudioContext) -> Void = { _ in }
  ) throws -> Double {
    var offline = try OfflineRenderer(format: Scenes.mono)
    prepare(offline.context)
    offline.context.listener.velocity = listener
    let sine = TestSignal.sine(frequency: 1_000, duration: .seconds(1), format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(sine, in: offline.context), in: offline.context)
    source.isLooping = true
    source.position = [0, 0, -1]
    source.velocity = velocity
    source.dopplerFactor = sourceFactor
    source.play()
    let samples = offline.render(.seconds(1)).samples
    // The upward zero crossings of the signal, in fractions of a frame.
    let crossings = samples.indices.dropFirst().compactMap { index -> Double? in
      let (before, after) = (samples[index - 1], samples[index])
      guard before < 0, after >= 0 else { return nil }
      return Double(index) - Double(after / (after - before))
    }
    guard let first = crossings.first, let last = crossings.last, crossings.count > 1 else { return 0 }
    return Double(crossings.count - 1) * 48_000 / (last - first)
  }

  @Test(arguments: [-100, -50, -10, -1, 0, 1, 10, 50, 100] as [Float])
  func `The pitch follows the speed at which the source comes nearer`(speed: Float) throws {
    // The source is in front, and +z points towards the listener.
    let expected = 1_000 * 343.3 / (343.3 - Double(speed))
    #expect(abs(try frequency(source: [0, 0, speed]) / expected - 1) < 0.001)
  }

  @Test(arguments: [-100, -10, 10, 100] as [Float])
  func `The pitch follows the speed at which the listener comes nearer`(speed: Float) throws {
    let expected = 1_000 * (343.3 + Double(speed)) / 343.3
    #expect(abs(try frequency(source: .zero, listener: [0, 0, -speed]) / expected - 1) < 0.001)
  }

  @Test func `Motion across the line of sight and common motion do not change the pitch`() throws {
    #expect(abs(try frequency(source: [80, 0, 0]) / 1_000 - 1) < 0.001)
    #expect(abs(try frequency(source: [0, 60, 0]) / 1_000 - 1) < 0.001)
    #expect(abs(try frequency(source: [0, 0, 50], listener: [0, 0, 50]) / 1_000 - 1) < 0.001)
  }

  @Test(arguments: [0, 0.5, 1, 2] as [Float])
  func `The context's factor scales all velocities`(factor: Float) throws {
    let expected = 1_000 * 343.3 / (343.3 - 30 * Double(factor))
    #expect(abs(try frequency(source: [0, 0, 30]) { $0.dopplerFactor = factor } / expected - 1) < 0.001)
  }

  @Test(arguments: [0, 0.5, 1] as [Float])
  func `A source's factor scales its own`(factor: Float) throws {
    let expected = 1_000 * 343.3 / (343.3 - 30 * Double(factor))
    #expect(abs(try frequency(source: [0, 0, 30], sourceFactor: factor) / expected - 1) < 0.001)
  }

  @Test(arguments: [100, 343.3, 1_500] as [Float])
  func `The Doppler shift depends on the context's speed of sound`(speed: Float) throws {
    let expected = 1_000 * Double(speed) / (Double(speed) - 30)
    #expect(abs(try frequency(source: [0, 0, 30]) { $0.speedOfSound = speed } / expected - 1) < 0.001)
  }

  @Test func `Each unusable Doppler parameter logs one diagnostic`() throws {
    let renderer = try OfflineRenderer(format: Scenes.mono)
    let messages = Mutex<[String]>([])
    renderer.context.onDiagnostic = { diagnostic in messages.withLock { $0.append(diagnostic.message) } }
    for _ in 0..<3 {
      renderer.context.dopplerFactor = .nan
      renderer.context.speedOfSound = .infinity
    }
    #expect(messages.withLock { $0.count } == 2)
    #expect(messages.withLock { $0[0] }.contains("The Doppler factor of a context was set to nan"))
  }

  @Test func `A non-finite Doppler parameter changes nothing, and one out of range is clamped`() throws {
    let renderer = try OfflineRenderer(format: Scenes.mono)
    let context = renderer.context
    context.onDiagnostic = { _ in }
    context.dopplerFactor = 0.5
    context.dopplerFactor = .nan
    #expect(context.dopplerFactor == 0.5)
    context.dopplerFactor = -1
    #expect(context.dopplerFactor == 0)
    context.speedOfSound = 300
    context.speedOfSound = .infinity
    #expect(context.speedOfSound == 300)
    context.speedOfSound = 0
    #expect(context.speedOfSound == 0.001)
  }
}
