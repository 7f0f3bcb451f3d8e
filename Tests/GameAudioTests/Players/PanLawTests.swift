import Foundation
import Spatial3D
import Testing

@testable import GameAudio

/// The directions and the gains of a pan.
@Suite struct PanLawTests {
  /// The gains of a position between two loudspeakers, as in OpenAL Soft: -1 is the left loudspeaker.
  private static func gains(at angle: Float) -> (left: Float, right: Float) {
    let (sine, cosine) = (sin(angle * .pi / 2), cos(angle * .pi / 2))
    return (0.5 - 0.5 * sine + 0.0958 * cosine, 0.5 + 0.5 * sine + 0.0958 * cosine)
  }

  private static let pans = (-20...20).map { Float($0) / 20 }

  @Test(arguments: pans)
  func `A mono sound has the two gains of constant power on a pair of loudspeakers`(pan: Float) {
    let law = PanLaw(pan: pan, channelCount: 1, onTwoLoudspeakers: true)
    let gains = Self.gains(at: law.azimuth / 60)
    let (left, right) = (gains.left * law.gain, gains.right * law.gain)
    #expect(abs(left - cos((pan + 1) * .pi / 4)) < 1e-4 && abs(right - sin((pan + 1) * .pi / 4)) < 1e-4)
    #expect(law.angles == StereoAngles())
    let direction = law.direction
    #expect(abs(direction.x - sin(law.azimuth * .pi / 180)) < 1e-6 && direction.y == 0)
    #expect(abs(direction.z + cos(law.azimuth * .pi / 180)) < 1e-6)
  }

  @Test(arguments: pans)
  func `A stereo sound has the power of both channels, and the far one goes over`(pan: Float) {
    let law = PanLaw(pan: pan, channelCount: 2, onTwoLoudspeakers: true)
    let (first, second) = (Self.gains(at: law.angles.left / 30), Self.gains(at: law.angles.right / 30))
    let power =
      first.left * first.left + first.right * first.right + second.left * second.left
      + second.right * second.right
    #expect(abs(power * law.gain * law.gain - 2) < 1e-4 && law.azimuth == 0)
    // The channel of the near side stays where it is; the other channel moves with constant power.
    if pan >= 0 { #expect(law.angles.right == 30) } else { #expect(law.angles.left == -30) }
    let (far, way) = pan > 0 ? (first, 2 * pan - 1) : (second, 2 * pan + 1)
    if pan != 0 {
      let ratio = far.right / far.left
      let expected = tan((way + 1) * .pi / 4)
      #expect(abs(ratio - expected) < 1e-3 * max(expected, 1) || abs(way) == 1, "\(ratio), not \(expected)")
    }
    if abs(pan) == 1 { #expect(law.angles.left == 30 * pan && law.angles.right == 30 * pan) }
    if pan == 0 { #expect(law.angles == StereoAngles()) }
  }

  @Test func `On another output the pan is an angle`() {
    for (pan, azimuth, left, right) in [
      (-1, -90, -90, -90), (-0.5, -45, -60, -30), (0, 0, -30, 30), (0.5, 45, 30, 60), (1, 90, 90, 90),
      (-9, -90, -90, -90),
      (9, 90, 90, 90),
    ] as [(Float, Float, Float, Float)] {
      let mono = PanLaw(pan: pan, channelCount: 1, onTwoLoudspeakers: false)
      #expect(mono.azimuth == azimuth && mono.gain == 1 && mono.angles == StereoAngles())
      let stereo = PanLaw(pan: pan, channelCount: 2, onTwoLoudspeakers: false)
      #expect(stereo.angles == StereoAngles(left: left, right: right) && stereo.gain == 1 && stereo.azimuth == 0)
      for isPair in [false, true] {
        let other = PanLaw(pan: pan, channelCount: 6, onTwoLoudspeakers: isPair)
        #expect(other.angles == StereoAngles() && other.gain == 1 && other.azimuth == 0)
      }
    }
  }

  @Test func `The middle has both loudspeakers at -3 dB`() {
    let gains = Self.gains(at: 0)
    #expect(abs(gains.left * PanLaw.middleGain - Float(0.5).squareRoot()) < 1e-4 && gains.left == gains.right)
  }

  @Test func `A pan beyond the sides is that of the side`() {
    for channels in 1...3 {
      for isPair in [true, false] {
        func law(_ pan: Float) -> PanLaw { PanLaw(pan: pan, channelCount: channels, onTwoLoudspeakers: isPair) }
        #expect(law(-1.5) == law(-1) && law(7) == law(1) && (channels > 2) == (law(-1) == law(1)))
        if channels > 2 { #expect(law(0.3).gain == 1 && law(0.3).azimuth == 0 && law(0.3).angles == StereoAngles()) }
      }
    }
  }
}
