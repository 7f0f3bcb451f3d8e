import Foundation
import TestSupport
import Testing

#if DesktopSession

  /// A bus of its own with python3-dbusmock's login manager, and one session.
  final class LoginManager {
    /// Its name is the name that a process without a session asks for.
    static let session =
      "/org/freedesktop/login1/session/\(ProcessInfo.processInfo.environment["XDG_SESSION_ID"] ?? "auto")"
    private static let manager = "/org/freedesktop/login1"
    private static let mockInterface = "org.freedesktop.DBus.Mock"

    static let isInstalled: Bool = {
      let programs = ["/usr/bin/dbus-daemon", "/usr/bin/busctl", "/usr/bin/python3"]
      guard programs.allSatisfy({ FileManager.default.isExecutableFile(atPath: $0) }) else { return false }
      return (try? run("/usr/bin/python3", ["-c", "import dbusmock"])) != nil
    }()

    /// The address of the bus, which stays the same after an end.
    let address: String
    /// A shell, which kills both programs when its input closes, also after a crash of this process.
    private let shell = Process()
    private let input = Pipe()

    init() async throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Spatial3D-\(UUID().uuidString)").path
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      address = "unix:path=\(folder)/bus"
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.currentDirectoryURL = URL(fileURLWithPath: folder, isDirectory: true)
      shell.arguments = [
        "-c",
        """
        exec >/dev/null 2>&1
        start() {
          rm -f bus
          dbus-daemon --session --nofork --nopidfile "--address=$1" </dev/null &
          bus=$!
          until [ -S bus ]; do sleep 0.01; done
          DBUS_SYSTEM_BUS_ADDRESS=$1 /usr/bin/python3 -m dbusmock --system --template logind </dev/null &
          mock=$!
        }
        end() { kill -9 $mock $bus; }
        while read -r command; do $command "$1"; done
        end
        cd / && rm -rf "$2"
        """,
        "sh", address, folder,
      ]
      shell.standardInput = input
      try shell.run()
      try await start()
    }

    deinit { try? input.fileHandleForWriting.close() }

    /// Starts both programs, with the session of the user.
    func start() async throws {
      input.fileHandleForWriting.write(Data("start\n".utf8))
      try await eventually("the login manager is there", every: .milliseconds(20)) { isReady() }
      let id = String(Self.session.split(separator: "/").last ?? "")
      try call(Self.manager, Self.mockInterface, "AddSession", "ssusb", id, "seat0", "1000", "user", "true")
    }

    /// Kills both programs.
    func end() { input.fileHandleForWriting.write(Data("end\n".utf8)) }

    /// Makes the login manager refuse every question for a session.
    func refuseSessions() throws {
      let code =
        "raise dbus.exceptions.DBusException(\"no session for you\", name=\"org.freedesktop.login1.NoSessionForPID\")"
      let method = ["org.freedesktop.login1.Manager", "GetSession", "s", "o", code]
      try call(Self.manager, Self.mockInterface, "AddMethod", ["sssss"] + method)
    }

    private func isReady() -> Bool {
      (try? call(Self.manager, "org.freedesktop.login1.Manager", "CanSuspend")) != nil
    }

    /// The number of programs that delay a sleep.
    func inhibitors() throws -> Int {
      let list = try call(Self.manager, "org.freedesktop.login1.Manager", "ListInhibitors")
      return Int(list.split(separator: " ").dropFirst().first ?? "") ?? 0
    }

    func emit(_ signal: String, _ signature: String, _ value: String) throws {
      try call(
        Self.manager,
        Self.mockInterface,
        "EmitSignal",
        "sssav",
        "org.freedesktop.login1.Manager",
        signal,
        signature,
        "1",
        "b",
        value
      )
    }

    func setActive(_ isActive: Bool) throws {
      try call(
        Self.session,
        Self.mockInterface,
        "UpdateProperties",
        "sa{sv}",
        "org.freedesktop.login1.Session",
        "1",
        "Active",
        "b",
        "\(isActive)"
      )
    }

    @discardableResult
    func call(_ path: String, _ interface: String, _ method: String, _ arguments: String...) throws -> String {
      try call(path, interface, method, arguments)
    }

    @discardableResult
    private func call(_ path: String, _ interface: String, _ method: String, _ arguments: [String]) throws -> String {
      let target = ["--address=\(address)", "call", "org.freedesktop.login1", path, interface, method]
      return try Self.run("/usr/bin/busctl", target + arguments)
    }

    private struct Failed: Error { let status: Int32 }

    @discardableResult
    private static func run(_ program: String, _ arguments: [String]) throws -> String {
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = arguments
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
      return text
    }
  }

#endif
