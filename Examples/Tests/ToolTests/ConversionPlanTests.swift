import ArgumentParser
import FileDecode
import Foundation
import Stage
import Testing

@testable import audioconvert

/// The arguments of the program become files to read and files to write.
@Suite struct ConversionPlanTests {
  private func input(_ path: String, _ relativePath: String? = nil) throws -> InputFile {
    let file = try InputFile.expand([path], recursive: false)[0].get()
    guard let relativePath else { return file }
    return InputFile(path: file.path, relativePath: relativePath)
  }

  private func outputs(_ paths: [String], to output: String, isFolder: Bool = false, kind: String? = nil) throws
    -> [String]
  {
    let inputs = try paths.map { try input($0) }
    return try ConversionPlan(inputs, hasSeveral: paths.count > 1, to: output, isFolder: isFolder, kind: kind)
      .conversions.map(\.output)
  }

  @Test func `A file becomes the output, or a file in the output folder`() throws {
    #expect(try outputs(["x/a.wav"], to: "b.ogg") == ["b.ogg"])
    #expect(try outputs(["x/a.wav"], to: "b.OGG") == ["b.OGG"])
    #expect(try outputs(["x/a.wav"], to: "out/") == ["out/a.wav"])
    #expect(try outputs(["x/a.wav"], to: "out", isFolder: true, kind: "mp3") == ["out/a.mp3"])
    #expect(try outputs(["x/a.WAV", "y/b.flac"], to: "out/") == ["out/a.wav", "out/b.flac"])
    #expect(try outputs(["a", "b.c.mp2"], to: "out/", kind: "opus") == ["out/a.opus", "out/b.c.opus"])
    #expect(try outputs(["-"], to: "b.wav") == ["b.wav"])
    #expect(try outputs(["a.wav"], to: "-", kind: "flac") == ["-"])
  }

  @Test func `Files of a folder keep their places below the output folder`() throws {
    let files = [try input("in/a.wav"), try input("in/x/a.wav", "x/a.wav"), try input("in/x.y/b", "x.y/b")]
    let plan = try ConversionPlan(files, hasSeveral: true, to: "out/", isFolder: false, kind: "ogg")
    #expect(plan.conversions.map(\.output) == ["out/a.ogg", "out/x/a.ogg", "out/x.y/b.ogg"])
  }

  @Test(
    arguments: [
      (["a.wav", "b.wav"], "c.wav", nil, "Several inputs need a folder as output: end c.wav with /"),
      (["a.wav"], "-", nil, "Standard output has no extension: add --to"),
      (["a.wav"], "-", "xyz", "--to takes one of wav, aiff"),
      (["a.wav"], "b.ogg", "ogg", "--to is for a folder or - as output"),
      (["a.wav"], "b", nil, "The extension of b stands for no kind of file: use one of .wav, .aiff"),
      (["a.m4a"], "out/", nil, "a.m4a keeps no extension that can be written: add --to with one of .wav"),
      (["-"], "out/", "wav", "Standard input has no name for a file in out/"),
      (["x/a.wav", "y/a.wav"], "out/", nil, "x/a.wav and y/a.wav would both become out/a.wav"),
      (["a.wav", "a.flac"], "out/", "ogg", "a.wav and a.flac would both become out/a.ogg"),
      (["x/a.wav", "x/a.ogg"], "x/", "ogg", "x/a.wav would become x/a.ogg, which is an input too"),
      (["x/a.wav", "y/b.wav", "./y/a.wav"], "y/", "wav", "x/a.wav and ./y/a.wav would both become y/a.wav"),
    ] as [([String], String, String?, String)]
  )
  func `Arguments that make no plan are refused in a sentence`(
    paths: [String],
    output: String,
    kind: String?,
    words: String
  ) throws {
    let error = #expect(throws: ConversionPlan.Problem.self) { _ = try outputs(paths, to: output, kind: kind) }
    #expect(error?.message.hasPrefix(words) == true, "\(error?.message ?? "")")
  }

