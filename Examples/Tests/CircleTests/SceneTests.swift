import FileDecode
import Foundation
import FoundationXML
import Spatial3D
import Stage
import Testing

@testable import circle

@Suite struct SceneTests {
  private func scene(of paths: [String], seconds: Double) throws -> Scene {
    Scene(of: try paths.map { try MonoSound(AudioFile(opening: $0).readAll(), from: $0) }, seconds: seconds)
  }

  @Test func `A sound at the right is louder at the right ear, and the other way round`() throws {
    let scene = try scene(of: ExampleSounds.all, seconds: 12)
    let measurement = try Measurement(of: scene, recordingTo: nil)
    var compared = 0
    for (index, levels) in measurement.solos.enumerated() {
      for time in stride(from: 0.5, to: 11.5, by: 0.1) {
        let azimuth = scene.azimuth(of: index, at: time)
        let (left, right) = levels.levels(at: time, window: 0.1)
        guard (30...150).contains(abs(azimuth)) else { continue }
        compared += 1
        #expect(azimuth > 0 ? right > left + 3 : left > right + 3, "sound \(index + 1) at \(time)")
      }
    }
    #expect(compared > 150)
  }

  @Test func `The mix does not clip, and is the same each time`() throws {
    let scene = try scene(of: ExampleSounds.all + ExampleSounds.all, seconds: 3)
    let (once, again) = (try Measurement(of: scene, recordingTo: nil), try Measurement(of: scene, recordingTo: nil))
    #expect(once.peak < 0)
    #expect(once.peak > -30)
    #expect(LevelTable(of: once, in: scene).description == LevelTable(of: again, in: scene).description)
    #expect(WalkPlot(of: once, in: scene).markup == WalkPlot(of: again, in: scene).markup)
  }

  @Test(arguments: [1.0, 5, 10, 24])
  func `The headings of a table are whole on short walks, too`(seconds: Double) throws {
    let silence = try PCMBuffer(samples: [Float(0)], format: .mono(sampleRate: 48_000))
    let scene = Scene(of: [MonoSound(silence, from: "a.wav")], seconds: seconds)
    let measurement = try Measurement(of: scene, recordingTo: nil)
    let lines = LevelTable(of: measurement, in: scene).description.split(separator: "\n")
    let headings = try #require(lines.first { $0.contains("a.wav") }).split(separator: "│")
    #expect(headings.map { $0.trimmingCharacters(in: .whitespaces) } == ["time", "1 a.wav", "together"])
  }

  @Test func `Even sounds at full scale do not clip together`() throws {
    let square = try PCMBuffer(
      samples: (0..<48_000).map { Float(($0 / 400).isMultiple(of: 2) ? 1 : -1) },
      format: .mono(sampleRate: 48_000)
    )
    let scene = Scene(of: Array(repeating: MonoSound(square, from: "square.wav"), count: 4), seconds: 4)
    let measurement = try Measurement(of: scene, recordingTo: nil)
    #expect(measurement.peak < 0)
    #expect(measurement.peak > -12)
  }

  @Test(arguments: [1, 2, 3, 5, 8], [1.0, 12])
  func `A drawing is XML, refers to nothing outside, and names every sound`(count: Int, seconds: Double) throws {
    let scene = try scene(of: Array(repeating: ExampleSounds.bell, count: count), seconds: seconds)
    let measurement = try Measurement(of: scene, recordingTo: nil)
    let markup = WalkPlot(of: measurement, in: scene).markup
    #expect(XMLParser(data: Data(markup.utf8)).parse())
    #expect(markup.components(separatedBy: "http").count == 2)  // The name of the SVG language alone.
    #expect(markup.components(separatedBy: ">bell.flac<").count > count)
    #expect(!markup.contains("nan") && !markup.contains("inf"))
  }
}
