import Foundation
import Testing

@testable import Spatial3DTesting

@Suite struct ReverberationTests {
  /// An exponential decay without noise, whose level falls by 60 dB in a given time.
  private func decay(_ seconds: Double, from start: Int = 0, frameCount: Int = 48_000) throws -> PCMBuffer<Float> {
    try Signals.mono(
      (0..<frameCount).map { $0 < start ? 0 : Float(0.5 * pow(10, -3 * Double($0 - start) / (48_000 * seconds))) }
    )
  }

  @Test(arguments: [0.05, 0.1, 0.2, 0.5, 0.8, 1.2], DecayRange.allCases)
  func `Every decay range measures the time of an exponential decay`(seconds: Double, range: DecayRange) throws {
    let time = try decay(seconds).reverberationTime(range)
    #expect(abs(time / .seconds(1) / seconds - 1) < 0.03, "\(time)")
  }

  @Test(arguments: [0.05, 0.1, 0.3, 1, 3], Array(1...20 as ClosedRange<UInt64>))
  func `Decaying noise has its time to a few percent`(seconds: Double, seed: UInt64) throws {
    let noise = TestSignal.decayingNoise(
      reverberationTime: .seconds(seconds),
      seed: seed,
      duration: .seconds(seconds),
      format: .mono(sampleRate: 8_000)
    )
    for range in [DecayRange.t20, .t30] {
      let time = try noise.reverberationTime(range)
      // The fewer frames there are, the more their squares vary.
      #expect(abs(time / .seconds(1) / seconds - 1) < (seconds < 0.2 ? 0.15 : 0.06), "\(range): \(time)")
    }
  }

  @Test func `Silence before the sound changes nothing`() throws {
    let early = try decay(0.3).reverberationTime()
    let late = try decay(0.3, from: 20_000).reverberationTime()
    #expect(abs((early - late) / .seconds(1)) < 0.002)
  }

  @Test func `The early and the late decay time of a room of two slopes differ`() throws {
    // A strong short decay over a weak long one.
    let samples = (0..<96_000).map { frame in
      let seconds = Double(frame) / 48_000
      return Float((pow(10, -6 * seconds / 0.2) + 1e-3 * pow(10, -6 * seconds / 1.5)).squareRoot())
    }
    let room = try Signals.mono(samples)
    let early = try room.reverberationTime(.earlyDecay) / .seconds(1)
    let late = try room.reverberationTime(.t30) / .seconds(1)
    #expect(abs(early - 0.2) < 0.03, "\(early)")
    #expect(late > 0.6, "\(late)")
  }

  @Test func `A range has the name of the standard`() {
    #expect(DecayRange.allCases.map(\.description) == ["EDT", "T20", "T30"])
  }

  @Test(arguments: [RoomPreset.smallRoom, .mediumChamber, .largeHall])
  func `A rendered room has the time that it states`(room: RoomPreset) throws {
    var offline = try OfflineRenderer(format: Signals.stereo)
    offline.context.reverb = Reverb(room)
    let impulse = TestSignal.impulse(duration: .milliseconds(10), format: Signals.mono)
    let clap = try SoundSource(playing: SoundBuffer(impulse, in: offline.context), in: offline.context)
    clap.reverbBlend = 1
    clap.play()
    let stated = RoomAcoustics(room).decayTime / .seconds(1)
    let measured = try offline.render(.seconds(1.5 * stated + 0.5)).reverberationTime(.t30, octaveBand: 1_000)
    #expect(abs(measured / .seconds(1) - stated) < 0.15 * stated, "\(measured), not \(stated) s")
    #expect(clap.state == .stopped)
  }

  @Test func `Each octave has its own time, and its channel`() throws {
    let (low, high) = (0.3, 0.9)
    func room(_ frequency: Double, _ seconds: Double) -> [Float] {
      (0..<48_000).map { frame in
        let time = Double(frame) / 48_000
        return Float(0.3 * pow(10, -3 * time / seconds) * sin(2 * .pi * frequency * time))
      }
    }
    let both = zip(room(250, low), room(4_000, high)).map { $0 + $1 }
    let mix = try Signals.stereo([Float](repeating: 0, count: 48_000), both)
    #expect(abs(try mix.reverberationTime(ofChannel: 1, octaveBand: 250) / .seconds(1) - low) < 0.02)
    #expect(abs(try mix.reverberationTime(ofChannel: 1, octaveBand: 4_000) / .seconds(1) - high) < 0.02)
    let error = #expect(throws: MeasurementError.self) { try mix.reverberationTime() }
    #expect(error?.code == .silent)
  }

  @Test(arguments: [30_000, 24_000, 0, -1, .nan, .infinity] as [Double])
  func `The error about an octave above half the rate states the frequency limit`(octave: Double) throws {
    let decay = try decay(0.2)
    let error = #expect(throws: MeasurementError.self) { try decay.reverberationTime(octaveBand: octave) }
    #expect(error?.code == .frequencyOutOfRange)
    #expect("\(error, default: "")".contains("below 24000 Hz"))
    if octave == 30_000 { #expect("\(error, default: "")".contains("octave about 30000 Hz in a mix that is mono")) }
  }

  @Test(arguments: DecayRange.allCases)
  func `The error about a cut decay states its length and the required range`(range: DecayRange) throws {
    // 48,000 frames hold 12 dB of the decay.
    let error = #expect(throws: MeasurementError.self) { try decay(5).reverberationTime(range) }
    #expect(error?.code == .decayTooShort)
    #expect("\(error, default: "")".contains("48000 frames"))
    #expect("\(error, default: "")".contains("\(range) needs \(Int(10 - range.bounds.lower)) dB"))
  }

  @Test func `The reverberation time of a sound without a decay throws an error`() throws {
    let noise = TestSignal.noise(duration: .seconds(1), format: Signals.mono)
    #expect(throws: MeasurementError.self) { try noise.reverberationTime() }
    let tone = TestSignal.sine(frequency: 100, duration: .seconds(1), format: Signals.mono)
    #expect(throws: MeasurementError.self) { try tone.reverberationTime() }
    #expect(throws: MeasurementError.self) { try PCMBuffer<Float>(format: Signals.mono).reverberationTime() }
    #expect(throws: MeasurementError.self) { try Signals.mono([.nan, 1, 0]).reverberationTime() }
    let impulse = TestSignal.impulse(duration: .seconds(1), format: Signals.mono)
    #expect(throws: MeasurementError.self) { try impulse.reverberationTime() }
    let error = #expect(throws: MeasurementError.self) { try noise.reverberationTime(ofChannel: 1) }
    #expect(error?.code == .channels)
    #expect("\(error, default: "")".contains("channel 1"))
  }
}
