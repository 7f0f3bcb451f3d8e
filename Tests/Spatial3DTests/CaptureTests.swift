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
}
