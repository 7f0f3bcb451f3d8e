import Foundation

extension SoundServer {
  /// The server, and the backend of the library that plays to it.
  public enum Kind: String, CaseIterable, Codable, Sendable {
    case pulseAudio = "PulseAudio"
    /// PipeWire, through `pipewire-pulse` and the library's PulseAudio backend.
    case pipeWirePulse = "PipeWire through pipewire-pulse"
    /// PipeWire, through the library's PipeWire backend.
    case pipeWire = "PipeWire"

    /// Whether this machine has the required programs, and the library the backend.
    public var isInstalled: Bool {
      let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      let hasPrograms = programs.allSatisfy { program in
        folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
      }
      return hasPrograms && (self != .pipeWire || Self.libraryNamesPipeWire)
    }

    private var programs: [String] {
      let clients = ["pactl", "parec"]
      return switch self {
      case .pulseAudio: ["pulseaudio"] + clients
      case .pipeWirePulse, .pipeWire:
        ["dbus-daemon", "pipewire", "pipewire-pulse", "pw-cli", "pw-metadata", "wireplumber"] + clients
      }
    }

    /// OpenAL Soft's name of the backend.
    var driver: String { self == .pipeWire ? "pipewire" : "pulse" }

    /// Whether the OpenAL library of this process names the file of PipeWire's library, which its backend opens.
    ///
    /// OpenAL Soft reports its backends only to its log.
    private static let libraryNamesPipeWire: Bool = {
      // A read of the whole file at once returns its first pages alone.
      let maps = FileHandle(forReadingAtPath: "/proc/self/maps")?.readDataToEndOfFile() ?? Data()
      let lines = String(decoding: maps, as: UTF8.self).split(separator: "\n")
      guard let line = lines.first(where: { $0.contains("/libopenal.so") }), let start = line.firstIndex(of: "/"),
        let library = FileManager.default.contents(atPath: String(line[start...]))
      else { return false }
      return library.range(of: Data("libpipewire-0.3.so".utf8)) != nil
    }()
  }

  /// The kinds that this machine can start.
  public static var installed: [Kind] { Kind.allCases.filter(\.isInstalled) }
}
