import Foundation
import TestSupport
import Testing

@testable import Spatial3DTesting

@Suite struct SpectrumTests {
  @Test(arguments: [2, 4, 8, 64, 256])
  func `The fast transform is the discrete Fourier transform, and its inverse undoes it`(count: Int) {
    var generator = SplitMix64(seed: UInt64(count))
    let real = (0..<count).map { _ in Double.random(in: -1...1, using: &generator) }
    let imaginary = (0..<count).map { _ in Double.random(in: -1...1, using: &generator) }
    let transform = FourierTransform(ofAtLeast: count)
    #expect(transform.count == count)
    var (re, im) = (real, imaginary)
    transform.forward(&re, &im)
    for bin in 0..<count {
      var (a, b) = (0.0, 0.0)
      for index in 0..<count {
        let angle = -2 * Double.pi * Double(bin * index % count) / Double(count)
        a += real[index] * cos(angle) - imaginary[index] * sin(angle)
        b += real[index] * sin(angle) + imaginary[index] * cos(angle)
      }
      #expect(abs(re[bin] - a) < 1e-11 && abs(im[bin] - b) < 1e-11)
    }
    transform.inverse(&re, &im)
    let back = (0..<count).map { abs(re[$0] / Double(count) - real[$0]) + abs(im[$0] / Double(count) - imaginary[$0]) }
    #expect(back.allSatisfy { $0 < 1e-13 })
  }

  @Test(arguments: [16, 64, 1_024, 4_096])
  func `The sum of all bins has the level of steady noise`(windowFrames: Int) throws {
    let noise = TestSignal.noise(duration: .seconds(2), format: Signals.stereo)
    let spectrum = noise.spectrum(ofChannel: 1, windowFrames: windowFrames)
    #expect(spectrum.binWidth == 48_000 / Double(windowFrames))
    #expect(spectrum.levels.count == windowFrames / 2 + 1)
    #expect(abs((spectrum.level(in: 0...24_000) - noise.level).rawValue) < 0.05)
  }

  @Test(
    arguments: [(0.0...6_000, -6.02), (6_000...12_000, -6.02), (1_000...1_240, -20), (0...24_000, 0)]
      as [(ClosedRange<Double>, Float)]
  )
  func `A part of the band has that part of the power of noise`(band: ClosedRange<Double>, level: Float) {
    let noise = TestSignal.noise(duration: .seconds(5), format: Signals.mono)
    let measured = noise.spectrum(ofChannel: 0).level(in: band) - noise.level
    #expect(abs(measured.rawValue - level) < 0.3, "\(measured)")
  }

  @Test func `A tone has its level and its frequency, wherever it lies between the bins`() throws {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<200 {
      let frequency = Double.random(in: 100...23_000, using: &generator)
      let tone = Signals.Tone(frequency: frequency, amplitude: 0.25, phase: .random(in: 0...6.283, using: &generator))
      let spectrum = try Signals.mono(Signals.tones([tone], frameCount: 8_192)).spectrum(ofChannel: 0)
      let found = try #require(spectrum.strongestFrequency)
      #expect(abs(found - frequency) < spectrum.binWidth / 50, "\(found) for \(frequency)")
      let level = spectrum.level(in: (frequency - 40)...(frequency + 40))
      #expect(abs(level.rawValue - Decibels(factor: 0.25).rawValue + 3.010_3) < 0.05, "\(level) at \(frequency)")
    }
  }

  @Test func `Constant samples have their power at 0 Hz`() throws {
    let constant = try Signals.mono([Float](repeating: 0.5, count: 8_192))
    let spectrum = constant.spectrum(ofChannel: 0)
    #expect(spectrum.strongestFrequency == 0)
    #expect(abs(spectrum.level(in: 0...24_000).rawValue + 6.02) < 0.01)
    #expect(spectrum.level(in: 100...24_000) < -100)
  }

  @Test func `A sound that is shorter than a window is measured whole`() throws {
    // The spectrum of so short a sound has no sliding window, but its own weighting. The level of a steady tone is
    // exact.
    let tone = TestSignal.sine(frequency: 3_000, duration: .milliseconds(20), format: Signals.mono, amplitude: 1)
    let spectrum = tone.spectrum(ofChannel: 0)
    #expect(abs(spectrum.level(in: 0...24_000).rawValue + 3.01) < 0.05)
    #expect(abs(try #require(spectrum.strongestFrequency) - 3_000) < 1)
  }

  @Test func `Silence and channels that are not there have an empty spectrum`() throws {
    for spectrum in [
      PCMBuffer<Float>(format: Signals.mono).spectrum(ofChannel: 0),
      try Signals.mono([Float](repeating: 0, count: 10_000)).spectrum(ofChannel: 0),
      TestSignal.noise(duration: .seconds(1), format: Signals.mono).spectrum(ofChannel: 1),
    ] {
      #expect(spectrum.strongestFrequency == nil)
      #expect(spectrum.level(in: 0...24_000) == .silence)
      #expect(spectrum.levels.count == 2_049)
    }
  }

  @Test func `An invalid window length is rounded to a valid one`() throws {
    let noise = TestSignal.noise(duration: .milliseconds(10), format: Signals.mono)
    #expect(noise.spectrum(ofChannel: 0, windowFrames: -3).levels.count == 9)
    #expect(noise.spectrum(ofChannel: 0, windowFrames: 17).levels.count == 17)
    #expect(noise.spectrum(ofChannel: 0, windowFrames: 1_000).levels.count == 513)
    #expect(noise.frames(0..<1).spectrum(ofChannel: 0).level(in: 0...24_000) > -100)
  }
}
