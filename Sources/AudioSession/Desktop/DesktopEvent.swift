/// An event of the sound server or of the login manager of a desktop.
enum DesktopEvent: Hashable, Sendable {
  /// A stream that some program plays.
  struct Stream: Hashable, Sendable {
    var role = ""
    /// The number of its program; 0 for a stream of the server itself.
    var process: UInt32 = 0
    var isPaused = false
    var isMuted = false
  }

  /// An output of the server.
  struct Output: Hashable, Sendable {
    var name: String
    var text = ""
    /// The port in use, such as the loudspeakers or the headphones of a card.
    var port = ""
    /// The ports into which nothing is plugged.
    var emptyPorts: Set<String> = []
  }

  case serverReady
  case serverLost
  /// The server asks the session's own stream to pause, or to go on.
  case pauseAsked
  case resumeAsked
  case stream(UInt32, Stream)
  case streamGone(UInt32)
  case output(UInt32, Output)
  case outputGone(UInt32)
  case defaultOutput(String, server: String)
  case module(UInt32, name: String, arguments: String)
  case moduleGone(UInt32)
  case loginReady
  case loginMissing(String)
  case sleep
  case wake
  case screen(isLocked: Bool)
  case front(Bool)
}
