import TestSupport
import Testing

@testable import Spatial3D

/// The decisions about outputs that come and go, without any output.
@Suite struct LossLogicTests {
  @Test func `The first retry comes after 100 ms, and no two retries are more than 2 s apart`() {
    var backoff = Backoff()
    let waits = (0..<50).map { _ in backoff.next() / 1_000_000 }
    #expect(waits.prefix(6) == [100, 200, 400, 800, 1_600, 2_000])
    #expect(waits.dropFirst(5).allSatisfy { $0 == 2_000 })
  }

  @Test func `A search waits a tenth of a second once before it treats an output as removed`() {
    var search = OutputSearch()
    #expect(search.doubt(at: 1_000) == 100_000_000)
    #expect(search.doubt(at: 60_001_000) == 40_000_000)
    #expect(search.doubt(at: 100_001_000) == nil)
    #expect(search.doubt(at: 100_002_000) == nil)
  }

  @Test func `A position extrapolated by time equals one counted frame by frame`() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<5_000 {
      let frameCount = Int.random(in: 1...300, using: &random)
      let lower = Int.random(in: 0..<frameCount, using: &random)
      let upper = Int.random(in: lower + 1...frameCount, using: &random)
      let isLooping = Bool.random(using: &random)
      let start = Int.random(in: 0..<(isLooping ? upper : frameCount), using: &random)
      let distance = Int.random(in: 0...1_000, using: &random)
      var position: Int? = start
      for _ in 0..<distance {
        guard let now = position else { break }
        if isLooping, now + 1 == upper { position = lower } else { position = now + 1 < frameCount ? now + 1 : nil }
      }
      let extent = PlaybackPosition.Extent(frameCount: frameCount, loopRange: isLooping ? lower..<upper : 0..<0)
      let mark = PlaybackPosition(frame: Double(start), clock: 5_000_000_000, isPlaying: true)
      let after = mark.frame(at: 6_000_000_000, framesPerSecond: Double(distance), over: extent)
      #expect(after == position.map(Double.init))
      let held = PlaybackPosition(frame: Double(start), clock: 0, isPlaying: false)
      #expect(held.frame(at: 6_000_000_000, framesPerSecond: Double(distance), over: extent) == Double(start))
    }
  }

  /// A choice with a policy, on an output that was never polled.
  private func choice(_ policy: DevicePolicy, opened: String? = nil, on current: String) -> OutputSelection {
    var choice = OutputSelection(name: opened, on: current)
    choice.adopt(policy)
    return choice
  }

  @Test func `A device moves only if its policy follows the default output and the default has changed`() {
    let names = ["a", "b", "c"]
    for (opened, policy) in [nil, "a"].flatMap({ opened in DevicePolicy.allCases.map { (opened as String?, $0) } }) {
      for current in names {
        #expect(OutputSelection(name: opened, on: current).policy == (opened == nil ? .follow : .stay))
        let choice = choice(policy, opened: opened, on: current)
        #expect(choice.wanted == (policy == .stay ? opened ?? current : nil))
        for other in names + [nil] as [String?] {
          for isThere in [true, nil] as [Bool?] {
            let finding = OutputSelection.Finding(defaultName: other, isThere: isThere)
            let step = choice.step(for: finding)
            guard policy != .stay, let other, other != current else {
              // The server may have moved a device that was opened on the default output.
              #expect(step == (policy == .stay && opened == nil && other != nil && other != current ? .reopen : .stay))
              continue
            }
            #expect(step == .move(pausing: false))
            var choice = choice
            choice.store(finding, after: choice.generation)
            #expect(choice.lastKnownDefault == .found(other, isListed: false))
            #expect(choice.step(for: finding) == .stay)
          }
        }
      }
    }
  }

  @Test(arguments: 1...100)
  func `A device that stays opens its output again whenever the default has changed away from it`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let names = ["a", "b", "c"]
    var choice = OutputSelection(name: "a", on: "a")
    var known: String?
    for _ in 0..<200 {
      let name = names.randomElement(using: &random)
      let finding = OutputSelection.Finding(defaultName: name, isListed: true, isThere: true)
      let isMoved = known == "a" && name != "a"
      #expect(choice.step(for: finding) == (isMoved ? .reopen : .stay))
      if isMoved { choice.arrive(on: "a", by: "a", isAsked: false) }
      choice.store(finding, after: choice.generation)
      #expect(choice.step(for: finding) == .stay)
      known = name
    }
    #expect(choice.wanted == "a")
  }

  @Test func `A hang counts for the output that the probe asked for, until the device leaves it`() {
    var choice = OutputSelection(name: nil, on: "a")
    let asked = choice.generation
    choice.storeHang(true, after: asked)
    choice.adopt(.stay)
    #expect(choice.hasHung)
    choice.arrive(on: "a", by: "a", isAsked: false)
    #expect(!choice.hasHung)
    choice.storeHang(true, after: asked)
    #expect(!choice.hasHung)
    choice.storeHang(true, after: choice.generation)
    #expect(choice.hasHung)
    choice.leave()
    #expect(!choice.hasHung)
    for hasHung in [true, false] {
      choice.storeHang(hasHung, after: choice.generation)
      #expect(choice.hasHung == hasHung)
    }
  }

  @Test func `The follow policy moves a device from the chosen output to the default output`() {
    for policy in [DevicePolicy.follow, .pauseOnOutputLoss] {
      var choice = OutputSelection(name: nil, on: "speakers")
      choice.arrive(on: "headphones", by: "headphones", isAsked: true)
      choice.adopt(.stay)
      let finding = OutputSelection.Finding(defaultName: "speakers", isThere: true)
      #expect(choice.step(for: finding) == .stay)
      choice.adopt(policy)
      #expect(choice.step(for: finding) == .move(pausing: false))
      choice.arrive(on: "speakers", by: nil, isAsked: false)
      #expect(choice.step(for: finding) == .stay)
      choice.store(finding, after: choice.generation)
      choice.adopt(policy)
      #expect(choice.step(for: finding) == .stay)
    }
  }

  @Test(arguments: DevicePolicy.allCases)
  func `An output is missing only if an earlier poll found it`(policy: DevicePolicy) {
    var choice = OutputSelection(name: nil, on: "speakers")
    choice.arrive(on: "headphones", by: "headphones", isAsked: true)
    choice.adopt(policy)
    choice.store(OutputSelection.Finding(defaultName: "speakers"), after: choice.generation)
    let isGone = OutputSelection.Finding(defaultName: "speakers", isThere: false)
    // An output that was never found may have another name in the list, or may refuse a second opening.
    #expect(choice.step(for: isGone) == .stay)
    choice.store(OutputSelection.Finding(defaultName: "speakers", isThere: nil), after: choice.generation)
    #expect(choice.step(for: isGone) == .stay)
    choice.store(OutputSelection.Finding(defaultName: "speakers", isThere: true), after: choice.generation)
    let step: OutputSelection.Step =
      switch policy {
      case .follow: .move(pausing: false)
      case .stay: .leave
      case .pauseOnOutputLoss: .move(pausing: true)
      }
    #expect(choice.step(for: isGone) == step)
    #expect(choice.step(for: .init(defaultName: nil, isThere: false)) == .leave)
    for isThere in [true, nil] as [Bool?] {
      #expect(choice.step(for: .init(defaultName: "speakers", isThere: isThere)) == .stay)
    }
    // A finding from another output does not count.
    choice.arrive(on: "others", by: "others", isAsked: false)
    #expect(choice.step(for: .init(defaultName: "speakers", isThere: false)) == .stay)
  }

  @Test func `A finding from before a migration or a policy change is discarded`() {
    let finding = OutputSelection.Finding(defaultName: "headphones", isThere: true)
    let changes: [(inout OutputSelection) -> Void] = [
      { $0.arrive(on: "b", by: nil, isAsked: false) }, { $0.arrive(on: "b", by: "b", isAsked: true) },
      { $0.leave() }, { $0.adopt(.stay) },
    ]
    for change in changes {
      var choice = OutputSelection(name: nil, on: "a")
      let generation = choice.generation
      change(&choice)
      let before = choice
      choice.store(finding, after: generation)
      #expect(choice == before)
      choice.store(finding, after: choice.generation)
      #expect(choice != before)
    }
    var choice = OutputSelection(name: nil, on: "a")
    choice.adopt(.follow)
    #expect(choice == OutputSelection(name: nil, on: "a"))
  }

  @Test func `A lost device waits for the output that the player chose last`() {
    var choice = OutputSelection(name: "a", on: "a")
    choice.arrive(on: "b", by: "b", isAsked: true)
    choice.leave()
    #expect(choice.wanted == "b")
    #expect(choice.current == "b")
    choice.arrive(on: "c", by: nil, isAsked: false)
    #expect(choice.wanted == "b")
    choice.arrive(on: "c", by: nil, isAsked: true)
    #expect(choice.wanted == "c")
  }

  @Test func `A device keeps a chosen output after an earlier change of the default`() {
    for opened in [nil, "speakers"] as [String?] {
      for isListed in [true, false] {
        var choice = OutputSelection(name: opened, on: "speakers")
        choice.adopt(.follow)
        choice.arrive(on: "hdmi", by: "hdmi", isAsked: true)
        let changed = OutputSelection.Finding(defaultName: "headphones", isListed: isListed, isThere: true)
        #expect(choice.step(for: changed) == .stay)
        choice.store(changed, after: choice.generation)
        #expect(choice.step(for: changed) == .stay)
        // A later change of the default moves the device.
        let again = OutputSelection.Finding(defaultName: "speakers", isListed: isListed, isThere: true)
        #expect(choice.step(for: again) == .move(pausing: false))
        // A device that was moved to the default output is already there, and follows it.
        choice.arrive(on: "speakers", by: nil, isAsked: true)
        #expect(choice.step(for: again) == .stay)
        #expect(choice.step(for: changed) == .move(pausing: false))
      }
    }
  }

  @Test func `A policy change discards the finding of a running reconnect loop`() {
    // The steps follow a reconnect loop: it reads, polls, decides and stores.
    var choice = OutputSelection(name: "speakers", on: "speakers")
    let before = choice
    let finding = OutputSelection.Finding(defaultName: "headphones", isThere: true)
    #expect(before.step(for: finding) == .stay)
    choice.adopt(.follow)
    choice.store(finding, after: before.generation)
    #expect(choice.step(for: finding) == .move(pausing: false))
    // The device moves there, and a handler of the event sets a policy before the reconnect loop stores the known
    // default.
    let start = choice
    choice.arrive(on: "headphones", by: nil, isAsked: false)
    choice.adopt(.pauseOnOutputLoss)
    choice.store(OutputSelection.Finding(defaultName: "speakers", isListed: true), after: start.generation + 1)
    #expect(choice.lastKnownDefault == .found("headphones", isListed: false))
  }

  @Test func `A device returns to the default output after a brief change during its migration`() {
    let names = ["a", "b"]
    for isListed in [true, false] {
      // The target is a. The default was b when the device opened, and is a again now.
      var choice = OutputSelection(name: nil, on: "speakers")
      choice.arrive(on: "b", by: nil, isAsked: false)
      let wanted = OutputSelection.Finding(defaultName: "a", isListed: isListed)
      choice.adoptArrival(wanted, among: names, after: choice.generation)
      #expect(choice.step(for: wanted) == .move(pausing: false))
      // If the system's list has another name for the opened output, the choice has no other evidence.
      choice.arrive(on: "a by another name", by: nil, isAsked: false)
      choice.adoptArrival(wanted, among: names, after: choice.generation)
      #expect(choice.step(for: wanted) == (isListed ? .stay : .move(pausing: false)))
    }
  }

  @Test func `Outputs with the same name are matched despite their changing number suffixes`() {
    let alike = ["USB Audio", "USB Audio #2", "USB Audio #13"]
    for one in alike { for other in alike { #expect(OutputSelection.areNamesakes(one, other)) } }
    let others = ["USB Audio2", "USB Audio #", "USB Audio#2", "USB Audio 2", "USB Audio #2b", "USB", "", "#2", "2"]
    for one in others {
      for other in alike + others where one != other { #expect(!OutputSelection.areNamesakes(one, other)) }
    }

    #expect(OutputProbe.isThere("a", among: []) == nil)
    #expect(OutputProbe.isThere("a", among: ["a", "b"]) == true)
    #expect(OutputProbe.isThere("a", among: ["b"]) == false)
    // Either an earlier namesake is gone, or the output itself is.
    #expect(OutputProbe.isThere("USB Audio #2", among: ["speakers", "USB Audio"]) == nil)
    #expect(OutputProbe.isThere("USB Audio", among: ["USB Audio #2"]) == nil)

    // The device opens a default by its plain name, and the list has it with a number.
    var choice = OutputSelection(name: nil, on: "USB Audio")
    let finding = OutputSelection.Finding(defaultName: "USB Audio #2", isListed: true, isThere: true)
    #expect(choice.step(for: finding) == .stay)
    choice.store(finding, after: choice.generation)
    #expect(choice.step(for: finding) == .stay)
    #expect(choice.step(for: .init(defaultName: "USB Audio #3", isListed: true)) == .move(pausing: false))
    // The opened name is the same default if the system no longer lists it.
    #expect(choice.step(for: .init(defaultName: "USB Audio", isListed: false)) == .stay)
    #expect(choice.step(for: .init(defaultName: "speakers", isListed: false)) == .move(pausing: false))
  }

  @Test func `Output events are trusted again after an event more than five seconds after a loss`() {
    var trust = EventReliability()
    trust.doubt(at: 0)
    trust.adoptEvent(at: 60_000_000_000)
    #expect(trust.eventSource == .unsupported)
    trust.begin()
    #expect(trust.eventSource == .live)
    trust.adoptEvent(at: 61_000_000_000)
    #expect(trust.eventSource == .live)
    trust.doubt(at: 62_000_000_000)
    #expect(trust.eventSource == .stale)
    // A server that ends removes its outputs first.
    trust.adoptEvent(at: 62_000_000_000)
    trust.adoptEvent(at: 67_000_000_000)
    #expect(trust.eventSource == .stale)
    trust.doubt(at: 66_000_000_000)
    trust.adoptEvent(at: 68_000_000_000)
    #expect(trust.eventSource == .stale)
    trust.adoptEvent(at: 71_000_000_001)
    #expect(trust.eventSource == .live)
    trust.doubt(at: 80_000_000_000)
    #expect(trust.eventSource == .stale)
  }

  @Test(
    arguments: ["Wave File Writer", "JACK Default", "ALSA Default", "HDA Intel, ALC255 (CARD=PCH,DEV=0)", "No Output"]
  )
  func `A probe does not open a device with an audible or destructive side effect`(name: String) {
    for eventSource in [OutputEventSource.unsupported, .stale] {
      #expect(!OutputProbe.canBePolled(name, as: eventSource))
      var probe = OutputProbe(eventSource)
      for policy in DevicePolicy.allCases {
        #expect(probe.finding(for: choice(policy, on: name)) == OutputSelection.Finding())
      }
      #expect(OutputProbe.canBePolled("Built-in Audio Analog Stereo", as: eventSource))
    }
    #expect(OutputProbe.canBePolled(name, as: .live))
  }

  @Test func `Polls take at most a hundredth of the time and back off after failures`() {
    var pace = PollInterval()
    #expect(pace.next(afterPollOf: 0, hasFailed: false) == 2_000_000_000)
    #expect(pace.next(afterPollOf: 1_500_000, hasFailed: false) == 2_000_000_000)
    #expect(pace.next(afterPollOf: 20_000_000, hasFailed: false) == 2_000_000_000)
    #expect(pace.next(afterPollOf: 38_000_000, hasFailed: false) == 3_800_000_000)
    #expect(pace.next(afterPollOf: 1_000_000_000, hasFailed: false) == 100_000_000_000)
    #expect(pace.next(afterPollOf: .max, hasFailed: false) == 600_000_000_000)
    #expect(pace.next(afterPollOf: 0, hasFailed: false) == 2_000_000_000)
    let waits = (0..<12).map { _ in pace.next(afterPollOf: 0, hasFailed: true) / 1_000_000_000 }
    #expect(waits == [4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600, 600])
  }
}
