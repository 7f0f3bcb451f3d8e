import AudioSupport
import Foundation
import Spatial3D
import Synchronization
import TestSupport
import Testing

/// Whether the lines are off in this process, as they are by default.
private let areOff = ProcessInfo.processInfo.environment["ALSOFT_LOGLEVEL"] == "0"

/// The lines that the package, OpenAL Soft and ALSA write to standard error.
@Suite(.hangLimit, .enabled(if: areOff, "ALSOFT_LOGLEVEL turns the lines on."))
struct StandardErrorTests {
  /// Objects that are never released, like the globals of a program.
  private static let globals = Mutex<[AudioContext]>([])

  private static func set(_ name: String, _ value: String) {
    // Nothing else runs in the process of the test yet.
    unsafe setenv(name, value, 1)
  }

  /// The lines of the libraries among the lines of the test's process.
  private func lines(_ result: ExitTest.Result?) throws -> [String] {
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    return text.split(separator: "\n").map(String.init).filter { line in
      ["AL lib", "ALSA lib", "[ALSOFT]", "Spatial3D:"].contains { line.contains($0) }
    }
  }

  @Test func `A program that ends with open devices writes nothing`() async throws {
    let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
      StandardErrorTests.set("ALSOFT_DRIVERS", "null")
      let contexts = try [AudioContext(), AudioContext(device: .silent)]
      StandardErrorTests.globals.withLock { $0 = contexts }
      exit(7)
    }
    #expect(try lines(result) == [])
  }

  @Test func `A program without a sound card writes nothing but its own error`() async throws {
    let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
      StandardErrorTests.set("ALSOFT_DRIVERS", "alsa")
      _ = (try? AudioContext(), try? AudioDevice(named: "ALSA Default"))
      _ = (AudioDevice.outputNames, AudioDevice.defaultOutputName, AudioCapture.inputNames)
      do { _ = try AudioCapture() } catch {}
      exit(7)
    }
    #expect(try lines(result) == [])
  }

  @Test func `ALSOFT_LOGLEVEL turns the lines of the library on`() async throws {
    let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
      StandardErrorTests.set("ALSOFT_LOGLEVEL", "3")
      _ = try AudioContext(device: .silent)
      exit(7)
    }
    #expect(try !lines(result).isEmpty)
  }
}
