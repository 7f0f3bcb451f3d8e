internal import CSpatial3DShim

/// The sound servers of this machine, PulseAudio and PipeWire.
///
/// A server that is stopped, or that deadlocks, blocks calls of the library that open, close, list or pause outputs.
/// Most other calls wait for the blocked calls. The package asks a server over a connection of its own before it calls
/// one of these functions.
enum SoundServers {
  /// The answer of the servers.
  enum Answer: Hashable, Sendable {
    /// No server has a socket on this machine: the machine has no server, or the server is remote.
    case unknown
    /// No process listens on the socket of a server.
    case gone
    case answers
    /// A server has not answered in time.
    case hangs
  }

  /// How long a thread of the package waits for an answer, in nanoseconds.
  static let patience: Int64 = 500_000_000
  /// How long a call of the program waits for an answer, in nanoseconds.
  static let shortPatience: Int64 = 20_000_000

  /// Asks the servers, and waits for at most some nanoseconds.
  static func answer(within nanoseconds: Int64 = patience) -> Answer {
    switch s3d_ask_servers(nanoseconds) {
    case S3D_SERVER_GONE: .gone
    case S3D_SERVER_ANSWERS: .answers
    case S3D_SERVER_HANGS: .hangs
    default: .unknown
    }
  }
}
