import Foundation

/// A PulseAudio server of one's own: no sound card, sinks that play into nothing, and a folder that goes with it.
///
/// It touches no server of the user's, and is gone when this process is, however that ends: a shell in between kills it when
/// nobody holds the other end of its input any more.
public final class SoundServer: Sendable {
  /// Where its socket lies, and all that it writes.
  let folder: String
  private let shell: Shell

  /// Whether this machine has the programs that this needs.
  public static var isInstalled: Bool {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return ["pulseaudio", "pactl", "parec"].allSatisfy { program in
      folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }
  }

  /// Starts a server with one sink, which is the default.
  public init(sink: String = "main") throws {
    let temporary = FileManager.default.temporaryDirectory.path
    var template = Array("\(temporary)/Spatial3D-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw SoundServerError("there is no folder for it in \(temporary)") }
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    shell = try Shell(folder: folder, script: Self.script)
    try start()
    try add(sink: sink)
  }

  deinit {
    shell.close()
  }

  /// Has this process play to the server, through the library's PulseAudio backend.
  ///
  /// OpenAL Soft chooses its driver at the first call and for the life of the process: so this comes before any.
  ///
  /// - Parameter allowsMoves: Whether the server may have what plays go on on another sink when its own goes, as OpenAL Soft lets it
  ///   from 1.20 on, and 1.19 does not; `nil` leaves it at that.
  public func lendToThisProcess(allowsMoves: Bool? = nil) throws {
    // Half a second of what is mixed ahead, so that a busy machine makes no gap.
    var settings = "drivers = pulse\nperiod_size = 1024\nperiods = 16\n\n[pulse]\nspawn-server = false\n"
    if let allowsMoves { settings += "allow-moves = \(allowsMoves)\n" }
    try settings.write(toFile: "\(folder)/alsoft.conf", atomically: false, encoding: .utf8)
    let own = ["ALSOFT_CONF": "\(folder)/alsoft.conf", "ALSOFT_DRIVERS": "pulse"]
    for (name, value) in environment.merging(own, uniquingKeysWith: { $1 }) where name != "PATH" {
      // The names and values are copied; this process is not yet at work.
      unsafe setenv(name, value, 1)
    }
  }

  /// Starts it, without any sink, and returns when it takes calls.
  public func start() throws { try run("start_server") }

  /// Kills it on the spot, as a crash would.
  public func kill() throws { try run("kill_server") }

  /// Adds a sink of 48,000 Hz in stereo; the first is the default.
  public func add(sink: String) throws {
    try run(
      "pactl load-module module-null-sink sink_name=\(sink) sink_properties=device.description=\(sink) "
        + "rate=48000 channels=2 format=float32le"
    )
  }

  /// Takes a sink away, as when headphones are pulled out.
  public func remove(sink: String) throws {
    try run(
      "module=$(pactl list short modules | grep 'sink_name=\(sink) ' | cut -f1); pactl unload-module \"${module:-none}\""
    )
  }

  /// Makes a sink the default one.
  public func setDefault(sink: String) throws { try run("pactl set-default-sink \(sink)") }

  /// What a command of the shell prints that has the server's environment, such as `pactl list short sinks`.
  ///
  /// Throws where the command fails.
  @discardableResult
  public func run(_ command: String) throws -> String { try shell.run(command) }

  /// Records what a sink plays from now on.
  public func recording(of sink: String = "main") throws -> Recording {
    try Recording(of: sink, environment: environment)
  }

  /// What leads a client to this server and away from the user's.
  private var environment: [String: String] { Shell.environment(folder: folder) }

  /// The commands of the shell besides its own.
  ///
  /// The server's log goes to the file `log`.
  private static let script = """
    server=
    start_server() {
      rm -f told
      mkfifo told
      pulseaudio -n --daemonize=no --use-pid-file=no --exit-idle-time=-1 --realtime=no --high-priority=no \\
        --disable-shm=yes --log-target=stderr --log-level=info \\
        --load="module-native-protocol-unix socket=$PWD/native auth-anonymous=1" </dev/null >told 2>&1 &
      server=$!
      exec 3<told
      while read -r line <&3; do
        printf '%s\\n' "$line" >>log
        case $line in *'Daemon startup complete.'*) cat <&3 >>log & exec 3<&-; return 0 ;; esac
      done
      exec 3<&-
      printf 'PulseAudio does not start: %s\\n' "$(tail -n 3 log)"
      return 1
    }
    kill_server() {
      [ -z "$server" ] && return 0
      kill -9 "$server"
      wait "$server"
      server=
      return 0
    }
    """
}

/// What went wrong with a server.
public struct SoundServerError: Error, CustomStringConvertible {
  /// A sentence.
  public let description: String

  init(_ description: String) { self.description = description }
}
