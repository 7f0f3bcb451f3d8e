import Foundation
import Spatial3D
import Spatial3DTesting
import Testing

@Suite struct ConeTests {
  /// The level of a source in front, turned by an angle away from the listener.
  private func level(_ cone: Cone, turnedBy degrees: Float, frequency: Double = 250, hasDirection: Bool = true) throws
    -> Decibels
  {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let sine = TestSignal.sine(frequency: frequency, duration: .seconds(1), format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(sine, in: offline.context), in: offline.context)
    source.position = [0, 0, -1]
    let angle = degrees * .pi / 180
    source.direction = hasDirection ? [sin(angle), 0, cos(angle)] : .zero
    source.cone = cone
    source.play()
    _ = offline.render(frameCount: 2_048)
    return offline.render(frameCount: 24_000).level
  }

  @Test(arguments: Array(stride(from: Float(0), through: 180, by: 7.5)))
  func `A source is loud in its inner cone, quiet outside the outer, and evenly between`(angle: Float) throws {
    let cone = Cone(innerAngle: 60, outerAngle: 180, outerGain: 0.1)
    let full = try level(Cone(), turnedBy: 0)
    let expected = angle <= 30 ? 1 : angle >= 90 ? 0.1 : 1 - 0.9 * (angle - 30) / 60
    #expect(abs(cone.gain(at: angle).rawValue - expected) < 1e-6)
    #expect(cone.gain(at: -angle) == cone.gain(at: angle))
    #expect(abs((try level(cone, turnedBy: angle) - full - Decibels(factor: expected)).rawValue) < 0.05)
    #expect(abs((try level(cone, turnedBy: -angle) - full - Decibels(factor: expected)).rawValue) < 0.05)
  }

  @Test func `A cone without arguments is open all around`() {
    let cone = Cone()
    #expect(cone.innerAngle == 360 && cone.outerAngle == 360)
    #expect(cone.outerGain == .silence && cone.outerHighFrequencyGain == .unity)
  }

  @Test func `A source without a direction has no cone`() throws {
    let cone = Cone(innerAngle: 10, outerAngle: 20, outerGain: 0)
    #expect(try level(cone, turnedBy: 0, hasDirection: false) == level(Cone(), turnedBy: 0))
  }

  @Test func `High frequencies fall by their own gain outside the cone`() throws {
    let plain = Cone(innerAngle: 60, outerAngle: 90, outerGain: 0.5)
    var muffled = plain
    muffled.outerHighFrequencyGain = 0.1
    let high = try level(muffled, turnedBy: 180, frequency: 5_000) - level(plain, turnedBy: 180, frequency: 5_000)
    #expect(abs(high.rawValue + 20) < 0.2)
    let low = try level(muffled, turnedBy: 180) - level(plain, turnedBy: 180)
    #expect(abs(low.rawValue) < 0.2)
    #expect(try level(muffled, turnedBy: 0, frequency: 5_000) == level(plain, turnedBy: 0, frequency: 5_000))
  }
}
