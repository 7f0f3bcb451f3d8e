import SoundServer
import Testing

extension SoundServer.Kind {
  /// Skips the test where this machine cannot start such a server, or the library cannot play to it.
  func require() throws {
    guard isInstalled else { try Test.cancel("\(rawValue) is not installed, or the library has no backend for it") }
  }
}
