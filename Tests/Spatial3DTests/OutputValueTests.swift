import Spatial3DTesting
import Testing

@testable import Spatial3D

/// The values behind the watch over outputs, at their limits.
@Suite struct OutputValueTests {
  /// The rates that a watch reports, and the steps at which it does, for a clock that runs at a rate for each quarter
  /// second.
  private func reports(_ rates: [Double], from begin: Int64 = 0) -> [(step: Int, rate: Double)] {
    var (watch, clock, now) = (ClockRate(), begin, Int64(7))
    var found: [(step: Int, rate: Double)] = []
    _ = watch.step(at: clock, now: now)
    for (index, rate) in rates.enumerated() {
      now += 250_000_000
      clock += Int64(rate * 250_000_000)
      if let rate = watch.step(at: clock, now: now) { found.append((index + 1, rate)) }
    }
    return found
  }

  @Test func `A rate is wrong by more than a twenty-fifth in four windows of three seconds that agree`() {
    #expect(ClockRate.window == 3_000_000_000 && ClockRate.windowCount == 4)
    #expect(ClockRate.spread == 0.015 && ClockRate.tolerance == 0.04)
    func rates(_ rate: Double, _ windows: Int) -> [Double] { [Double](repeating: rate, count: 12 * windows) }
    for rate in [1.041, 0.959, 2, 0.5, 1.088] {
      let found = reports(rates(rate, 9), from: 5_000_000)
      // It is reported once.
      #expect(found.map(\.step) == [48] && abs(found[0].rate - rate) < 1e-6)
    }
    for rate in [1, 1.039, 0.961] { #expect(reports(rates(rate, 9)).isEmpty) }
    #expect(reports(rates(1.05, 3) + [1.05]).isEmpty)
    // Two rates agree within 0.015, and the middle between them counts.
    #expect(reports(rates(1.05, 2) + rates(1.064, 2)).map { ($0.rate * 1_000).rounded() } == [1_057])
    #expect(reports(rates(1.05, 2) + rates(1.066, 2)).isEmpty)
    #expect(reports(rates(1, 1) + rates(1.1, 3)).isEmpty && reports(rates(1, 1) + rates(1.1, 4)).map(\.step) == [60])
    // It is reported again after it was right.
    #expect(reports(rates(1.1, 5) + rates(1, 6) + rates(1.1, 6)).map(\.step) == [48, 180])
    // A window in which the clock stands still has no rate, and those before it do not count.
    #expect(reports(rates(1.1, 3) + rates(0, 1) + rates(1.1, 3)).isEmpty)
    #expect(reports(rates(1.1, 3) + rates(0, 1) + rates(1.1, 4)).map(\.step) == [96])
  }

  @Test func `A clock without a reading, one that goes back, or one that was not looked at counts anew`() {
    for (gap, isAnew) in [(Int64(500_000_000), false), (500_000_001, true), (3_000_000_000, true)] {
      var (watch, time) = (ClockRate(), Int64(0))
      var steps = 0
      for index in 0... {
        let found = watch.step(at: time * 11 / 10, now: time)
        if found != nil { break }
        steps = index
        time += index == 20 ? gap : 250_000_000
        if index > 200 { break }
      }
      #expect(steps == (isAnew ? 20 + 48 : 46), "\(gap): \(steps)")
    }
    for reading in [nil, 0] as [Int64?] {
      var (watch, time) = (ClockRate(), Int64(0))
      var steps: [Int] = []
      for index in 0..<100 {
        let clock = index == 20 ? reading : 1_000_000_000 + time * 11 / 10
        if watch.step(at: clock, now: time) != nil { steps.append(index) }
        time += 250_000_000
      }
      // Without a reading the next one begins; a clock that went back begins itself, and jumps in its first window.
      #expect(steps == (reading == nil ? [69] : [80]), "\(steps)")
    }
    // A skip is a look without a reading.
    var watch = ClockRate()
    _ = watch.step(at: 0, now: 0)
    watch.skip(to: 2_800_000_000)
    _ = watch.step(at: 3_300_000_000, now: 3_000_000_000)
    for index in 1...3 {
      let time = Int64(index) * 3_000_000_000 + 3_000_000_000
      watch.skip(to: time - 500_000_000)
      check(watch.step(at: time * 11 / 10, now: time) != nil, index == 3)
    }
  }

  @Test func `Events are no help where there are none, and later ones are trusted again`() {
    var trust = EventReliability()
    #expect(trust.eventSource == .unsupported)
    trust.adoptEvent(at: 1)
    #expect(trust.eventSource == .unsupported)
    trust.begin()
    trust.doubt(at: 10)
    trust.adoptEvent(at: 10 + 5_000_000_000)
    #expect(trust.eventSource == .stale)
    trust.adoptEvent(at: 10 + 5_000_000_001)
    #expect(trust.eventSource == .live)
  }

  @Test func `A poll opens no output that a system may not open twice`() {
    let sources: [OutputEventSource] = [.live, .unsupported, .stale]
    #expect(sources.map { OutputProbe($0).hasEvents } == [true, false, false])
    for (name, isOpened) in [
      ("Speakers", true), ("No Output", false), ("JACK Default", false), ("Card (CARD=0)", false),
    ] {
      #expect(OutputProbe.mayBeOpened(name) == isOpened)
      #expect(sources.map { OutputProbe.canBePolled(name, as: $0) } == [true, isOpened, isOpened])
      #expect(sources.map { OutputProbe($0).isAsked(of: name) } == [false, isOpened, isOpened])
    }
    #expect(!OutputProbe(.stale).hasFailed)
  }

  @Test(.enabled(if: AudioDevice.outputNames == ["No Output"], "this machine has outputs"))
  func `A poll finds the default, and whether an output is there`() {
    func finding(_ source: OutputEventSource, _ policy: DevicePolicy, on current: String) -> OutputSelection.Finding {
      var choice = OutputSelection(name: nil, on: current)
      choice.adopt(policy)
      var probe = OutputProbe(source)
      let found = probe.finding(for: choice)
      #expect(!probe.hasFailed)
      // The second time it asks nothing.
      check(probe.finding(for: choice), found)
      return found
    }
    let name = DeviceHandle.defaultOutputName
    #expect(name == "No Output" && DeviceHandle.openedName(of: nil) == name)
    for policy in DevicePolicy.allCases {
      #expect(finding(.live, policy, on: "No Output") == .init(defaultName: name, isListed: true, isThere: true))
      #expect(finding(.live, policy, on: "Speakers") == .init(defaultName: name, isListed: true, isThere: false))
      for source in [OutputEventSource.unsupported, .stale] {
        let expected = OutputSelection.Finding(
          defaultName: policy == .stay ? nil : name,
          isListed: false,
          isThere: false
        )
        #expect(finding(source, policy, on: "Speakers") == expected)
        #expect(finding(source, policy, on: "No Output") == .init())
      }
    }
    #expect([OutputEventSource.live, .unsupported, .stale].allSatisfy { OutputProbe($0).opensDefault() })
  }

  @Test func `A position after a time ends with the sound, repeats, or stays at its limit`() {
    let extent = PlaybackPosition.Extent(frameCount: 100)
    #expect(
      extent.frame(49, after: 50) == 99 && extent.frame(50, after: 50) == nil && extent.frame(-5, after: 50) == 50
    )
    let loop = PlaybackPosition.Extent(frameCount: 100, loopRange: 20..<60)
    #expect([9, 10, 49, 50, 51, 130].map { loop.frame($0, after: 10) } == [19, 20, 59, 20, 21, 20])
    #expect(loop.frame(0, after: 80) == 40)
    let mark = PlaybackPosition(frame: 50, clock: 2_000_000_000, isPlaying: true)
    var later = Extrapolation(position: mark, framesPerSecond: 10, extent: extent)
    #expect(later.position(at: 4_500_000_000)?.frame == 75 && later.position(at: 4_500_000_000)?.isPlaying == true)
    #expect(later.position(at: 7_000_000_000) == nil && later.position(at: 1_000_000_000)?.frame == 50)
    later.lastFrame = 60
    #expect(later.position(at: 2_500_000_000)?.frame == 55 && later.position(at: 4_500_000_000)?.frame == 60)
    later.position.isPlaying = false
    #expect(later.position(at: 9_000_000_000)?.frame == 50 && later.position(at: 9_000_000_000)?.isPlaying == false)
    var recorded = RecordedPlayback(sound: QueuedSound())
    #expect(!recorded.isStream && recorded.extent.frameCount == 0)
    recorded.isStream = true
    #expect(recorded.extent.frameCount == Int.max / 2 && recorded.extent.loopRange.isEmpty)
  }

