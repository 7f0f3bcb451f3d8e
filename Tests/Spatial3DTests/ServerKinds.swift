import Spatial3D
import Spatial3DTesting
import TestServer
import TestSupport
import Testing

extension SoundServer.Kind {
  /// The setting for moves of the library's streams by the server; `nil` keeps the default of the version.
  ///
  /// OpenAL Soft 1.19 forbids moves by default. On PipeWire it has to, as an output that is gone still opens there.
  var moves: Bool? { self == .pulseAudio ? true : nil }

  /// Skips the test if this machine cannot start the server, or if the library cannot play to it.
  func require() throws {
    guard isInstalled else { try Test.cancel("\(rawValue) is not installed, or the library has no backend for it") }
  }
}

extension SoundServer {
  /// The number that the server has given to the only stream to it.
  ///
  /// A poll for outputs opens a second stream for some milliseconds.
  func streamNumber() throws -> Int {
    var numbers: [Int] = []
    try eventually("there is one stream") {
      numbers = try run("pactl list short sink-inputs | cut -f1").split(separator: "\n").compactMap { Int($0) }
      return numbers.count == 1
    }
    return numbers[0]
  }

  /// Expects that a source is audible within ten seconds after a first sound, and that the clock goes on.
  func expectSound(of source: SoundSource, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let recording = try recording()
    _ = try recording.untilSound()
    let isAudible = try (0..<20).contains { _ in try recording.seconds(0.5).level > -40 }
    #expect(isAudible && source.state == .playing, sourceLocation: sourceLocation)
    let (context, clock) = (source.context, source.context.clock)
    try await eventually("the clock goes on", sourceLocation: sourceLocation) { context.clock > clock + .seconds(1) }
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
