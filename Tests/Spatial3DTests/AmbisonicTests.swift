import Foundation
import Spatial3DTesting
import Testing

@testable import Spatial3D

/// Ambisonic mixes, in ACN order with SN3D weights.
@Suite struct AmbisonicTests {
  /// The real spherical harmonics up to the third order for a direction, with x ahead, y to the left and z up.
  private func harmonics(_ x: Double, _ y: Double, _ z: Double) -> [Double] {
    [
      1,
      y, z, x,
      sqrt(3) * x * y, sqrt(3) * y * z, (3 * z * z - 1) / 2, sqrt(3) * x * z, sqrt(3) / 2 * (x * x - y * y),
      sqrt(5 / 8) * y * (3 * x * x - y * y), sqrt(15) * x * y * z, sqrt(3 / 8) * y * (5 * z * z - 1),
      z * (5 * z * z - 3) / 2, sqrt(3 / 8) * x * (5 * z * z - 1), sqrt(15) / 2 * z * (x * x - y * y),
      sqrt(5 / 8) * x * (x * x - 3 * y * y),
    ]
  }

  /// The gain from a source of noise in a direction to each channel.
  private func gains(order: Int, at position: SIMD3<Float>) throws -> [Double] {
    var offline = try OfflineRenderer(format: PCMFormat(sampleRate: 48_000, layout: .ambisonic(order: order)))
    let noise = TestSignal.noise(duration: .milliseconds(50), format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(noise, in: offline.context), in: offline.context)
    source.position = position
    source.play()
    let mix = offline.render(frameCount: noise.frameCount)
    let energy = noise.samples.reduce(0.0) { $0 + Double($1) * Double($1) }
    return (0..<mix.format.channelCount).map { channel in
      zip(mix.channel(channel), noise.samples).reduce(0.0) { $0 + Double($1.0) * Double($1.1) } / energy
    }
  }

  static let directions: [(azimuth: Double, elevation: Double)] =
    stride(from: -180.0, to: 180, by: 45).flatMap { azimuth in
      [-60.0, 0, 35].map { (azimuth + 7, $0) }
    } + [(0, 0), (90, 0), (-90, 0), (180, 0), (0, 90), (0, -90)]

  @Test(arguments: 1...3, Self.directions)
  func `The gain of a source in each channel is its spherical harmonic`(
    order: Int,
    direction: (azimuth: Double, elevation: Double)
  ) throws {
    let (azimuth, elevation) = (direction.azimuth * .pi / 180, direction.elevation * .pi / 180)
    let right = sin(azimuth) * cos(elevation)
    let ahead = cos(azimuth) * cos(elevation)
    let up = sin(elevation)
    let measured = try gains(order: order, at: SIMD3(Float(right), Float(up), Float(-ahead)))
    let expected = harmonics(ahead, -right, up).prefix((order + 1) * (order + 1))
    #expect(measured.count == expected.count)
    for (channel, (got, wanted)) in zip(measured, expected).enumerated() where abs(got - wanted) > 0.002 {
      Issue.record("channel \(channel) has \(got) and should have \(wanted)")
    }
  }

  @Test(arguments: 1...3)
  func `The output reports an Ambisonic layout with the channels of its order`(order: Int) throws {
    let layout = ChannelLayout.ambisonic(order: order)
    #expect(layout.channelCount == (order + 1) * (order + 1))
    let offline = try OfflineRenderer(format: PCMFormat(sampleRate: 48_000, layout: layout))
    #expect(offline.context.output.layout == layout)
    #expect(offline.context.output.hrtf == .off)
  }

  @Test func `An Ambisonic order out of range is clamped`() {
    for order in [Int.min, -1, 0] { #expect(ChannelLayout.ambisonic(order: order) == .ambisonic(order: 1)) }
    for order in [4, 5, Int.max] { #expect(ChannelLayout.ambisonic(order: order) == .ambisonic(order: 3)) }
    #expect(ChannelLayout.ambisonic(order: 1) != .quad)
    #expect(ChannelLayout.ambisonic(order: 3) != .discrete(16))
  }

  @Test func `A library without Ambisonic rendering throws an error that names the format`() {
    let format = PCMFormat(sampleRate: 48_000, layout: .ambisonic(order: 1))
    do throws(AudioError) {
      _ = try OfflineRenderer(format: format, disabling: [.ambisonicRendering])
      Issue.record("it was rendered")
    } catch {
      #expect(error.code == .formatUnsupported)
      #expect("\(error)".contains("first-order Ambisonics at 48000 Hz"))
    }
  }

  @Test func `A context on a device rejects an Ambisonic layout`() throws {
    let device = try? AudioDevice()
    do throws(AudioError) {
      _ = try AudioContext(device: device, settings: OutputSettings(layout: .ambisonic(order: 2)))
      Issue.record("it was accepted")
    } catch {
      #expect(error.code == (device == nil ? .deviceUnavailable : .formatUnsupported))
    }
  }
}
