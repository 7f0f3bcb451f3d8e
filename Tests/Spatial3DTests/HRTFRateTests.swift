import TestSupport
import Testing

@testable import Spatial3D

/// The choice of an HRTF data set by the rate of the output.
@Suite struct HRTFRateTests {
  private static let names = ["default-44100", "default-48000", "Built-In 44100hz", "Built-In 48000hz"]

  @Test(
    arguments: [
      ("default-48000", 48_000), ("Built-In 44100hz", 44_100), ("head 2 of 96000 Hz", 96_000), ("default", nil),
      ("Built-In HRTF", nil), ("", nil), ("IRC_1005", nil), ("99999999999999999999", nil),
    ] as [(String, Int?)]
  )
  func `The name of a data set states its rate or none`(name: String, rate: Int?) {
    #expect(HRTFRate.rate(of: name) == rate)
  }

  @Test(arguments: 1...500)
  func `The data set has the rate of the output where one has, and the rate returns when HRTF ends`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var state = HRTFRate()
    let names = Self.names.shuffled(using: &random)
    let rates = [44_100, 48_000, 96_000]
    // A library that takes the rate of the data set, and keeps it.
    var present = rates.randomElement(using: &random) ?? 0
    var wanted = present
    for _ in 0..<50 {
      let asked = OutputSettings(
        sampleRate: Bool.random(using: &random) ? nil : rates.randomElement(using: &random),
        hrtf: [.on, .off, .automatic, .named(names[0])].randomElement(using: &random) ?? .on
      )
      let settings = state.complete(asked, presentRate: present, names: asked.requestsHRTF ? names : [])
      wanted = asked.sampleRate ?? wanted
      switch settings.hrtf {
      case .on: present = HRTFRate.rate(of: names[0]) ?? 0
      case .named(let name): present = HRTFRate.rate(of: name) ?? 0
      case .off, .automatic: present = settings.sampleRate ?? present
      }
      switch asked.hrtf {
      case .named: #expect(settings.hrtf == asked.hrtf)
      case .on where wanted == 96_000: #expect(settings == asked)
      case .on, .off, .automatic: #expect(present == wanted)
      }
    }
  }

  @Test func `A data set without a rate in its name is left to the library`() {
    #expect(HRTFRate.dataSet(for: 48_000, among: ["my head", "default-48000"]) == nil)
    #expect(HRTFRate.dataSet(for: 48_000, among: []) == nil)
    #expect(HRTFRate.dataSet(for: 96_000, among: Self.names) == nil)
  }

  @Test(arguments: [44_100, 48_000])
  func `An offline mix keeps its rate with HRTF`(rate: Int) throws {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: rate), settings: OutputSettings(hrtf: .on))
    #expect(offline.context.sampleRate == rate && offline.context.output.hrtf.isOn)
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"), arguments: [44_100, 48_000])
  func `An output keeps its rate when HRTF begins and has it when HRTF ends`(rate: Int) throws {
    let context = try AudioContext(settings: OutputSettings(sampleRate: rate))
    // OpenAL Soft 1.19 keeps the rate that was asked for.
    try context.device.reset(OutputSettings())
    let rate = context.sampleRate
    for hrtf in [OutputSettings.HRTF.on, .off, .on, .automatic, .on, .off] {
      try context.device.reset(OutputSettings(hrtf: hrtf))
      #expect(context.sampleRate == rate && context.sampleRate == context.output.sampleRate)
      #expect(context.output.hrtf.isOn == (hrtf == .on))
    }
    let other = try AudioContext(device: context.device, settings: OutputSettings(hrtf: .on))
    #expect(other.sampleRate == rate && other.output.hrtf.isOn)
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"))
  func `An output returns to its rate after a data set of another rate`() throws {
    let context = try AudioContext(settings: OutputSettings(sampleRate: 48_000))
    let name = try #require(context.device.hrtfNames.first)
    try context.device.reset(OutputSettings(hrtf: .named(name)))
    #expect(context.output.hrtf.isOn)
    try context.device.reset(OutputSettings(hrtf: .off))
    #expect(context.sampleRate == 48_000)
  }
}
