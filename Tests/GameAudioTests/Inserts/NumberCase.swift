import PCM
import SignalProcessing
import Spatial3D
import Testing

@testable import GameAudio

/// A number of an insert, and the number of the processor that it sets.
struct NumberCase: Sendable, CustomTestStringConvertible {
  /// The kind and the property, as in a fault.
  let name: String
  /// An insert with a value of the number; the other numbers have their defaults.
  let insert: @Sendable (Double) -> Insert
  /// The number that the processor at 48 kHz uses for a value.
  let used: @Sendable (Double) -> Double
  /// Whether the settings for a value differ from the default settings by the number, and by nothing else.
  let changesItsSettingAlone: @Sendable (Double) -> Bool
  /// Whether the default is the default of the processor, to the precision of `Float`.
  let hasDefaultOfProcessor: Bool
  let canBeNaN: Bool

  var testDescription: String { name }

  static let all = equalizer + compressor + gate + limiter + leveler + distortion + bitCrusher + delay + chorus + width

  private static let equalizer = {
    let kind = KindCase(
      "equalizer.bands[0]",
      Insert.Equalizer.Band(.bell, 1_000),
      { .equalizer(Insert.Equalizer([$0])) },
      { if case .equalizer(let bands) = $0 { bands[0] } else { nil } },
      { FilterCascade([$0], channelCount: 1, sampleRate: 48_000).settings[0] },
      FilterBand(.bell, 1_000)
    )
    return [
      kind.number("frequency", \.frequency, \.frequency), kind.level("level", \.level, \.gain),
      kind.number("q", \.q, \.quality),
    ]
  }()

  private static let compressor = {
    let kind = KindCase(
      "compressor",
      Insert.Compressor(),
      { .compressor($0) },
      { if case .compressor(let settings) = $0 { settings } else { nil } },
      { settings in
        var settings = SignalProcessing.Compressor(settings, channelCount: 1, sampleRate: 48_000).settings
        // The detector limits the frequency again.
        let filter = FilterBand(.highPass, settings.keyHighPass).limited(sampleRate: 48_000)
        if settings.keyHighPass > 0 { settings.keyHighPass = filter.frequency }
        return settings
      },
      Compressor.Settings()
    )
    return [
      kind.level("threshold", \.threshold, \.threshold), kind.number("ratio", \.ratio, \.ratio),
      kind.level("knee", \.knee, \.knee), kind.level("makeup", \.makeup, \.makeup),
      kind.time("attack", \.attack, \.attack), kind.time("release", \.release, \.release),
      kind.number("keyHighPass", \.keyHighPass, \.keyHighPass),
    ]
  }()

  private static let gate = {
    let kind = KindCase(
      "gate",
      Insert.Gate(),
      { .gate($0) },
      { if case .gate(let settings) = $0 { settings } else { nil } },
      { Gate($0, channelCount: 1, sampleRate: 48_000).settings },
      Gate.Settings()
    )
    return [
      kind.level("threshold", \.threshold, \.threshold), kind.level("depth", \.depth, \.depth),
      kind.number("ratio", \.ratio, \.ratio), kind.level("hysteresis", \.hysteresis, \.hysteresis),
      kind.time("attack", \.attack, \.attack), kind.time("hold", \.hold, \.hold),
      kind.time("release", \.release, \.release),
    ]
  }()

  private static let limiter = {
    let kind = KindCase(
      "limiter",
      Insert.Limiter(),
      { .limiter($0) },
      { if case .limiter(let settings) = $0 { settings } else { nil } },
      { LookAheadLimiter($0, channelCount: 1, sampleRate: 48_000).settings },
      LookAheadLimiter.Settings()
    )
    return [
      kind.level("ceiling", \.ceiling, \.ceiling), kind.time("lookAhead", \.lookAhead, \.lookAhead),
      kind.time("release", \.release, \.release),
    ]
  }()

  private static let leveler = {
    let kind = KindCase(
      "leveler",
      Insert.Leveler(),
      { .leveler($0) },
      { if case .leveler(let settings) = $0 { settings } else { nil } },
      { Leveler($0, format: .mono(sampleRate: 48_000)).settings },
      Leveler.Settings()
    )
    return [
      kind.level("target", \.target, \.target), kind.level("range", \.range, \.range),
      kind.level("speed", \.speed, \.speed),
    ]
  }()

  private static let distortion = {
    let kind = KindCase(
      "distortion",
      Insert.Distortion(),
      { .distortion($0) },
      { if case .distortion(let settings) = $0 { settings } else { nil } },
      { Distortion($0, channelCount: 1, sampleRate: 48_000).settings },
      Distortion.Settings()
    )
    return [
      kind.level("drive", \.drive, \.drive), kind.number("tone", \.tone, \.tone), kind.level("level", \.level, \.level),
    ]
  }()

  private static let bitCrusher = {
    let kind = KindCase(
      "bitCrusher",
      Insert.BitCrusher(),
      { .bitCrusher($0) },
      { if case .bitCrusher(let settings) = $0 { settings } else { nil } },
      { BitCrusher($0, channelCount: 1, sampleRate: 48_000).settings },
      BitCrusher.Settings()
    )
    return [kind.number("bits", \.bits, \.bits), kind.number("sampleRate", \.sampleRate, \.sampleRate)]
  }()

  private static let delay = {
    let kind = KindCase(
      "delay",
      Insert.Delay(),
      { .delay($0) },
      { if case .delay(let settings) = $0 { settings } else { nil } },
      { FeedbackDelay($0, longest: 10, channelCount: 1, sampleRate: 48_000).settings },
      FeedbackDelay.Settings()
    )
    return [
      kind.time("time", \.time, \.time), kind.number("feedback", \.feedback, \.feedback),
      kind.number("tone", \.tone, \.tone),
    ]
  }()

  private static let chorus = {
    func kind(_ depth: Duration) -> KindCase<Insert.Chorus, ModulatedDelay.Settings> {
      var (chorus, settings) = (Insert.Chorus(), ModulatedDelay.Settings())
      (chorus.depth, settings.depth) = (depth, depth / .seconds(1))
      return KindCase(
        "chorus",
        chorus,
        { .chorus($0) },
        { if case .modulatedDelay(let settings) = $0 { settings } else { nil } },
        { ModulatedDelay($0, channelCount: 1, sampleRate: 48_000).settings },
        settings
      )
    }
    let (flat, plain) = (kind(.zero), kind(.milliseconds(3)))
    // The depth is at most the delay: the shortest delay has a fault of the depth as well, unless the depth is 0.
    return [
      plain.count("voices", \.voices, \.taps), flat.time("delay", \.delay, \.delay),
      plain.time("depth", \.depth, \.depth), plain.number("rate", \.rate, \.rate),
      plain.number("feedback", \.feedback, \.feedback),
    ]
  }()

  private static let width = {
    let kind = KindCase(
      "width",
      Insert.Width(),
      { .width($0) },
      { if case .stereoWidth(let settings) = $0 { settings } else { nil } },
      { StereoWidth($0, channelCount: 2).settings },
      StereoWidth.Settings()
    )
    return [
      kind.number("width", \.width, \.width), kind.number("balance", \.balance, \.balance),
      kind.level("level", \.level, \.gain),
    ]
  }()
}
