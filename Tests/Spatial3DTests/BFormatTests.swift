import Foundation
import Spatial3D
import Spatial3DTesting
import Testing

@Suite struct BFormatTests {
  private static let layouts: [ChannelLayout] = [.bFormat2D, .bFormat3D]

  private static let noise = TestSignal.noise(duration: .milliseconds(100), format: Scenes.mono, amplitude: 0.3)

  /// A plane wave of noise from a direction, as a sound field.
  private static func wave<Sample: PCMSample>(
    from direction: PolarPosition,
    layout: ChannelLayout,
    as type: Sample.Type = Float.self
  ) throws -> PCMBuffer<Sample> {
    let position = SIMD3(direction)
    return try field([Float(0.5).squareRoot(), -position.z, -position.x, position.y], layout: layout, as: type)
  }

  /// Noise on the channels W, X, Y and, if the layout has it, Z.
  private static func field<Sample: PCMSample>(
    _ weights: [Float],
    layout: ChannelLayout,
    as type: Sample.Type = Float.self
  ) throws -> PCMBuffer<Sample> {
    try PCMBuffer(
      samples: noise.samples.flatMap { sample in
        weights.prefix(layout.channelCount).map { Sample(signal: sample * $0) }
      },
      format: PCMFormat(sampleRate: Scenes.rate, layout: layout)
    )
  }

  /// The gain from the noise to each ear.
  private func gains<Sample>(
    _ field: PCMBuffer<Sample>,
    head: Listener = Listener(),
    source position: SIMD3<Float> = .zero,
    isListenerRelative: Bool = false
  ) throws -> (left: Float, right: Float) {
    var offline = try OfflineRenderer(format: Scenes.stereo)
    offline.context.listener = head
    let source = try SoundSource(playing: SoundBuffer(field, in: offline.context), in: offline.context)
    source.position = position
    source.isListenerRelative = isListenerRelative
    source.isLooping = true
    source.play()
    return withExtendedLifetime(source) {
      let mix = offline.render(frameCount: Self.noise.frameCount)
      let played = Self.noise.level
      return ((mix.level(ofChannel: 0) - played).factor, (mix.level(ofChannel: 1) - played).factor)
    }
  }

  private static func turned(_ azimuth: Int) -> Listener {
    Listener(orientation: Orientation(forward: Scenes.position(azimuth: Float(azimuth)), up: [0, 1, 0]))
  }

  /// Whether the library keeps negative gains from a channel to a speaker.
  ///
  /// OpenAL Soft 1.19 drops them: a sound field of Y alone is silent on the right.
  private func keepsNegativeGains() throws -> Bool {
    try gains(Self.field([0, 0, 1, 0], layout: .bFormat3D)).right > 0.1
  }

  @Test(arguments: layouts, Array(stride(from: -165, through: 165, by: 15)))
  func `A wave is louder on the side that it comes from`(layout: ChannelLayout, azimuth: Int) throws {
    let wave = try Self.wave(from: PolarPosition(azimuth: Float(azimuth)), layout: layout)
    let (left, right) = try gains(wave)
    #expect(azimuth == 0 ? abs(left - right) < 1e-3 : (right > left * 1.05) == (azimuth > 0))
    guard try keepsNegativeGains() else { return }
    // Left and right are two cardioids that point to the sides, plus the small part of the front in a stereo mix.
    let side = sin(Float(azimuth) * .pi / 180)
    #expect(abs((right - left) - side) < 0.02)
  }

  @Test(arguments: layouts, [-150, -90, -30, 30, 90, 150])
  func `Turning the head turns the field the other way`(layout: ChannelLayout, turn: Int) throws {
    for azimuth in stride(from: -180, to: 180, by: 30) where (azimuth - turn) % 180 != 0 {
      let wave = try Self.wave(from: PolarPosition(azimuth: Float(azimuth)), layout: layout)
      let turned = try gains(wave, head: Self.turned(turn))
      let side = sin(Float(azimuth - turn) * .pi / 180)
      #expect((turned.right > turned.left) == (side > 0), "wave from \(azimuth)")
      guard try keepsNegativeGains() else { continue }
      let moved = try gains(Self.wave(from: PolarPosition(azimuth: Float(azimuth - turn)), layout: layout))
      #expect(abs(turned.left - moved.left) < 1e-3 && abs(turned.right - moved.right) < 1e-3, "wave from \(azimuth)")
    }
  }

  @Test(arguments: layouts)
  func `A field that is relative to the listener turns with the head`(layout: ChannelLayout) throws {
    let wave = try Self.wave(from: PolarPosition(azimuth: 90), layout: layout)
    let straight = try gains(wave)
    for turn in stride(from: -180, to: 180, by: 45) {
      #expect(try gains(wave, head: Self.turned(turn), isListenerRelative: true) == straight)
    }
  }

  @Test(arguments: layouts)
  func `A field is around the listener wherever its source and the listener are`(layout: ChannelLayout) throws {
    let wave = try Self.wave(from: PolarPosition(azimuth: 60), layout: layout)
    let here = try gains(wave)
    for position in [SIMD3<Float>(5, 0, 0), [-50, 3, 0], [0, 0.01, 0]] {
      #expect(try gains(wave, source: position) == here)
      #expect(try gains(wave, head: Listener(position: position)) == here)
    }
  }

  @Test func `A wave from above has no side until the head lies on one`() throws {
    let wave = try Self.wave(from: PolarPosition(elevation: 90), layout: .bFormat3D)
    let upright = try gains(wave)
    #expect(abs(upright.left - upright.right) < 1e-3 && upright.left > 0.3)
    // The right ear is up.
    let lying = Listener(orientation: Orientation(forward: [0, 0, -1], up: [-1, 0, 0]))
    let (left, right) = try gains(wave, head: lying)
    #expect(right > left * 1.5)
  }

  @Test(arguments: layouts)
  func `A field of 16-bit samples sounds like one of floats`(layout: ChannelLayout) throws {
    let direction = PolarPosition(azimuth: -40)
    let float = try gains(Self.wave(from: direction, layout: layout))
    let int16 = try gains(Self.wave(from: direction, layout: layout, as: Int16.self))
    #expect(abs(float.left - int16.left) < 1e-3 && abs(float.right - int16.right) < 1e-3)
  }

  @Test func `A wave from the right is as loud there as a source on the right`() throws {
    guard try keepsNegativeGains() else { return }
    let wave = try gains(Self.wave(from: PolarPosition(azimuth: 90), layout: .bFormat3D))
    let source = try gains(Self.noise, source: [1, 0, 0])
    #expect(abs(wave.right - source.right) < 0.01 && abs(wave.left - source.left) < 0.01)
  }

  @Test(arguments: layouts)
  func `A field is no output format`(layout: ChannelLayout) {
    let format = PCMFormat(sampleRate: Scenes.rate, layout: layout)
    let error = #expect(throws: AudioError.self) { _ = try OfflineRenderer(format: format) }
    #expect(error?.code == .formatUnsupported)
  }
}
