import Foundation

/// A private sound server, PulseAudio or PipeWire: no sound card, sinks without output, and a temporary folder.
///
/// It leaves all servers of the user alone. It ends with this process, even after a crash: a shell in between kills the
/// server as soon as its own input closes.
public final class SoundServer: Sendable {
  /// The folder of its socket and of all files that it writes.
  let folder: String
  private let shell: Shell
  private let kind: Kind

  /// Starts a server with one sink, the default one.
  public init(_ kind: Kind = .pulseAudio, sink: String = "main") throws {
    self.kind = kind
    let temporary = FileManager.default.temporaryDirectory.path
    var template = Array("\(temporary)/Spatial3D-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw SoundServerError("there is no folder for it in \(temporary)") }
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    shell = try Shell(folder: folder, script: kind.script)
    try start()
    try add(sink: sink)
  }

  deinit {
    shell.close()
  }

  /// Makes this process play to the server, through the backend of its kind.
  ///
  /// OpenAL Soft chooses its driver at the first call and for the life of the process: call this method before any
  /// other.
  ///
  /// - Parameters:
  ///   - allowsMoves: Whether the server may move a playing stream to another sink when its own sink disappears. OpenAL
  ///     Soft allows it from 1.20 on; 1.19 does not. `nil` keeps the default of the version.
  ///   - period: The number of frames of a mix of the library.
  ///   - periods: The number of mixes in the buffer of an output. By default a third of a second at 48,000 Hz, so that
  ///     a busy machine causes no gap.
  /// - Throws: The error of the system if the settings cannot be written.
  public func lendToThisProcess(allowsMoves: Bool? = nil, period: Int = 1_024, periods: Int = 16) throws {
    let driver = kind.driver
    var settings = "drivers = \(driver)\nperiod_size = \(period)\nperiods = \(periods)\n"
    settings += "\n[pulse]\nspawn-server = false\n"
    if let allowsMoves { settings += "allow-moves = \(allowsMoves)\n" }
    try settings.write(toFile: "\(folder)/alsoft.conf", atomically: false, encoding: .utf8)
    let own = ["ALSOFT_CONF": "\(folder)/alsoft.conf", "ALSOFT_DRIVERS": driver]
    for (name, value) in environment.merging(own, uniquingKeysWith: { $1 }) where name != "PATH" {
      // The call copies the names and values, and this process has not started its work yet.
      unsafe setenv(name, value, 1)
    }
  }

  /// Starts the server without any sink, and returns once it accepts connections.
  public func start() throws { try run("start_server") }

  /// Kills the server at once, as a crash would.
  public func kill() throws { try run("kill_server") }

  /// Stops the server for some seconds with a signal, as a debugger or an overloaded machine does.
  public func stop(forSeconds seconds: Int) throws {
    try run("kill -STOP $server && sleep \(seconds) && kill -CONT $server")
  }

  /// Stops the server with a signal until ``goOn()`` or ``kill()``: it accepts connections, and does not answer.
  public func hang() throws { try run("kill -STOP $server") }

  /// Continues a server that hangs.
  public func goOn() throws { try run("kill -CONT $server") }

  /// Adds a stereo sink of 48,000 Hz; the first is the default.
  public func add(sink: String) throws { try run("add_sink \(sink)") }

  /// Removes a sink, as unplugging headphones does.
  public func remove(sink: String) throws { try run("remove_sink \(sink)") }

  /// Lets the server move the streams of a removed sink to another sink, as a desktop does; PipeWire always does.
  public func rescueStreams() throws {
    if kind == .pulseAudio { try run("pactl load-module module-rescue-streams") }
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

  /// Lists the changes of the server from now on.
  ///
  /// The server begins to list them a moment later: a command such as `pactl info` is a change as well.
  public func subscription() throws -> Subscription { try Subscription(environment: environment) }

  /// The environment that leads a client to this server and away from the user's.
  private var environment: [String: String] { Shell.environment(folder: folder) }
}

/// An error of a server.
public struct SoundServerError: Error, CustomStringConvertible {
  /// A sentence.
  public let description: String

  init(_ description: String) { self.description = description }
}