  @Test func `An output that another conversion reads is refused`() throws {
    let files = [try input("x/a.wav", "b.wav"), try input("out/b.wav", "c.wav")]
    let error = #expect(throws: ConversionPlan.Problem.self) {
      _ = try ConversionPlan(files, hasSeveral: true, to: "out/", isFolder: true, kind: nil)
    }
    #expect(error?.message == "x/a.wav would become out/b.wav, which is an input too: name another folder.")
  }

  @Test func `Each kind of file takes the options that it has, and the sentence names their values`() throws {
    func problem(_ kind: String, _ arguments: String...) throws -> String? {
      try ConversionOptions.parse(arguments).problem(for: kind)
    }
    for kind in ConversionPlan.kinds { #expect(try problem(kind) == nil) }
    #expect(try problem("wav", "--codec", "vorbis") == "--codec vorbis is not for .wav files: use --codec pcm.")
    #expect(try problem("caf", "--codec", "mp3") == "--codec mp3 is not for .caf files: use --codec pcm or alac.")
    #expect(
      try problem("flac", "--sample-format", "float32")
        == "--sample-format float32 is not for .flac files: use --sample-format int16 or int24."
    )
    #expect(try problem("ogg", "--sample-format", "int16") == "--sample-format is not for .ogg files: leave it out.")
    #expect(
      try problem("wav", "--quality", "1")
        == "--quality is for .ogg, .opus and .mp3 files: .wav files keep the sound as it is."
    )
    #expect(try problem("ogg", "--bit-rate", "96") == "--bit-rate is for .opus and .mp3 files: use --quality for .ogg.")
    #expect(try problem("opus", "--bit-rate", "96") == nil)
    #expect(
      try problem("opus", "--rate", "22050")
        == "--rate 22050 is not for .opus files: use --rate 8000, 12000, 16000, 24000 or 48000."
    )
    #expect(try problem("mp3", "--rate", "22050") == nil)
    // The writer takes every codec without a problem.
    for kind in ConversionPlan.kinds {
      for codec in ConversionOptions.Codec.allCases where try problem(kind, "--codec", codec.rawValue) == nil {
        let options = try ConversionOptions.parse(["--codec", codec.rawValue])
        let encoding = OutputEncoding(of: .int16, bitDepth: 16, in: kind, options.encoding)
        _ = try AudioFileWriter(creating: "/tmp/.x.\(kind)", format: .mono(sampleRate: 48_000), codec: encoding.codec)
      }
    }
  }

  @Test(arguments: [("opus", 8_000), ("opus", 48_000), ("mp3", 11_025), ("mp3", 24_000), ("mp3", 44_100)])
  func `The bit rates that a sentence names are those that the writer takes`(kind: String, rate: Int) throws {
    for format in [PCMFormat.mono(sampleRate: rate), .stereo(sampleRate: rate)] {
      for bitRate in [1, 5, 6, 7, 8, 11, 12, 31, 32, 40, 48, 56, 63, 64, 65, 160, 161, 256, 257, 320, 321, 512, 513] {
        let options = try ConversionOptions.parse(["--bit-rate", "\(bitRate)"])
        let quality = try #require(options.encodingQuality)
        var isRefused = false
        do throws(AudioFileError) {
          _ = try AudioFileWriter(creating: NSTemporaryDirectory() + "x.\(kind)", format: format, quality: quality)
        } catch {
          #expect(error.code == .invalidQuality)
          isRefused = true
        }
        #expect((options.problem(for: kind, format) != nil) == isRefused)
      }
    }
    let options = try ConversionOptions.parse(["--bit-rate", "500"])
    #expect(
      options.problem(for: "mp3", .mono(sampleRate: 8_000))
        == "--bit-rate 500 is not for mono at 8000 Hz in .mp3 files: use --bit-rate 24 to 64."
    )
  }

  @Test func `Opus and MP3 get 48 kHz for a rate that they lack`() throws {
    let options = try ConversionOptions.parse([])
    #expect([8_000, 24_000, 48_000].map { options.outputRate(for: "opus", inputRate: $0) } == [nil, nil, nil])
    #expect(
      [11_025, 44_100, 96_000].map { options.outputRate(for: "opus", inputRate: $0) } == [48_000, 48_000, 48_000]
    )
    #expect([44_100, 37_800, 96_000].map { options.outputRate(for: "mp3", inputRate: $0) } == [nil, 48_000, 48_000])
    #expect(options.outputRate(for: "wav", inputRate: 96_000) == nil)
    #expect(try ConversionOptions.parse(["--rate", "22050"]).outputRate(for: "opus", inputRate: 44_100) == 22_050)
  }

  @Test func `The time that is left follows from the time so far`() {
    #expect(BatchProgress.left(after: .seconds(10), done: 0.25) == .seconds(30))
    #expect(BatchProgress.left(after: .milliseconds(500), done: 0.5) == nil)
    #expect(BatchProgress.left(after: .seconds(10), done: 0) == nil)
    #expect(BatchProgress.left(after: .seconds(10), done: 1) == nil)
  }
}
