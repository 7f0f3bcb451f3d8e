import Spatial3DTesting
import Testing

@testable import GameAudio

/// The rule by which the release of a world or of a link is reported.
@Suite struct UnkeptObjectTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let noise = Sound(TestSignal.noise(duration: .seconds(1), format: mono))

  @Test func `A release is reported before a mix and within a second`() {
    for (isMixed, age, isReported) in [
      (false, .zero, true), (false, .milliseconds(999), true), (false, .seconds(1), false),
      (false, .seconds(60), false), (true, .zero, false), (true, .seconds(60), false),
    ] as [(Bool, Duration, Bool)] {
      #expect(UnkeptObject.isReported(isMixed: isMixed, age: age) == isReported, "\(isMixed), \(age)")
    }
  }

  @Test func `A world whose mix stands still is not reported once its sounds are a second old`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    world.playOnce(Self.noise)
    let state = world.inspector.state
    #expect(state.unplayedAtEnd(age: .milliseconds(999)) == "emitter 1 (A sound in memory)")
    #expect(state.unplayedAtEnd(age: .seconds(1)) == nil)
  }

  @Test func `The age of a world is the age of its sounds`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let made = world.inspector.ticksBegan
    world.playOnce(Self.noise)
    let played = world.inspector.ticksBegan
    world.playOnce(Self.noise)
    #expect(made < played && world.inspector.ticksBegan == played)
  }

  @Test func `A link whose mix stands still is not reported once it is a second old`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let reports = Collected<Diagnostic>()
    offline.context.onDiagnostic = { reports.append($0) }
    let world = AudioWorld(in: offline.context)
    let session = AudioSession()
    try session.activate()
    func release(beganAt time: Duration) {
      SessionLink(world, session, .freeze, .manual, .pausePlayers, beganAt: time).begin()
    }
    release(beganAt: UnkeptObject.time - .seconds(1))
    #expect(reports.all.isEmpty)
    release(beganAt: UnkeptObject.time)
    #expect(reports.all.map(\.code) == [.sessionLinkReleased])
  }
}
