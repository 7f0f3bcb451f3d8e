import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AudioSessions

@Suite(.hangLimit) struct SessionDiagnosticTests {
  /// A backend that reports a diagnostic when it connects.
  private struct MissingServer: SessionBackend {
    func connect(to session: AudioSession) { session.report(SessionDiagnostic.noSoundServer) }
    func update(_ requests: SessionRequests) {}
    var otherAudioEffect: AudioSession.OtherAudioEffect { .nothing }
  }

  @Test func `A handler of the initializer receives the diagnostics of a backend that connects`() {
    let diagnostics = Record<SessionDiagnostic>()
    let session = AudioSession(MissingServer(), onDiagnostic: { diagnostics.append($0) })
    #expect(diagnostics.values == [.noSoundServer])
    session.onDiagnostic = { _ in }
    session.report(SessionDiagnostic.noThread)
    #expect(diagnostics.values == [.noSoundServer])
  }

  @Test func `Several observers receive each diagnostic, after the handler, until they end`() {
    let calls = Record<String>()
    let session = AudioSession(onDiagnostic: { _ in calls.append("handler") })
    let first = session.observeDiagnostics { _ in calls.append("first") }
    var second: NotificationToken? = session.observeDiagnostics { _ in calls.append("second") }
    session.report(SessionDiagnostic.noThread)
    #expect(calls.values == ["handler", "first", "second"])
    second = nil
    #expect(second == nil)
    session.report(SessionDiagnostic.noThread)
    #expect(calls.values.suffix(2) == ["handler", "first"])
    first.cancel()
    session.report(SessionDiagnostic.noThread)
    #expect(calls.values.last == "handler")
    #expect(calls.values.count == 6)
  }

  @Test func `An observer of diagnostics may end another one and itself`() {
    let session = AudioSession(onDiagnostic: { _ in })
    let tokens = Mutex<[NotificationToken]>([])
    let calls = Record<String>()
    for name in ["first", "second"] {
      let token = session.observeDiagnostics { _ in
        calls.append(name)
        for other in tokens.withLock({ $0 }) { other.cancel() }
      }
      tokens.withLock { $0.append(token) }
    }
    session.report(SessionDiagnostic.noThread)
    session.report(SessionDiagnostic.noThread)
    #expect(calls.values == ["first"])
  }

  @Test func `The deinitializer of a captured object may replace the handler`() {
    final class Holder: Sendable {
      let session: AudioSession

      init(_ session: AudioSession) { self.session = session }

      deinit { session.onDiagnostic = nil }
    }
    let session = AudioSession()
    let holder = Mutex<Holder?>(Holder(session))
    session.onDiagnostic = { [kept = holder.withLock { $0 }] _ in _ = kept }
    holder.withLock { $0 = nil }
    session.onDiagnostic = { _ in }
    #expect(session.onDiagnostic == nil)
  }

  @Test func `Without a handler a diagnostic goes to standard error, also beside an observer`() async throws {
    let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
      let session = AudioSession(MissingServer())
      let token = session.observeDiagnostics { _ in }
      session.report(SessionDiagnostic.noThread)
      session.onDiagnostic = { _ in }
      session.report(SessionDiagnostic.backendInUse)
      withExtendedLifetime(token) {}
      exit(7)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("AudioSessions:") }
    #expect(
      lines.map(String.init) == [
        "AudioSessions: \(SessionDiagnostic.noSoundServer)", "AudioSessions: \(SessionDiagnostic.noThread)",
      ]
    )
  }
}
