import Spatial3D
import Spatial3DTesting
import Testing

@Suite struct DistanceTests {
  /// The level of a looping sine at full scale, at a position.
  private func level(at position: SIMD3<Float>, listener: Listener = Listener(), gain: Float = 1) throws -> Decibels {
    var offline = try OfflineRenderer(format: Scenes.mono)
    offline.context.listener = listener
    let sine = TestSignal.sine(frequency: 1_000, duration: .milliseconds(100), format: Scenes.mono, amplitude: 1)
    let source = try SoundSource(playing: SoundBuffer(sine, in: offline.context), in: offline.context)
    source.isLooping = true
    source.position = position
    source.gain = Gain(gain)
    source.play()
    return offline.render(frameCount: 4_800).level
  }

  @Test(arguments: [1, 1.5, 2, 3, 4, 7, 8, 16, 32, 50, 64, 100, 128, 256, 500, 1_000] as [Float])
  func `The level falls with the distance by the inverse law`(distance: Float) throws {
    let here = try level(at: [0, 0, -1])
    let there = try level(at: [0, 0, -distance])
    #expect(abs((there - here - Decibels(factor: 1 / distance)).rawValue) < 0.1)
  }

  @Test(arguments: [0.01, 0.1, 0.5, 0.99] as [Float])
  func `The level is constant within the reference distance of one metre`(distance: Float) throws {
    #expect(abs((try level(at: [0, 0, -distance]) - level(at: [0, 0, -1])).rawValue) < 0.01)
  }

  @Test func `The level depends only on the distance between source and listener`() throws {
    let apart = try level(at: [103, 204, 300], listener: Listener(position: [100, 200, 300]))
    let near = try level(at: [3, 4, 0])
    #expect(abs((apart - near).rawValue) < 0.01)
  }

  @Test(arguments: [0.1, 0.25, 0.5] as [Float])
  func `The gains of the source and of the listener multiply`(gain: Float) throws {
    let full = try level(at: [0, 0, -4])
    #expect(abs((try level(at: [0, 0, -4], gain: gain) - full - Decibels(factor: gain)).rawValue) < 0.02)
    let quiet = try level(at: [0, 0, -4], listener: Listener(gain: Gain(gain)), gain: gain)
    #expect(abs((quiet - full - Decibels(factor: gain * gain)).rawValue) < 0.02)
  }

  @Test func `A gain above 1 compensates for distance and never amplifies`() throws {
    let near = try level(at: [0, 0, -1])
    #expect(abs((try level(at: [0, 0, -8], gain: 8) - near).rawValue) < 0.01)
    #expect(abs((try level(at: [0, 0, -1], gain: 8) - near).rawValue) < 0.01)
  }
}
