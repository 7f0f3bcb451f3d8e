/// An event of the sound server or of the login manager of a desktop.
enum DesktopEvent: Hashable, Sendable {
  /// A program, as its connection to the sound server describes it.
  struct Program: Hashable, Sendable {
    /// The number of its process; 0 if the connection names none.
    ///
    /// Containers count for themselves, so that several programs may have the same number.
    var process: UInt32 = 0
    /// The name of its file, its host and its machine; empty if the connection names none.
    var binary = ""
    var host = ""
    var machine = ""
  }

  /// A stream that some program plays.
  struct Stream: Hashable, Sendable {
    var role = ""
    /// The connection that it belongs to; `nil` for a stream of the server itself.
    var client: UInt32?
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
  case client(UInt32, Program, isOwn: Bool)
  case clientGone(UInt32)
  case stream(UInt32, Stream)
  case streamGone(UInt32)
  case output(UInt32, Output)
  case outputGone(UInt32)
  case defaultOutput(String, server: String)
  case module(UInt32, name: String, arguments: String)
  case moduleGone(UInt32)
  case loginReady
  case loginMissing(String)
  case userSessionMissing(String)
  /// The system waits until the sleep with this number is permitted.
  case sleep(UInt32)
  case wake
  case screen(isLocked: Bool)
  case front(Bool)
}

extension DesktopEvent.Program {
  /// Whether both may be connections of the same program: the process is the same, and nothing else contradicts.
  func matches(_ other: Self) -> Bool {
    guard process != 0, process == other.process else { return false }
    return [(binary, other.binary), (host, other.host), (machine, other.machine)].allSatisfy { own, other in
      own.isEmpty || other.isEmpty || own == other
    }
  }
}