  @Test func `The rate of an output with HRTF is that of its data set, and comes back after it`() {
    let names = ["default-44100", "default-48000"]
    var rate = HRTFRate()
    func complete(_ hrtf: OutputSettings.HRTF, _ asked: Int?, _ present: Int) -> OutputSettings {
      rate.complete(OutputSettings(sampleRate: asked, hrtf: hrtf), presentRate: present, names: names)
    }
    func settings(_ hrtf: OutputSettings.HRTF, _ rate: Int?) -> OutputSettings { .init(sampleRate: rate, hrtf: hrtf) }
    #expect(complete(.off, nil, 48_000) == settings(.off, nil) && rate.rateWithoutHRTF == nil)
    #expect(complete(.on, nil, 48_000) == settings(.named("default-48000"), 48_000) && rate.rateWithoutHRTF == 48_000)
    #expect(complete(.off, nil, 44_100) == settings(.off, 48_000) && rate.rateWithoutHRTF == nil)
    #expect(complete(.on, nil, 44_100) == settings(.on, 44_100) && rate.rateWithoutHRTF == 44_100)
    #expect(
      complete(.on, 48_000, 44_100) == settings(.named("default-48000"), 48_000) && rate.rateWithoutHRTF == 48_000
    )
    #expect(complete(.on, 96_000, 48_000) == settings(.on, 96_000) && rate.rateWithoutHRTF == 96_000)
    #expect(complete(.named("default-44100"), nil, 48_000) == settings(.named("default-44100"), nil))
    #expect(complete(.automatic, nil, 44_100) == settings(.automatic, 96_000) && rate.rateWithoutHRTF == nil)
    #expect(HRTFRate.rate(of: "head 7999") == nil && HRTFRate.rate(of: "head 8000") == 8_000)
    #expect(HRTFRate.rate(of: "head 192000 9") == 192_000 && HRTFRate.rate(of: "head 192001") == nil)
    let modes: [OutputSettings.HRTF] = [.automatic, .off, .on, .named("x")]
    #expect(modes.map { OutputSettings(hrtf: $0).requestsHRTF } == [false, false, true, true])
  }
}
