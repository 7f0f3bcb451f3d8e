import Foundation
import Spatial3DTesting
import Testing

@testable import Spatial3D

/// Recording, where there may be no input.
@Suite struct CaptureTests {
  private func error(named name: String? = nil, format: PCMFormat = Scenes.mono) -> AudioError? {
    do throws(AudioError) {
      _ = try AudioCapture(named: name, format: format)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: ["", " ", "\0", "No Input\0", "OpenAL Soft", "openal-soft", String(repeating: "x", count: 100_000)])
  func `An input that does not exist is named, with those that do`(name: String) {
    let error = error(named: name)
    #expect(error?.code == .deviceUnavailable)
    let sentence = "\(error, default: "")"
    #expect(sentence.hasPrefix("Could not open an audio input: there is no input named \"\(name.prefix(100))\"."))
    #expect(sentence.count < 2_000)
    let names = AudioCapture.inputNames
    #expect(sentence.contains(names.isEmpty ? "The system knows no input." : names[0]))
  }

  @Test(arguments: [
    PCMFormat.mono(sampleRate: 0), .mono(sampleRate: -1), .mono(sampleRate: .max), .mono(sampleRate: 7_999),
    PCMFormat(sampleRate: 48_000, layout: .discrete(3)), PCMFormat(sampleRate: 48_000, layout: .ambisonic(order: 1)),
  ])
  func `A format that cannot be recorded is refused by name`(format: PCMFormat) {
    let error = error(format: format)
    #expect(error?.code == .formatUnsupported)
    #expect("\(error, default: "")".contains("\(format)"))
  }

  @Test func `The default input opens, or the error explains how to get one`() {
    do throws(AudioError) {
      var capture = try AudioCapture(format: Scenes.stereo)
      let name = capture.name
      #expect(AudioCapture.inputNames.contains(name))
      let available = capture.availableFrameCount
      #expect(available == 0)
      var isRecording = [capture.isRecording]
      for _ in 1...2 {
        capture.start()
        isRecording.append(capture.isRecording)
      }
      capture.stop()
      isRecording.append(capture.isRecording)
      #expect(isRecording == [false, true, true, false])
    } catch {
      #expect(error.code == .deviceUnavailable)
      #expect("\(error)".contains("the default input would not open as stereo at 48000 Hz."))
      #expect("\(error)".contains("Connect one or start the sound server."))
    }
  }

  @Test(.enabled(if: (try? AudioCapture()) != nil, "no input device opens here"))
  func `A second of input is as many frames as its rate, read into the same memory`() throws {
    var capture = try AudioCapture(format: Scenes.stereo)
    var piece = PCMBuffer<Float>(format: .mono(sampleRate: 8_000))
    let first = capture.read(into: &piece)
    #expect(first == 0)
    #expect(piece.format == Scenes.stereo)
    capture.start()
    var frames = 0
    let deadline = ContinuousClock.now + .seconds(30)
    while frames < 48_000, capture.isConnected, ContinuousClock.now < deadline {
      let count = capture.read(into: &piece, maxFrames: min(480, 48_000 - frames))
      #expect(count <= 480)
      #expect(piece.samples.count == 2 * count)
      #expect(piece.samples.allSatisfy { $0.isFinite })
      frames += count
    }
    capture.stop()
    #expect(frames == 48_000)
    let none = capture.read(into: &piece, maxFrames: -1)
    #expect(none == 0)
  }

  /// Points ALSA to an input that plays a file of samples, and the library to ALSA alone.
  private static func useFile(of samples: [Float]) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "capture-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (input, settings) = (folder.appending(path: "input.raw"), folder.appending(path: "asound.conf"))
    let bytes = samples.flatMap { sample in (0..<4).map { UInt8(truncatingIfNeeded: sample.bitPattern >> (8 * $0)) } }
    try Data(bytes).write(to: input)
    let device = "type file\nslave.pcm { type null }\nfile /dev/null\ninfile \(input.path)\nformat raw"
    try Data("pcm.!default {\n\(device)\n}\n".utf8).write(to: settings)
    // No other thread runs in the new process yet.
    unsafe setenv("ALSA_CONFIG_PATH", settings.path, 1)
    unsafe setenv("ALSOFT_DRIVERS", "alsa", 1)
  }

  @Test(arguments: [1, 2]) func `The frames of an input are read in order, into a buffer of its format`(channels: Int)
    async
  {
    await #expect(processExitsWith: .exitCode(7)) { [channels] in
      let samples = (0..<96_000).map { Float($0) / 131_072 }
      try Self.useFile(of: samples)
      // A library without ALSA has no such input.
      guard AudioCapture.inputNames.contains("ALSA Default") else { exit(7) }
      let format = channels == 1 ? Scenes.mono : Scenes.stereo
      var capture = try AudioCapture(format: format)
      let names = [capture.name, AudioCapture.defaultInputName ?? ""]
      guard names == ["ALSA Default", "ALSA Default"], capture.format == format, capture.isConnected else { exit(8) }
      guard capture.availableFrameCount == 0, !capture.isRecording else { exit(9) }
      var buffer = PCMBuffer<Float>(format: .mono(sampleRate: 8_000))
      guard capture.read(into: &buffer) == 0, buffer.format == format, buffer.samples.isEmpty else { exit(10) }
      capture.start()
      capture.start()
      guard capture.isRecording, capture.availableFrameCount > 10_000 else { exit(11) }
      var found: [Float] = []
      for count in [100, 1, 0, -5, 399] {
        guard capture.read(into: &buffer, maxFrames: count) == max(count, 0) else { exit(12) }
        guard buffer.frameCount == max(count, 0) else { exit(13) }
        found += buffer.samples
      }
      guard capture.read(into: &buffer) == 4_096 else { exit(14) }
      found += buffer.samples
      guard found == Array(samples.prefix(4_596 * channels)) else { exit(15) }
      capture.stop()
      capture.stop()
      guard !capture.isRecording else { exit(16) }
      exit(7)
    }
  }
}
