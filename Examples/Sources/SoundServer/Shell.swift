import Foundation

/// A shell that runs commands one by one, and cleans up after the end of this process.
final class Shell: Sendable {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  /// Held while a command runs and its output is read.
  private let turn = NSLock()

  /// Starts the shell in a folder, which the shell deletes when it ends.
  init(folder: String, script: String) throws {
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c",
      """
      \(script)
      # A signal to all of a terminal's programs is for them, not for what cleans up.
      trap : HUP INT TERM
      while read -r line; do
        eval "$line" 2>&1 </dev/null
        printf '\\n%s %s\\n' '\(Self.end)' $?
      done
      end_server 2>/dev/null
      cd /
      rm -rf "$1"
      """,
      "sh", folder,
    ]
    process.currentDirectoryURL = URL(fileURLWithPath: folder, isDirectory: true)
    process.environment = Self.environment(folder: folder)
    process.standardInput = input
    process.standardOutput = output
    // These flags keep other children of this process from keeping the shell alive.
    for handle in [input.fileHandleForWriting, output.fileHandleForReading] {
      _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    try process.run()
  }

  /// Runs a command to its end and returns its output.
  func run(_ command: String) throws -> String {
    turn.lock()
    defer { turn.unlock() }
    try input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
    var printed = ""
    while true {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw SoundServerError("the shell of the server is gone") }
      printed += String(decoding: more, as: UTF8.self)
      let end = printed.range(of: "\n\(Self.end) ", options: .backwards)
      guard let end, printed.hasSuffix("\n") else { continue }
      let status = printed[end.upperBound...].dropLast()
      let answer = String(printed[..<end.lowerBound])
      guard status == "0" else { throw SoundServerError("\"\(command)\" failed with \(status): \(answer)") }
      return answer
    }
  }

  /// Ends the shell, and waits until it has cleaned up.
  func close() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The environment of the shell and its commands, without any variable that leads to a server of the user.
  static func environment(folder: String) -> [String: String] {
    [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "LC_ALL": "C",
      "HOME": folder,
      "XDG_CONFIG_HOME": folder,
      "XDG_STATE_HOME": folder,
      "XDG_DATA_HOME": folder,
      "XDG_RUNTIME_DIR": folder,
      "PIPEWIRE_RUNTIME_DIR": folder,
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus",
      "PULSE_RUNTIME_PATH": folder,
      "PULSE_STATE_PATH": folder,
      "PULSE_SERVER": "unix:\(folder)/native",
    ]
  }

  /// The line that the shell prints after the output of a command.
  private static let end = "Spatial3D: done"
}
