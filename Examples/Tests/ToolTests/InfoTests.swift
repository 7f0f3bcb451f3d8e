import ArgumentParser
import FileDecode
import Foundation
import Stage
import Testing

@testable import audioinfo

@Suite struct InfoTests {
  /// Writes the samples of a file to another kind of file.
  private func save(_ tone: String, as path: String, _ prepare: (inout AudioFileWriter) -> Void = { _ in }) throws {
    let sound = try AudioFile(opening: tone).readAll()
    var writer = try AudioFileWriter(creating: path, format: sound.format)
    try writer.write(sound)
    prepare(&writer)
    try writer.close()
  }

  @Test func `Options that make no sense are refused`() {
    for arguments in [[], ["a.wav", "--json", "--lint"], ["a.wav", "--json", "--details"]] {
      #expect(throws: (any Error).self) { _ = try AudioInfo.parseAsRoot(arguments) }
    }
  }

  @Test func `A file is described in JSON, with null where nothing is known`() throws {
    try withTone { folder, tone in
      try save(tone, as: folder + "/a.mp3")
      let text = try FileDescription.json([folder + "/a.mp3", folder + "/none"].map { FileDescription($0) })
      let array = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
      let keys: Set = [
        "file", "container", "codec", "sampleRate", "channels", "layout", "bitDepth", "duration", "size", "bitRate",
        "validFrames", "primingFrames", "remainderFrames", "totalFrames", "packets", "framesPerPacket", "trimSource",
        "loops", "markers", "tags", "peak", "loudness", "truncated", "error",
      ]
      #expect(array.map { Set($0.keys) } == [keys, keys])
      #expect(array[0]["validFrames"] as? Int == 48_000)
      #expect(array[0]["primingFrames"] as? Int == 1_105)
      #expect(array[0]["trimSource"] as? String == "LAME tag")
      #expect(array[0]["truncated"] as? Bool == false)
      #expect(array[0]["error"] is NSNull)
      #expect((array[0]["loops"] as? [Any])?.isEmpty == true)
      // A file that cannot be read has only unknown values, even for its loops.
      for key in keys.subtracting(["file", "error"]) { #expect(array[1][key] is NSNull, "\(key)") }
      #expect(array[1]["file"] as? String == folder + "/none")
      #expect((array[1]["error"] as? String)?.hasPrefix(folder + "/none cannot be opened") == true)
    }
  }

  @Test func `JSON escapes the characters of a name that control a terminal or turn a text`() throws {
    let name = "/none/a\u{1B}[31m\u{7F}\u{85}\u{9B}31m\u{61C}\u{200F}\u{202E}\u{2066}\u{2028}é\u{65E5}.wav"
    let text = try FileDescription.json([FileDescription(name)])
    let raw = text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x0A: false
      case ..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
    #expect(raw.isEmpty)
    #expect(text.contains("\\u009B31m") && text.contains("\\u202E") && text.contains("é\u{65E5}.wav"))
    let array = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    #expect(array[0]["file"] as? String == name)
  }

  @Test func `Every key says what the file holds`() throws {
    try withTone { folder, tone in
      // Adds a loop of the frames 100 to 899, in a chunk behind the samples.
      var bytes = try Data(contentsOf: URL(fileURLWithPath: tone))
      bytes += Data("smpl".utf8) + little(60, 0, 0, 0, 0, 0, 0, 0, 1, 0) + little(0, 0, 100, 899, 0, 0)
      try bytes.write(to: URL(fileURLWithPath: folder + "/loop.wav"))
      let text = try FileDescription.json([FileDescription(folder + "/loop.wav")])
      let array = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
      let found = try #require(array.first)
      for (key, value) in [
        "container": "WAV", "codec": "16-bit integer", "trimSource": "none", "file": folder + "/loop.wav",
      ] { #expect(found[key] as? String == value, "\(key)") }
      for (key, value) in [
        "sampleRate": 48_000, "channels": 1, "validFrames": 48_000, "primingFrames": 0, "remainderFrames": 0,
        "totalFrames": 48_000, "packets": 48_000, "framesPerPacket": 1,
      ] { #expect(found[key] as? Int == value, "\(key)") }
      let loops = try #require(found["loops"] as? [[String: Any]])
      #expect(loops.map { Set($0.keys) } == [["start", "end", "direction", "playCount"]])
      #expect(loops[0]["start"] as? Int == 100 && loops[0]["end"] as? Int == 900)
      #expect(loops[0]["direction"] as? String == "forward" && loops[0]["playCount"] is NSNull)
      #expect(found["truncated"] as? Bool == false)
      #expect(found["error"] is NSNull)
    }
  }

  @Test func `A file is described in words`() throws {
    try withTone { folder, tone in
      try save(tone, as: folder + "/a.wav") { writer in
        writer.loops = [AudioLoop(range: 10..<900, direction: .alternating, playCount: 3)]
        writer.markers = [AudioMarker(frame: 7, name: "Verse\u{1B}[2J")]
        writer.tags.title = "Tone"
      }
      let size = try #require(
        try FileManager.default.attributesOfItem(atPath: folder + "/a.wav")[.size] as? Int
      )
      #expect(
        FileDescription(folder + "/a.wav").description == """
          \(folder)/a.wav
            format: WAV, 16-bit integer, 48000 Hz, mono
            length: 1.000 s, 48000 frames
            size: \(FileDescription.bytes(size)), 770 kbit/s on average
            level: peak -8.0 dBFS, loudness -11.7 LUFS
            packets: 48000, of 1 frame each
            frames: 0 priming + 48000 valid + 0 remainder = 48000 total (from: none)
            loop: frames 10 to 900, back and forth, 3 times
            marker: frame 7, Verse\u{FFFD}[2J
            TITLE: Tone
          """
      )
    }
  }

  @Test func `Several files are rows of a table, and a failure is a line below it`() throws {
    try withTone { folder, tone in
      try save(tone, as: folder + "/a.flac")
      let found = InputFile.expand([folder, folder + "/none.wav"], recursive: true)
      let lines = FileTable(FileDescription.all(of: found)).description.split(separator: "\n")
      #expect(lines.count == 4)
      #expect(lines[0].hasPrefix("file ") && lines[0].hasSuffix(" LUFS"))
      #expect(lines[1].hasPrefix(folder + "/a.flac ") && lines[1].contains(" FLAC "))
      #expect(lines[2].hasPrefix(tone + "  ") && lines[2].hasSuffix("-8.0  -11.7"))
      #expect(lines[0].count == lines[1].count && lines[1].count == lines[2].count)
      #expect(lines[3].hasPrefix(folder + "/none.wav: error: "))
      #expect("\(FileTable(FileDescription.all(of: [])))" == "")
    }
  }

  @Test func `A folder needs the option for folders`() throws {
    try withTone { folder, _ in
      let found = FileDescription.all(of: InputFile.expand([folder], recursive: false))
      #expect(
        found.map(\.error) == ["\(folder) is a folder: add --recursive for the sound files in it, or name a file."]
      )
    }
  }

