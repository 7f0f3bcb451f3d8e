import FileDecode
import Foundation
import Testing

/// The program with several files, folders, and standard input and output.
@Suite struct BatchTests {
  /// The end of a run of the program: its status and what it printed.
  private struct Run {
    let status: Int32
    let output: Data
    let errors: String
  }

  /// Runs the program in a folder.
  private func run(_ arguments: [String], in folder: String, input: Data? = nil, limit: Int? = nil) throws -> Run {
    let process = Process()
    let products = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") as NSString
    let files = [folder + "/.in", folder + "/.out", folder + "/.err"]
    try (input ?? Data()).write(to: URL(fileURLWithPath: files[0]))
    for file in files.dropFirst() { try Data().write(to: URL(fileURLWithPath: file)) }
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.arguments =
      ["-c", (limit.map { "ulimit -f \($0); " } ?? "") + #"exec "$0" "$@" <.in >.out 2>.err"#]
      + [products.deletingLastPathComponent + "/audioconvert"] + arguments
    try process.run()
    process.waitUntilExit()
    let errors = try String(contentsOf: URL(fileURLWithPath: files[2]), encoding: .utf8)
    let output = try Data(contentsOf: URL(fileURLWithPath: files[1]))
    for file in files { try FileManager.default.removeItem(atPath: file) }
    #expect(process.terminationReason == .exit)
    return Run(status: process.terminationStatus, output: output, errors: errors)
  }

  private func paths(below folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
  }

  /// Makes a folder `in` with three sounds.
  private func withSounds(_ body: (_ folder: String) throws -> Void) throws {
    try withTone { folder, tone in
      try FileManager.default.createDirectory(atPath: folder + "/in/deep", withIntermediateDirectories: true)
      for name in ["in/b.wav", "in/a.wav", "in/deep/c.wav"] {
        try FileManager.default.copyItem(atPath: tone, toPath: folder + "/" + name)
      }
      try FileManager.default.removeItem(atPath: tone)
      try body(folder)
    }
  }

  @Test func `A folder is converted below another, and the results are printed in order`() throws {
    try withSounds { folder in
      let arguments = ["in", "out/x/", "--recursive", "--to", "ogg", "--jobs", "3"]
      let plan = try run(arguments + ["--dry-run"], in: folder)
      #expect(plan.status == 0)
      #expect(String(decoding: plan.output, as: UTF8.self).split(separator: "\n").count == 3)
      #expect(try paths(below: folder) == ["in", "in/a.wav", "in/b.wav", "in/deep", "in/deep/c.wav"])
      let result = try run(arguments, in: folder)
      #expect(result.status == 0)
      #expect(result.errors == "")
      #expect(
        String(decoding: result.output, as: UTF8.self)
          == "Wrote out/x/a.ogg\nWrote out/x/b.ogg\nWrote out/x/deep/c.ogg\n"
      )
      #expect(try paths(below: folder + "/out/x") == ["a.ogg", "b.ogg", "deep", "deep/c.ogg"])
    }
  }

  @Test func `A file that fails stops no other, and leaves no folder of its own`() throws {
    try withSounds { folder in
      try Data("no sound".utf8).write(to: URL(fileURLWithPath: folder + "/in/deep/c.wav"))
      let result = try run(["in", "out/", "-r", "--to", "flac"], in: folder)
      #expect(result.status == 1)
      #expect(result.errors.contains("in/deep/c.wav is no sound file"))
      #expect(try paths(below: folder + "/out") == ["a.flac", "b.flac"])
    }
  }

  @Test func `Standard input and output are sounds too`() throws {
    try withSounds { folder in
      let sound = try Data(contentsOf: URL(fileURLWithPath: folder + "/in/a.wav"))
      let result = try run(["-", "-", "--to", "flac"], in: folder, input: sound)
      #expect(result.status == 0)
      #expect(result.errors == "")
      #expect(result.output.starts(with: Data("fLaC".utf8)))
      let file = try AudioFile(bytes: [UInt8](result.output)).readAll()
      #expect(try file == AudioFile(opening: folder + "/in/a.wav").readAll())
      let nothing = try run(["-", "x.wav"], in: folder)
      #expect(nothing.status == 1)
      #expect(nothing.errors.hasPrefix("Standard input is empty"))
    }
  }

