import Foundation

/// A headless browser, if the machine has one.
enum Browser {
  /// The path of Chromium; `nil` if it is not installed.
  static let path: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let candidates = ["chromium", "chromium-browser", "google-chrome"].flatMap { name in folders.map { "\($0)/\(name)" }
    }
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// The contents of a page after its scripts have run.
  static func contents(ofPage markup: String) throws -> String {
    let folder = NSTemporaryDirectory() + "PageTests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try markup.write(toFile: "\(folder)/page.html", atomically: false, encoding: .utf8)
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // The test makes the page itself, so that it needs no sandbox, and Chromium refuses one to the superuser.
    process.arguments = [
      "timeout", "60", path ?? "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--user-data-dir=\(folder)/profile", "--dump-dom", "file://\(folder)/page.html",
    ]
    var environment = ProcessInfo.processInfo.environment
    environment["HOME"] = folder
    process.environment = environment
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