  /// The values of ffmpeg 5.1.9: `ffmpeg -i FILE -filter_complex ebur128 -f null -`.
  @Test(arguments: [(ExampleSounds.bell, -20.0), (ExampleSounds.crickets, -20.1), (ExampleSounds.brook, -20.0)])
  func `The loudness is that of another meter`(path: String, expected: Double) throws {
    #expect(abs(try #require(FileDescription(path).loudness) - expected) < 0.1)
  }

  @Test func `Damaged and silent files have no level that is not a number`() throws {
    try withTone { folder, tone in
      let bytes = try Data(contentsOf: URL(fileURLWithPath: tone))
      for (name, content) in [
        ("empty.wav", Data()), ("text.wav", Data("no sound at all".utf8)), ("cut.wav", bytes.prefix(1_000)),
        ("head.wav", bytes.prefix(44)),
      ] {
        try content.write(to: URL(fileURLWithPath: folder + "/" + name))
      }
      let format = PCMFormat.mono(sampleRate: 48_000)
      var writer = try AudioFileWriter(creating: folder + "/nan.wav", format: format, codec: .float32)
      try writer.write(
        PCMBuffer<Float>(samples: [.nan, .infinity, 0.5] + [Float](repeating: 0, count: 30_000), format: format)
      )
      try writer.close()
      let found = FileDescription.all(of: InputFile.expand([folder], recursive: true))
      #expect(found.count == 6)
      for description in found {
        #expect(description.peak?.isFinite != false && description.loudness?.isFinite != false)
        #expect(description.error != nil || description.validFrames != nil, "\(description)")
      }
      #expect(try FileDescription.json(found).contains("\"error\""))
    }
  }

