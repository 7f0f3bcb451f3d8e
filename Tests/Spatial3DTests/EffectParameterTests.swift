import Testing

@testable import Spatial3D

/// The numbers of each effect in the order of OpenAL's tables.
@Suite struct EffectParameterTests {
  @Test func `Each effect has its numbers in order, and choices have OpenAL's`() {
    var modulation = Effect.Modulation.chorus
    (modulation.phase, modulation.rate, modulation.depth) = (45, 2, 0.5)
    (modulation.feedback, modulation.delay, modulation.waveform) = (0.75, .milliseconds(8), .sine)
    var distortion = Effect.Distortion()
    (distortion.edge, distortion.gain) = (0.5, 0.25)
    (distortion.lowPassCutoff, distortion.center, distortion.bandwidth) = (100, 200, 300)
    var echo = Effect.Echo(delay: .milliseconds(50))
    (echo.otherSideDelay, echo.damping, echo.feedback, echo.spread) = (.milliseconds(250), 0.25, 0.75, 1)
    var modulator = Effect.RingModulator(frequency: 100, highPassCutoff: 200)
    modulator.waveform = .square
    let cases: [(Effect, EffectParameters.Kind, [Float])] = [
      (.echo(echo), .echo, [0.05, 0.25, 0.25, 0.75, 1]), (.chorus(modulation), .chorus, [0, 45, 2, 0.5, 0.75, 0.008]),
      (.flanger(.flanger), .flanger, [1, 0, 0.27, 1, -0.5, 0.002]),
      (.distortion(distortion), .distortion, [0.5, 0.25, 100, 200, 300]),
      (.compressor, .compressor, [1]), (.pitchShifter(.init(semitones: 3.25)), .pitchShifter, [3, 25]),
      (.pitchShifter(.init(semitones: -3.5)), .pitchShifter, [-4, 50]),
      (.pitchShifter(.init(semitones: 12.5)), .pitchShifter, [12, 50]),
      (.pitchShifter(.init(semitones: 12)), .pitchShifter, [12, 0]),
      (.pitchShifter(.init(semitones: 11.75)), .pitchShifter, [12, -25]),
      (.pitchShifter(.init(semitones: -12.5)), .pitchShifter, [-12, -50]),
      (.frequencyShifter(.init(frequency: 40, left: .up, right: .off)), .frequencyShifter, [40, 1, 2]),
      (.frequencyShifter(.init(frequency: 0.5, left: .off, right: .down)), .frequencyShifter, [0.5, 2, 0]),
      (.ringModulator(modulator), .ringModulator, [100, 200, 2]),
      (.ringModulator(.init(waveform: .sawtooth)), .ringModulator, [440, 800, 1]),
    ]
    for (effect, kind, values) in cases {
      #expect(EffectParameters(effect)?.kind == kind && EffectParameters(effect)?.values == values, "\(effect)")
    }
    #expect(EffectParameters(.reverb(Reverb(.plate))) == nil)
  }

  @Test func `An equalizer's gains are linear, between the library's rounded bounds`() {
    var equalizer = Effect.Equalizer()
    (equalizer.low, equalizer.high) = (.init(cutoff: 60, level: -18), .init(cutoff: 7_000, level: 18))
    equalizer.band1 = .init(center: 250, width: 0.5, level: 6)
    equalizer.band2 = .init(center: 4_000, width: 0.25, level: -6)
    let expected: [Float] = [0.126, 60, 1.9953, 250, 0.5, 0.5012, 4_000, 0.25, 7.943, 7_000]
    let values = EffectParameters(equalizer).values
    #expect(EffectParameters(equalizer).kind == .equalizer && values.count == 10)
    #expect(zip(values, expected).allSatisfy { abs($0 - $1) < 1e-4 } && values[0] == 0.126 && values[8] == 7.943)
    #expect(EffectParameters(.equalizer(equalizer)) == EffectParameters(equalizer))
  }

  @Test func `A room's row gives the room, and the room its row`() {
    let row: [Float] = [
      0.125, 0.25, 0.375, 0.5, 0.625, 2.5, 0.75, 1.5, 1.25, 0.125, 0.1, 0.2, 0.3, 2.25, 0.0625, 0.4, 0.5, 0.6, 0.225,
      0.875,
      3.5, 0.9375, 0.95, 4_000, 500, 5, 1,
    ]
    let room = RoomAcoustics(efxRow: row)
    #expect(room.parameters == row && EffectParameters(room).values == row && EffectParameters(room).kind == .reverb)
    #expect(
      room.decayTime == .milliseconds(2_500) && room.reflectionsPan == [0.1, 0.2, 0.3]
        && room.latePan == [0.4, 0.5, 0.6]
    )
    #expect(room.limitsHighFrequencyDecay && !RoomAcoustics(efxRow: row.dropLast() + [0]).limitsHighFrequencyDecay)
    #expect(room.clamped == room && room.isFinite)
    for index in row.indices where ![5, 9, 14, 18, 20, 26].contains(index) {
      var other = row
      other[index] = .nan
      #expect(!RoomAcoustics(efxRow: other).isFinite, "\(index)")
    }
  }

  @Test func `A pan is at most 1 long, and keeps its direction`() {
    for (pan, clamped) in [
      ([0, 0, 1], [0, 0, 1]), ([0.6, 0, 0.8], [0.6, 0, 0.8]), ([0, -5, 0], [0, -1, 0]), ([3, 0, -4], [0.6, 0, -0.8]),
      ([0.6, 0.8, 0.6], [0.514_496, 0.685_994, 0.514_496]), ([1e30, 0, 0], [1, 0, 0]), ([0, 0, -1e30], [0, 0, -1]),
      ([0.5, 0.5, 0.5], [0.5, 0.5, 0.5]), ([-1, -1, 0], [-0.707_107, -0.707_107, 0]),
    ] as [(SIMD3<Float>, SIMD3<Float>)] {
      var room = RoomAcoustics()
      (room.reflectionsPan, room.latePan) = (pan, pan)
      let found = room.clamped
      #expect((found.reflectionsPan - clamped).max() < 1e-5 && (found.reflectionsPan - clamped).min() > -1e-5, "\(pan)")
      #expect(found.latePan == found.reflectionsPan && found.clamped == found)
    }
    #expect(RoomAcoustics.largestReflectionsGain == 3.16 && RoomAcoustics.largestLateGain == 10)
  }
}
