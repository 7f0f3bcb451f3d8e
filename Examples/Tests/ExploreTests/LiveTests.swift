import Foundation
import Stage
import Testing

@testable import explore

extension TerminalTests {
  /// The program on a terminal, without a sound card.
  @Suite struct LiveTests {
    private static let size = Screen.Size(columns: 80, rows: 24)

    /// The program in a terminal.
    private final class Session {
      let window: PseudoTerminal
      let process = Process()
      private let message = Pipe()

      init(_ size: Screen.Size, _ environment: [String: String] = [:], arguments: [String] = []) throws {
        window = try PseudoTerminal(size)
        process.executableURL = Self.program
        process.arguments = arguments
        let folder = FileManager.default.temporaryDirectory.path
        process.environment = [
          "HOME": folder, "XDG_CONFIG_HOME": folder, "ALSOFT_DRIVERS": "null", "LANG": "C.UTF-8", "TERM": "xterm",
        ].merging(environment) { $1 }
        process.standardInput = FileHandle(fileDescriptor: window.program)
        process.standardOutput = FileHandle(fileDescriptor: window.program)
        process.standardError = message
        try process.run()
      }

      deinit {
        if process.isRunning { process.terminate() }
      }

      /// The program `explore`, in the folder of the test program.
      private static var program: URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
          .appending(component: "explore")
      }

      /// Whether the process is stopped by a signal, by the system's letter for its state.
      var isStopped: Bool {
        let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
        return status?.contains(") T ") == true
      }

      /// Waits for the end while the window shows what is drawn, and returns the message on standard error.
      func end() -> String {
        #expect(window.waits { _ in !process.isRunning })
        return String(decoding: message.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      }
    }

    @Test(arguments: ["q", "Q", "\u{3}", "\u{1B}[5~q"])
    func `A key quits, and the terminal is as it was`(key: String) throws {
      let session = try Session(Self.size)
      let before = session.window.mode
      #expect(session.window.waits { $0.isAlternate && $0.text.contains("3 crickets.ogg  has a voice") })
      #expect(session.window.mode != before)
      session.window.type(key)
      #expect(session.end() == "")
      #expect(session.process.terminationStatus == 0)
      #expect(session.process.terminationReason == .exit)
      #expect(session.window.mode == before)
      #expect(session.window.waits { !$0.isAlternate && $0.isCursorVisible && $0.wraps })
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV, SIGABRT])
    func `A signal ends the program, and the terminal is as it was`(number: Int32) throws {
      let session = try Session(Self.size, ["SWIFT_BACKTRACE": "enable=no"])
      let before = session.window.mode
      #expect(session.window.waits { $0.isAlternate && $0.text.contains("Q quit") })
      kill(session.process.processIdentifier, number)
      #expect(session.end() == "")
      #expect(session.process.terminationReason == .uncaughtSignal)
      #expect(session.process.terminationStatus == number)
      #expect(session.window.mode == before)
      #expect(session.window.waits { !$0.isAlternate && $0.isCursorVisible && $0.wraps })
    }

    @Test func `Arrows walk and turn, digits mute, and the screen shows it`() throws {
      let session = try Session(Self.size)
      #expect(session.window.waits { $0.rows[11][10].character == "↑" })
      session.window.type("\u{1B}[C")
      session.window.type("\u{1B}[C")
      session.window.type("\u{1B}OC")
      #expect(session.window.waits { $0.rows[11][10].character == "↗" })
      session.window.type("2")
      #expect(session.window.waits { $0.text.contains("2 bell.flac  paused") && $0.text.contains("  muted") })
      session.window.type("2")
      #expect(session.window.waits { !$0.text.contains("  muted") })
      session.window.type("ssssssss")
      #expect(session.window.waits { $0.rows[11][10].character != "↗" })
      session.window.type("q")
      #expect(session.end() == "")
    }

