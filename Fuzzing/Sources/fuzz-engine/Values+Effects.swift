import FuzzSupport
import Spatial3D

/// The kinds of effects that a unit may have.
enum EffectKind: String, CaseIterable, Sendable {
  case reverb, echo, chorus, flanger, distortion, compressor, equalizer, pitchShifter, frequencyShifter, ringModulator
}

extension Values {
  /// An effect of a kind with all its parameters at random, their bounds included.
  mutating func effect(_ kind: EffectKind) -> Effect {
    switch kind {
    case .reverb: return .reverb(reverb())
    case .echo:
      return .echo(
        Effect.Echo(
          delay: duration(upTo: 220),
          otherSideDelay: duration(upTo: 420),
          damping: number(0...0.99),
          feedback: number(0...1),
          spread: number(-1...1)
        )
      )
    case .chorus: return .chorus(modulation(.chorus, delay: 18))
    case .flanger: return .flanger(modulation(.flanger, delay: 5))
    case .distortion:
      return .distortion(
        Effect.Distortion(
          edge: number(0...1),
          gain: gain(0.01...1),
          lowPassCutoff: number(80...24_000),
          center: number(80...24_000),
          bandwidth: number(80...24_000)
        )
      )
    case .compressor: return .compressor
    case .equalizer:
      return .equalizer(
        Effect.Equalizer(
          low: .init(cutoff: number(50...800), level: Decibels(number(-18...18))),
          band1: .init(center: number(200...3_000), width: number(0.01...1), level: Decibels(number(-18...18))),
          band2: .init(center: number(1_000...8_000), width: number(0.01...1), level: Decibels(number(-18...18))),
          high: .init(cutoff: number(4_000...16_000), level: Decibels(number(-18...18)))
        )
      )
    case .pitchShifter: return .pitchShifter(Effect.PitchShifter(semitones: number(-12.5...12.5)))
    case .frequencyShifter:
      let directions = Effect.FrequencyShifter.Direction.allCases
      return .frequencyShifter(
        Effect.FrequencyShifter(
          frequency: number(0...24_000),
          left: element(of: directions),
          right: element(of: directions)
        )
      )
    case .ringModulator:
      return .ringModulator(
        Effect.RingModulator(
          frequency: number(0...8_000),
          highPassCutoff: number(0...24_000),
          waveform: element(of: Effect.RingModulator.Waveform.allCases)
        )
      )
    }
  }

  private mutating func modulation(_ base: Effect.Modulation, delay milliseconds: Int) -> Effect.Modulation {
    var modulation = base
    modulation.waveform = element(of: Effect.Modulation.Waveform.allCases)
    modulation.phase = number(-180...180)
    modulation.rate = number(0...10)
    modulation.depth = number(0...1)
    modulation.feedback = number(-1...1)
    modulation.delay = duration(upTo: milliseconds)
    return modulation
  }
}
