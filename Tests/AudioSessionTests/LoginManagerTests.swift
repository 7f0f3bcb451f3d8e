import Foundation
import TestSupport
import Testing

@testable import AudioSession

#if DesktopSession

  /// A session beside a login manager of the test's own, which python3-dbusmock plays.
  @Suite(.hangLimit, .enabled(if: LoginManager.isInstalled, "dbus-daemon or python3-dbusmock is not installed"))
  struct LoginManagerTests {
    @Test func `Sleep interrupts the session, which may finish before it`() async throws {
      let manager = try await LoginManager()
      let session = AudioSession(
        try DesktopSession(named: "Test", server: "unix:/nonexistent", bus: manager.address)
      )
      try session.activate()
      let log = EventLog(session)
      try await eventually("the session delays a sleep", every: .milliseconds(20)) { try manager.inhibitors() == 1 }
      try manager.emit("PrepareForSleep", "b", "true")
      try await eventually("the session is interrupted") { session.state == .interrupted(by: [.sleep]) }
      try await eventually("the sleep goes on", every: .milliseconds(20)) { try manager.inhibitors() == 0 }
      try manager.emit("PrepareForSleep", "b", "false")
      try await eventually("the session may resume") { log.events.last == .interruptionEnded(shouldResume: true) }
      try await eventually("the next sleep is delayed", every: .milliseconds(20)) { try manager.inhibitors() == 1 }
    }

    @Test func `A locked screen and another user's session silence the game`() async throws {
      let manager = try await LoginManager()
      let session = AudioSession(
        try DesktopSession(named: "Test", server: "unix:/nonexistent", bus: manager.address)
      )
      try session.activate()
      func isSuspended(_ reason: SessionDirectives.Reason) -> Bool { session.directives.suspensions[reason] != nil }
      try await eventually("the session delays a sleep", every: .milliseconds(20)) { try manager.inhibitors() == 1 }
      for signal in ["Lock", "Unlock"] {
        try manager.call("\(LoginManager.session)", "org.freedesktop.login1.Session", signal)
        try await eventually("the screen has the state of \(signal)") { isSuspended(.screenLock) == (signal == "Lock") }
      }
      try manager.call(LoginManager.session, "org.freedesktop.login1.Session", "SetLockedHint", "b", "true")
      try await eventually("the screen is locked") { isSuspended(.screenLock) }
      try manager.call(LoginManager.session, "org.freedesktop.login1.Session", "SetLockedHint", "b", "false")
      try await eventually("the screen is unlocked") { !isSuspended(.screenLock) }
      for isActive in [false, true] {
        try manager.setActive(isActive)
        try await eventually("the session in front is this one: \(isActive)") { isSuspended(.background) == !isActive }
      }
    }
  }

  /// A bus of its own with python3-dbusmock's login manager, and one session.
  private final class LoginManager {
    static let session =
      "/org/freedesktop/login1/session/\(ProcessInfo.processInfo.environment["XDG_SESSION_ID"] ?? "c1")"
    private static let manager = "/org/freedesktop/login1"
    private static let mockInterface = "org.freedesktop.DBus.Mock"

    static let isInstalled: Bool = {
      let programs = ["/usr/bin/dbus-daemon", "/usr/bin/busctl", "/usr/bin/python3"]
      guard programs.allSatisfy({ FileManager.default.isExecutableFile(atPath: $0) }) else { return false }
      return (try? run("/usr/bin/python3", ["-c", "import dbusmock"])) != nil
    }()

    let address: String
    /// A shell, which kills both programs when its input closes, also after a crash of this process.
    private let shell = Process()
    private let input = Pipe()

    init() async throws {
      let output = Pipe()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.arguments = [
        "-c",
        """
        exec 2>/dev/null
        dbus-daemon --session --nofork --nopidfile --print-address=1 &
        bus=$!
        read -r address
        DBUS_SYSTEM_BUS_ADDRESS=$address /usr/bin/python3 -m dbusmock --system --template logind >/dev/null &
        mock=$!
        read -r end
        kill -9 $mock $bus
        """,
      ]
      shell.standardInput = input
      shell.standardOutput = output
      try shell.run()
      let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      address = String(line.prefix { $0 != "\n" })
      input.fileHandleForWriting.write(Data("\(address)\n".utf8))
      try await eventually("the login manager is there", every: .milliseconds(20)) { try isReady() }
      let id = String(Self.session.split(separator: "/").last ?? "")
      try call(Self.manager, Self.mockInterface, "AddSession", "ssusb", id, "seat0", "1000", "user", "true")
      try call(
        Self.manager,
        Self.mockInterface,
        "AddMethod",
        "sssss",
        "org.freedesktop.login1.Manager",
        "GetSessionByPID",
        "u",
        "o",
        "ret = \"\(Self.session)\""
      )
    }

    deinit { try? input.fileHandleForWriting.close() }

    private func isReady() throws -> Bool {
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
