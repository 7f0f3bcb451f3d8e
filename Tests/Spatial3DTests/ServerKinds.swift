import SoundServer
import Spatial3D
import Testing

extension SoundServer.Kind {
  /// The setting for moves of the library's streams by the server; `nil` keeps the default of the version.
  ///
  /// OpenAL Soft 1.19 forbids moves by default. On PipeWire it has to, because an output that is gone still opens there.
  var moves: Bool? { self == .pulseAudio ? true : nil }

  /// Skips the test where this machine cannot start such a server, or the library cannot play to it.
  func require() throws {
    guard isInstalled else { try Test.cancel("\(rawValue) is not installed, or the library has no backend for it") }
  }
}

extension NotificationSequence<ContextEvent>.AsyncIterator {
  /// Expects that the next events report another output, after a loss where the server does not move streams.
  mutating func expectMove(sourceLocation: SourceLocation = #_sourceLocation) async {
    var event = await next()
    if event?.kind == .deviceLost {
      event = await next()
      #expect(event?.kind == .deviceReturned, sourceLocation: sourceLocation)
    } else {
      #expect(event?.kind == .outputChanged, sourceLocation: sourceLocation)
    }
  }
}
