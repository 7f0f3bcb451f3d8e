import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The work of a world that one thread carries out, and the subjects that are reported once.
@Suite struct OutboxTests {
  private static let panned = Diagnostic.panIgnored("tone.wav", channels: 6)

  private static func outbox(capacity: Int = 8) throws -> Outbox {
    Outbox(context: try OfflineRenderer(format: .mono(sampleRate: 48_000)).context, capacity: capacity)
  }

  /// The voices of commands that stop voices.
  private static func voices(_ commands: [VoiceCommand]) -> [Int?] {
    commands.map { if case .stop(let voice) = $0 { voice.position } else { nil } }
  }

  @Test func `One thread has the work, and receives what comes until its claim ends`() throws {
    var outbox = try Self.outbox()
    let nothing = outbox.claim()
    #expect(nothing.turn == nil && !outbox.hasWork && !outbox.isCarryingOut)
    outbox.append(.stop(VoiceIndex(1)))
    #expect(outbox.hasWork)
    var work = outbox.claim()
    #expect(work.turn == 1 && Self.voices(work.commands) == [1] && outbox.isCarryingOut && !outbox.hasWork)
    // Another thread leaves its work to the first thread.
    outbox.append(.stop(VoiceIndex(2)))
    let other = outbox.claim()
    #expect(other.turn == nil && other.commands.isEmpty && !other.isEnded)
    let hasBehind = outbox.takeCommands(&work.commands)
    #expect(hasBehind && Self.voices(work.commands) == [1, 2])
    work.commands.removeAll(keepingCapacity: true)
    outbox.append(.stop(VoiceIndex(3)))
    let hasMore = outbox.takeMore(&work)
    #expect(hasMore && Self.voices(work.commands) == [3])
    work.commands.removeAll(keepingCapacity: true)
    let hasLast = outbox.takeMore(&work)
    #expect(!hasLast && !work.isEnded)
    outbox.endClaim(&work)
    #expect(work.isEnded && !outbox.isCarryingOut)
    outbox.append(.stop(VoiceIndex(4)))
    let next = outbox.claim()
    #expect(next.turn == 2 && outbox.lastTurn == 2 && Self.voices(next.commands) == [4])
  }

  @Test func `The two lists of commands are swapped, so that no claim allocates memory`() throws {
    var outbox = try Self.outbox(capacity: 64)
    for turn in 1...5 {
      #expect(outbox.commands.capacity >= 64 && outbox.spareCommands.capacity >= 64)
      for voice in 0..<64 { outbox.append(.stop(VoiceIndex(voice))) }
      var work = outbox.claim()
      #expect(work.turn == turn && work.commands.count == 64 && outbox.spareCommands.capacity == 0)
      work.commands.removeAll(keepingCapacity: true)
      let hasMore = outbox.takeCommands(&work.commands)
      #expect(!hasMore && work.commands.capacity == 0)
      outbox.endClaim(&work)
    }
  }

  @Test func `Results come behind the claim, and may change whether the world needs ticks`() throws {
    var outbox = try Self.outbox()
    for (areNeeded, hasTicks, hasReport) in [(false, false, false), (true, false, false), (true, true, true)] {
      outbox.setTicks(hasTicks)
      outbox.append(.stop(VoiceIndex(0)))
      var work = outbox.claim()
      outbox.report(hasReport ? Self.panned : nil)
      outbox.endClaim(&work)
      #expect(work.diagnostics.isEmpty && outbox.hasReports == hasReport)
      outbox.takeResults(&work)
      #expect(work.diagnostics.count == (hasReport ? 1 : 0) && !outbox.hasReports)
      // A handler of a report may play.
      outbox.compareTicks(areNeeded: areNeeded, &work)
      #expect(work.changesTicks == (areNeeded != hasTicks || hasReport))
    }
  }

  @Test func `An object is released with the results, and not before`() throws {
    final class Object: Sendable {}
    var outbox = try Self.outbox()
    weak var released: Object?
    do {
      let object = Object()
      released = object
      outbox.release(object)
    }
    var work = outbox.claim()
    #expect(work.turn == 1 && released != nil)
    outbox.takeResults(&work)
    #expect(!outbox.hasWork && released != nil)
    work.releaseObjects()
    #expect(released == nil)
  }

  @Test func `A subject is new once, and reports keep their order`() throws {
    var outbox = try Self.outbox()
    let keys = [
      ReportKey.unequalMove, .kindOfBus("a"), .unequalMove, .kindOfBus("b"), .parentOfBus("a"), .kindOfBus("a"),
    ]
    let areNew = keys.map { outbox.isNew($0) }
    #expect(areNew == [true, true, false, true, true, false])
    outbox.report(Self.panned)
    outbox.report([.eventsLost(of: "emitter 1"), .eventsLost(of: "emitter 2")])
    outbox.report([])
    #expect(outbox.diagnostics.map(\.code) == [.panIgnored, .eventsLost, .eventsLost])
    #expect(outbox.diagnostics[1].message.contains("emitter 1"))
  }

  @Test func `A loop range of a player is reported where a part of it is outside of the sound, once for each range`()
    throws
  {
    var reports = SoundReports()
    let samples = try PCMBuffer(samples: Array(repeating: Float(0), count: 100), format: .mono(sampleRate: 48_000))
    let opened = try OpenedSound(Sound(samples))
    let ranges: [(Range<Int>?, Bool)] = [
      (nil, false), (0..<100, false), (20..<40, false), (20..<101, true), (20..<101, false), (-1..<50, true),
      (20..<102, true), (-1..<50, false),
    ]
    for (range, isReported) in ranges {
      let report = reports.cut(range, of: opened)
      #expect((report?.code == .loopRangeIgnored) == isReported, "\(String(describing: range))")
    }
  }

  @Test func `A sound that fails is reported once for a reason, and again behind a loading that was whole`() throws {
    let context = try OfflineRenderer(format: .mono(sampleRate: 48_000)).context
    var (reports, table) = (SoundReports(), SoundTable())
    let samples = try PCMBuffer(samples: Array(repeating: Float(0), count: 100), format: .mono(sampleRate: 48_000))
    let content = SoundContent(name: "tone", source: .samples(samples))
    let loaded = try LoadedSound(content, LoadKey(content, isPlaced: true), convertsRate: true, in: context)
    let failures = ["missing", "missing", "damaged", nil, "damaged"]
    let counts = failures.map { failure in
      let outcome = LoadedSound.Outcome { if let failure { throw Failure(reason: failure) } else { loaded } }
      return reports.reports(of: outcome, content, [], in: &table, at: 48_000).map(\.code)
    }
    #expect(counts == [[.soundUnavailable], [], [.soundUnavailable], [], [.soundUnavailable]])
  }

  private struct Failure: Error, CustomStringConvertible {
    let reason: String
    var description: String { "The file is \(reason)." }
  }
}