  @Test func `Numbers are in the form that a person reads`() {
    let times = [0, 5.2, 59.9996, 65.2, 3_665.2].map { FileDescription.time($0) }
    #expect(times == ["0.000 s", "5.200 s", "1:00.000", "1:05.200", "1:01:05.200"])
    let sizes = [0, 1, 999, 2_134_567, 1_000_007_000].map { FileDescription.bytes($0) }
    #expect(sizes == ["0 bytes", "1 byte", "999 bytes", "2.1 MB (2,134,567 bytes)", "1.0 GB (1,000,007,000 bytes)"])
    let rates = [8_400, 127_600].map { FileDescription.kilobits($0) }
    #expect(rates == ["8.4", "128"])
  }

  @Test func `The version is the first one of the changelog`() throws {
    var folder = URL(fileURLWithPath: #filePath)
    while !FileManager.default.fileExists(atPath: folder.path + "/CHANGELOG.md") { folder.deleteLastPathComponent() }
    let text = try String(contentsOf: folder.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
    let heading = try #require(text.split(separator: "\n").first { $0.hasPrefix("## ") })
    #expect(heading.lowercased().hasPrefix("## " + Tools.version))
  }

  @Test func `What a channel has is told by that channel`() throws {
    // A hum on the left, and a hiss on the right.
    let format = PCMFormat.stereo(sampleRate: 48_000)
    var samples: [Float] = []
    for frame in 0..<48_000 {
      for frequency in [300.0, 15_000] {
        samples.append(0.4 * Float(sin(2 * .pi * frequency * Double(frame) / 48_000)))
      }
    }
    let bandwidth = Bandwidth(of: try PCMBuffer(samples: samples, format: format))
    #expect(abs(bandwidth.highest - 15_000) < 200)
    #expect(bandwidth.sufficientRate == 44_100)
  }

  @Test func `Advice names what costs, and what is heard`() throws {
    try withTone { folder, tone in
      var loud: [Float] = []
      for frame in 0..<22_050 {
        let sample = Float(sin(2 * .pi * 300 * Double(frame) / 22_050)) * 1.5 + 0.1
        loud += [sample, sample]
      }
      let format = PCMFormat.stereo(sampleRate: 22_050)
      var writer = try AudioFileWriter(creating: folder + "/loud.wav", format: format)
      try writer.write(PCMBuffer(samples: loud, format: format))
      try writer.close()
      let report = "\(LintReport(of: InputFile.expand([tone, folder + "/loud.wav"], recursive: false)))"
      for words in [
        "loud.wav: 2 channels: only mono is placed in 3D, and both are the same", "loud.wav: it clips in",
        "loud.wav: channel 1 is off zero", "tone.wav: nothing is above", "KB as FLAC", "files are not at",
      ] {
        #expect(report.contains(words), "\(words)")
      }
    }
  }
}
