import AudioSupport
import Spatial3D
import Synchronization

/// The diagnostics of a context.
final class DiagnosticLog: Sendable {
  private let diagnostics = Mutex<[Diagnostic]>([])

  func add(_ diagnostic: Diagnostic) { diagnostics.withLock { $0.append(diagnostic) } }

  var all: [Diagnostic] { diagnostics.withLock { $0 } }

  var messages: [String] { diagnostics.withLock { $0.map(\.message) } }

  var codes: [Diagnostic.Code] { diagnostics.withLock { $0.map(\.code) } }
}