  /// Runs a script of the shell, in which `audioconvert` is the program, and returns what it printed.
  private func script(_ text: String, in folder: String) throws -> String {
    let process = Process()
    let products = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") as NSString
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.arguments = [
      "-c", "audioconvert() { \"$0/audioconvert\" \"$@\"; }; " + text, products.deletingLastPathComponent,
    ]
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: printed, as: UTF8.self)
  }

  @Test func `A reader of the output that ends stops the program, which leaves nothing`() throws {
    try withSounds { folder in
      try FileManager.default.createDirectory(atPath: folder + "/tmp", withIntermediateDirectories: true)
      let printed = try script(
        "TMPDIR=$PWD/tmp audioconvert in/a.wav - --to wav | head -c 4; echo \" ${PIPESTATUS[0]}\"",
        in: folder
      )
      #expect(printed == "RIFF 141\n")
      #expect(try paths(below: folder + "/tmp") == [])
    }
  }

  @Test func `A signal ends the program while it waits for standard input or output`() throws {
    try withSounds { folder in
      try FileManager.default.createDirectory(atPath: folder + "/tmp", withIntermediateDirectories: true)
      // The pipes stay open, with a first byte in one and a full buffer in the other.
      let printed = try script(
        """
        export TMPDIR=$PWD/tmp
        mkfifo tmp/in tmp/out
        exec 3<>tmp/in 4<>tmp/out
        printf R >&3
        "$0/audioconvert" - x.wav <&3 &
        reader=$!
        "$0/audioconvert" in/a.wav - --to wav >&4 &
        writer=$!
        until ls -l /proc/$reader/fd 2>/dev/null | grep -q 'tmp/.audioconvert-.*deleted'; do :; done
        until ls -l /proc/$writer/fd 2>/dev/null | grep -q 'tmp/.audioconvert-.*deleted'; do :; done
        kill -TERM $reader $writer
        wait $reader; echo $?
        wait $writer; echo $?
        ls -A tmp; ls
        """,
        in: folder
      )
      #expect(printed == "143\n143\nin\nout\nin\ntmp\n")
    }
  }

  @Test func `A damaged input is a note, and a status on request`() throws {
    try withSounds { folder in
      let sound = try Data(contentsOf: URL(fileURLWithPath: folder + "/in/a.wav"))
      try sound.prefix(20_000).write(to: URL(fileURLWithPath: folder + "/cut.wav"))
      for (options, status) in [([], 0), (["--strict"], 2)] as [([String], Int32)] {
        let result = try run(["cut.wav", "a.ogg", "--force"] + options, in: folder)
        #expect(result.status == status)
        #expect(result.errors.contains("cut.wav holds less than it should"))
        #expect(try paths(below: folder).contains("a.ogg"))
      }
    }
  }

  @Test func `A limit of the size of files leaves nothing`() throws {
    try withSounds { folder in
      let result = try run(["in/a.wav", "big.wav"], in: folder, limit: 20)
      #expect(result.status == 1)
      #expect(result.errors.contains("big.wav could not be written: File too large"))
      #expect(try paths(below: folder) == ["in", "in/a.wav", "in/b.wav", "in/deep", "in/deep/c.wav"])
    }
  }

  @Test func `Loops, markers and texts are kept, and what a kind does not hold is printed`() throws {
    try withSounds { folder in
      var writer = try AudioFileWriter(creating: folder + "/loop.wav", format: .mono(sampleRate: 48_000))
      try writer.write(AudioFile(opening: folder + "/in/a.wav").readAll())
      writer.loops = [AudioLoop(range: 1_000..<40_001)]
      writer.markers = [AudioMarker(frame: 7, name: "Verse")]
      writer.tags.title = "Growl"
      writer.tags.software = "growl 1.0"
      try writer.close()
      for (name, errors) in [
        ("a.wav", ""), ("a.aiff", ""), ("a.caf", ""), ("a.flac", "a.flac does not hold the marker at frame 7.\n"),
        ("a.mp3", "a.mp3 does not hold the marker at frame 7.\n"),
      ] {
        let result = try run(["loop.wav", name], in: folder)
        #expect(result.errors == errors)
        let file = try AudioFile(opening: folder + "/" + name)
        #expect(file.loopRange == 1_000..<40_001)
        #expect(file.tags.title == "Growl")
        #expect(file.tags.software != "growl 1.0")
      }
    }
  }

  @Test func `A sound for Opus is converted to a rate that it has`() throws {
    try withSounds { folder in
      var writer = try AudioFileWriter(creating: folder + "/cd.wav", format: .mono(sampleRate: 44_100))
      try writer.write(
        PCMBuffer<Float>(samples: [Float](repeating: 0, count: 44_100), format: .mono(sampleRate: 44_100))
      )
      try writer.close()
      let result = try run(["cd.wav", "cd.opus"], in: folder)
      #expect(result.status == 0)
      #expect(result.errors == "cd.opus is at 48000 Hz: .opus files do not hold 44100 Hz.\n")
    }
  }
}
