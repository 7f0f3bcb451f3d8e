import Foundation

/// A private PulseAudio server: no sound card, sinks without output, and a temporary folder.
///
/// It leaves all servers of the user alone. It ends with this process, even after a crash: a shell in between kills the
/// server as soon as its own input closes.
public final class SoundServer: Sendable {
  /// The folder of its socket and of all files that it writes.
  let folder: String
  private let shell: Shell

  /// Whether this machine has the required programs.
  public static var isInstalled: Bool {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return ["pulseaudio", "pactl", "parec"].allSatisfy { program in
      folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }
  }

  /// Starts a server with one sink, the default one.
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

  /// Makes this process play to the server, through the library's PulseAudio backend.
  ///
  /// OpenAL Soft chooses its driver at the first call and for the life of the process: call this method before any
  /// other.
  ///
  /// - Parameter allowsMoves: Whether the server may move a playing stream to another sink when its own sink
  ///   disappears. OpenAL Soft allows it from 1.20 on; 1.19 does not. `nil` keeps the default of the version.
  /// - Throws: The error of the system if the settings cannot be written.
  public func lendToThisProcess(allowsMoves: Bool? = nil) throws {
    // A buffer of 16 periods, about a third of a second at 48,000 Hz, so that a busy machine causes no gap.
    var settings = "drivers = pulse\nperiod_size = 1024\nperiods = 16\n\n[pulse]\nspawn-server = false\n"
    if let allowsMoves { settings += "allow-moves = \(allowsMoves)\n" }
    try settings.write(toFile: "\(folder)/alsoft.conf", atomically: false, encoding: .utf8)
    let own = ["ALSOFT_CONF": "\(folder)/alsoft.conf", "ALSOFT_DRIVERS": "pulse"]
    for (name, value) in environment.merging(own, uniquingKeysWith: { $1 }) where name != "PATH" {
      // The call copies the names and values, and this process has not started its work yet.
      unsafe setenv(name, value, 1)
    }
  }

  /// Starts the server without any sink, and returns once it accepts connections.
  public func start() throws { try run("start_server") }

  /// Kills the server at once, as a crash would.
  public func kill() throws { try run("kill_server") }

  /// Adds a stereo sink of 48,000 Hz; the first is the default.
  public func add(sink: String) throws {
    try run(
      "pactl load-module module-null-sink sink_name=\(sink) sink_properties=device.description=\(sink) "
        + "rate=48000 channels=2 format=float32le"
    )
  }

  /// Removes a sink, as unplugging headphones does.
  public func remove(sink: String) throws {
    try run(
      "module=$(pactl list short modules | grep 'sink_name=\(sink) ' | cut -f1); pactl unload-module \"${module:-none}\""
    )
  }

  /// Makes a sink the default one.
  public func setDefault(sink: String) throws { try run("pactl set-default-sink \(sink)") }

  /// Runs a shell command in the server's environment, such as `pactl list short sinks`, and returns its output.
  ///
  /// Throws if the command fails.
  @discardableResult
  public func run(_ command: String) throws -> String { try shell.run(command) }

  /// Records the output of a sink from now on.
  public func recording(of sink: String = "main") throws -> Recording {
    try Recording(of: sink, environment: environment)
  }

  /// The environment that leads a client to this server and away from the user's.
  private var environment: [String: String] { Shell.environment(folder: folder) }

  /// The functions of the shell besides its built-in commands.
  ///
  /// The log of the server is the file `log`.
  private static let script = """
    server=
    start_server() {
      rm -f messages
      mkfifo messages
      pulseaudio -n --daemonize=no --use-pid-file=no --exit-idle-time=-1 --realtime=no --high-priority=no \\
        --disable-shm=yes --log-target=stderr --log-level=info \\
        --load="module-native-protocol-unix socket=$PWD/native auth-anonymous=1" </dev/null >messages 2>&1 &
      server=$!
      exec 3<messages
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

/// An error of a server.
public struct SoundServerError: Error, CustomStringConvertible {
  /// A sentence.
  public let description: String

  init(_ description: String) { self.description = description }
}
