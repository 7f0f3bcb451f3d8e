/// The rate of an output, and the HRTF data set for it, where a mix with HRTF has the rate of its data set.
///
/// That is so up to OpenAL Soft 1.20.0, which takes the first data set, whatever rate the output has. It also keeps the
/// rate of the data set after HRTF is off. Pure: no call and no lock.
struct HRTFRate: Hashable, Sendable {
  /// The rate of the output without HRTF, in hertz; `nil` while HRTF is off.
  private(set) var rateWithoutHRTF: Int?

  /// The rate in the name of a data set, such as `default-48000` or `Built-In 48000hz`; `nil` if it names none.
  static func rate(of name: String) -> Int? {
    let rates = name.split { !("0"..."9").contains($0) }.compactMap { Int($0) }
    return rates.last { Ranges.mixRate.contains($0) }
  }

  /// The data set for a rate; `nil` leaves the choice to the library, which takes the first one.
  static func dataSet(for rate: Int, among names: [String]) -> String? {
    guard let first = names.first, let firstRate = Self.rate(of: first), firstRate != rate else { return nil }
    return names.first { Self.rate(of: $0) == rate }
  }

  /// Completes the settings of a restart: a data set of the rate in force, and that rate again when HRTF ends.
  ///
  /// `presentRate` is the rate of the mix before the restart; `names` has the data sets if the settings request HRTF.
  mutating func complete(_ asked: OutputSettings, presentRate: Int, names: [String]) -> OutputSettings {
    var settings = asked
    let rate = asked.sampleRate ?? rateWithoutHRTF ?? presentRate
    guard asked.requestsHRTF else {
      if rateWithoutHRTF != nil { settings.sampleRate = rate }
      rateWithoutHRTF = nil
      return settings
    }
    rateWithoutHRTF = rate
    if asked.hrtf == .on, let name = Self.dataSet(for: rate, among: names) { settings.hrtf = .named(name) }
    let chosen = if case .named(let name) = settings.hrtf { name } else { names.first }
    // The library takes the rate of the data set. A request for another rate would lengthen its mixes.
    if chosen.flatMap(Self.rate) == rate { settings.sampleRate = rate }
    return settings
  }
}

extension OutputSettings {
  /// Whether the settings request HRTF, whatever the device itself would choose.
  var requestsHRTF: Bool { hrtf != .automatic && hrtf != .off }
}
