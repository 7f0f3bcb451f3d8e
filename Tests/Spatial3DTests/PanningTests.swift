import Spatial3D
import Spatial3DTesting
import Testing

@Suite struct PanningTests {
  /// The level of the right ear above the left, for a source of noise at a position.
  private func balance(_ listener: Listener, source position: SIMD3<Float>) throws -> Decibels {
    let (left, right) = try levels(listener, source: position)
    return right - left
  }

  /// The level of each ear, for a source of noise at a position.
  private func levels(_ listener: Listener, source position: SIMD3<Float>) throws -> (left: Decibels, right: Decibels) {
    var offline = try OfflineRenderer(format: Scenes.stereo)
    offline.context.listener = listener
    let source = try Scenes.noise(in: offline.context, at: position)
    return withExtendedLifetime(source) {
      let mix = offline.render(frameCount: 4_096)
      return (mix.level(ofChannel: 0), mix.level(ofChannel: 1))
    }
  }

  @Test(arguments: Array(stride(from: 3, through: 177, by: 3)))
  func `A source on the right is louder on the right, and its mirror image on the left`(azimuth: Int) throws {
    let right = try balance(Listener(), source: Scenes.position(azimuth: Float(azimuth)))
    let left = try balance(Listener(), source: Scenes.position(azimuth: Float(-azimuth)))
    #expect(right > 0.2)
    #expect(left < -0.2)
    // If one ear is silent, the other ear is silent for the mirror image.
    #expect(right.rawValue.isInfinite ? left.rawValue == -right.rawValue : abs((right + left).rawValue) < 0.1)
  }

  @Test(arguments: [0, 180])
  func `A source ahead or behind is as loud on both sides`(azimuth: Int) throws {
    #expect(abs(try balance(Listener(), source: Scenes.position(azimuth: Float(azimuth))).rawValue) < 0.01)
  }

  @Test(arguments: Array(stride(from: -165, through: 180, by: 15)))
  func `Turning the listener moves the source the other way`(turn: Int) throws {
    // A source ahead of an unrotated listener is to the left of a listener that has turned right.
    let listener = Listener(orientation: Orientation(forward: Scenes.position(azimuth: Float(turn)), up: [0, 1, 0]))
    let turned = try levels(listener, source: [0, 0, -1])
    let moved = try levels(Listener(), source: Scenes.position(azimuth: Float(-turn)))
    #expect(abs(turned.left.factor - moved.left.factor) < 1e-4)
    #expect(abs(turned.right.factor - moved.right.factor) < 1e-4)
  }

  @Test func `An upside-down listener swaps left and right`() throws {
    let upsideDown = Listener(orientation: Orientation(forward: [0, 0, -1], up: [0, -1, 0]))
    #expect(try balance(upsideDown, source: [1, 0, -1]) < -3)
  }

  @Test func `A source relative to the listener stays where it is when the head turns`() throws {
    var offline = try OfflineRenderer(format: Scenes.stereo)
    let source = try Scenes.noise(in: offline.context, at: [1, 0, 0])
    source.isListenerRelative = true
    offline.context.listener = Listener(
      position: [7, 8, 9],
      orientation: Orientation(forward: [1, 0, 0], up: [0, 1, 0])
    )
    let mix = offline.render(frameCount: 4_096)
    #expect(mix.level(ofChannel: 1) - mix.level(ofChannel: 0) > 30)
    #expect(source.state == .playing)
  }

  @Test(arguments: [PCMFormat.mono(sampleRate: 48_000), .stereo(sampleRate: 48_000)])
  func `The position of a source does not pan a stereo sound`(format: PCMFormat) throws {
    var offline = try OfflineRenderer(format: Scenes.stereo)
    let noise = TestSignal.noise(duration: .milliseconds(100), format: format)
    let source = try SoundSource(playing: SoundBuffer(noise, in: offline.context), in: offline.context)
    source.position = [50, 0, 0]
    source.play()
    let mix = offline.render(frameCount: 2_048)
    let balance = mix.level(ofChannel: 1) - mix.level(ofChannel: 0)
    #expect(format.layout == .stereo ? abs(balance.rawValue) < 0.01 : balance > 30)
  }
}