    @Test func `A key shows the state of the world, which goes on, and then the plan again`() throws {
      let session = try Session(Self.size)
      #expect(session.window.waits { $0.text.contains("V world") })
      session.window.type("v")
      #expect(session.window.waits { $0.text.contains("voices 3 of 6 real, 0 virtual") && $0.text.contains("V plan") })
      // The view is drawn anew while it is shown.
      session.window.type("1")
      #expect(
        session.window.waits { $0.text.contains("voices 2 of 6 real") && $0.text.contains("paused by the emitter") }
      )
      for (columns, rows) in [(120, 40), (78, 22)] {
        session.window.resize(to: Screen.Size(columns: columns, rows: rows))
        kill(session.process.processIdentifier, SIGWINCH)
        #expect(session.window.waits { $0.text.contains("voices 2 of 6 real") && $0.text.contains("Q quit") })
      }
      session.window.type("V")
      #expect(session.window.waits { $0.text.contains("V world") && !$0.text.contains("voices") })
      session.window.type("q")
      #expect(session.end() == "")
      #expect(session.process.terminationStatus == 0)
    }

    @Test func `A window that changes its size is drawn anew; one that is too small states the size it needs`() throws {
      let session = try Session(Screen.Size(columns: 40, rows: 10))
      #expect(session.window.waits { $0.text.contains("Needs 78 x 22 characters, has 40 x 10.") })
      for (columns, rows) in [(120, 40), (5, 1), (78, 22), (80, 24)] {
        session.window.resize(to: Screen.Size(columns: columns, rows: rows))
        kill(session.process.processIdentifier, SIGWINCH)
        #expect(session.window.waits { $0.text.contains(columns < 78 ? "Needs" : "Q quit") })
      }
      session.window.type("q")
      #expect(session.end() == "")
      #expect(session.process.terminationStatus == 0)
    }

    @Test func `A program that is suspended and continued restores the terminal, and draws anew`() throws {
      let session = try Session(Self.size)
      let before = session.window.mode
      #expect(session.window.waits { $0.text.contains("Q quit") })
      for count in 1...2 {
        kill(session.process.processIdentifier, SIGTSTP)
        // A process whose shell is gone cannot stop: the system lets it run, and it draws again.
        #expect(session.window.waits { $0.leaveCount == count && (session.isStopped || $0.isAlternate) })
        kill(session.process.processIdentifier, SIGCONT)
        #expect(session.window.waits { $0.isAlternate && !$0.isCursorVisible && $0.text.contains("Q quit") })
      }
      session.window.type("q")
      #expect(session.end() == "")
      #expect(session.process.terminationStatus == 0)
      #expect(session.window.mode == before)
    }

    @Test func `A window that closes ends the program`() throws {
      let session = try Session(Self.size)
      #expect(session.window.waits { $0.text.contains("Q quit") })
      session.window.hangUp()
      #expect(session.end() == "")
      #expect(session.process.terminationReason == .uncaughtSignal)
      #expect(session.process.terminationStatus == SIGHUP)
    }

    @Test func `A window that hangs does not delay the end by a signal`() throws {
      let session = try Session(Self.size)
      #expect(session.window.waits { $0.text.contains("Q quit") })
      // Further sizes fill what the terminal takes, while nobody reads it.
      #expect(session.window.isFilled { kill(session.process.processIdentifier, SIGWINCH) })
      kill(session.process.processIdentifier, SIGTERM)
      session.process.waitUntilExit()
      #expect(session.process.terminationStatus == SIGTERM)
    }

    @Test func `Without UTF-8 and colours, the screen has neither`() throws {
      let session = try Session(Self.size, ["LANG": "C", "NO_COLOR": "1"])
      #expect(session.window.waits { $0.text.contains("Q quit") })
      #expect(session.window.screen.text.allSatisfy { $0.isASCII })
      let renditions = session.window.screen.rows.joined().map(\.rendition)
      #expect(Set(renditions).isSubset(of: ["0", "0;1", "0;2"]))
      session.window.type("q")
      #expect(session.end() == "")
    }

    @Test func `A dumb terminal is refused with the way to use a script`() throws {
      let session = try Session(Self.size, ["TERM": "dumb"])
      #expect(session.end().contains("TERM is \"dumb\""))
      #expect(session.process.terminationStatus == 1)
      #expect(!session.window.screen.isAlternate)
    }
  }
}
