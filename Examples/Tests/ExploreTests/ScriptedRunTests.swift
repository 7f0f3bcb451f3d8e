import ArgumentParser
import FileDecode
import Foundation
import FoundationXML
import Spatial3D
import Stage
import Testing

@testable import explore

@Suite struct ScriptedRunTests {
  private static let size = Screen.Size(columns: 80, rows: 24)

  private func run(_ script: String, frames: Int = 1) throws -> ScriptedRun {
    let sounds = try ExampleSounds.all.map(MonoSound.init(opening:))
    return try ScriptedRun(of: sounds, by: KeyScript(script), frameCount: frames, size: Self.size, .unicode)
  }

  @Test func `A script has the same screens in every run`() throws {
    let script = "up*5 right*3 1 0.5s"
    let (one, other) = (try run(script, frames: 3), try run(script, frames: 3))
    #expect(one.frames.map(\.screen) == other.frames.map(\.screen))
    #expect(one.frames.map { ($0.time * 30).rounded() } == [14, 28, 42])
    #expect(one.frames[2].screen.text.contains("explore · 1.4 s · in the hall · offline, by a script"))
    #expect(one.frames[2].screen.text.contains("1 brook.wav  paused"))
  }

  @Test func `The tour enters the garden, and its mix does not clip`() throws {
    let run = try run(KeyScript.tour)
    let text = try #require(run.frames.last).screen.text
    #expect(text.contains("in the garden"))
    #expect(text.contains("2 bell.flac  looped"))
    #expect(run.peak < 0.95 && run.peak > 0.1, "\(run.peak)")
  }

  @Test func `A sound on the right is louder at the right ear, and after half a turn at the left one`() throws {
    // A plan cannot be chosen, so the sounds that are elsewhere are silent.
    let noise = try PCMBuffer(
      samples: (0..<48_000).map { Float($0 * 7_919 % 101 - 50) / 100 },
      format: .mono(sampleRate: 48_000)
    )
    let exploration = try Exploration(of: [MonoSound(noise, from: "noise.wav")])
    func ears() -> (left: Double, right: Double) {
      for _ in 0..<30 { exploration.advance(by: 1.0 / 30) }
      return (exploration.readings.ears.left.level, exploration.readings.ears.right.level)
    }
    // The sound is in the north-west.
    let ahead = ears()
    #expect(ahead.left > ahead.right + 1)
    for _ in 0..<18 {
      exploration.perform(.turn(1))
      exploration.advance(by: 0.1)
    }
    let behind = ears()
    #expect(behind.right > behind.left + 1)
    exploration.perform(.toggleMute(0))
    for _ in 0..<90 { exploration.advance(by: 1.0 / 30) }
    #expect(exploration.readings.ears.left.level < ahead.left - 20)
    #expect(exploration.readings.sounds[0].level == -.infinity)
    #expect(
      exploration.readings.notices.map(\.words) == [
        "1 noise.wav  has a voice", "1 noise.wav  looped", "1 noise.wav  looped", "1 noise.wav  looped",
        "1 noise.wav  paused",
      ]
    )
  }

  @Test func `The calculated level is that of a measured mix, open and behind a wall`() throws {
    for name in ExampleSounds.all {
      let sound = try MonoSound(opening: name)
      let loss = try WallLoss.measure(sound.pcm)
      // Low notes lose a quarter of the occlusion.
      #expect(loss <= World.wallLevel / 4 + 0.5 && loss >= World.wallLevel - 0.5, "\(name): \(loss)")
      // A garden has no reverb.
      for (plan, isHidden) in [(Plan(".@.......1"), false), (Plan(".@...#...1"), true)] {
        let world = World(plan, sounds: [(sound.name, loss)])
        var renderer = try OfflineRenderer(format: .mono(sampleRate: 48_000))
        let soundscape = Soundscape([sound], of: world, in: renderer.context)
        let measured = renderer.render(.seconds(2)).samples.meanSquareLevel
        let own = sound.pcm.samples.prefix(sound.pcm.format.sampleRate * 2).meanSquareLevel
        #expect(abs(measured - own - world.directLevel(of: 0)) < 0.5, "\(name) \(isHidden)")
        withExtendedLifetime(soundscape) {}
      }
    }
  }

  @Test func `Silence has the loss of the wall, and an envelope without level`() throws {
    let silence = try PCMBuffer(samples: [Float](repeating: 0, count: 4_800), format: .mono(sampleRate: 48_000))
    #expect(try WallLoss.measure(silence) == World.wallLevel)
    #expect(SoundEnvelope(of: silence).level(atFrame: 100) == -.infinity)
  }

  @Test func `An envelope follows a sound in windows, and is silent outside of it`() throws {
    let samples = [Float](repeating: 1, count: 1_600) + [Float](repeating: 0.1, count: 1_601)
    let envelope = SoundEnvelope(of: try PCMBuffer(samples: samples, format: .mono(sampleRate: 48_000)))
    #expect([0, 1_599].map { envelope.level(atFrame: $0) } == [0, 0])
    for frame in [1_600, 3_199, 3_200] { #expect(abs(envelope.level(atFrame: frame) + 20) < 1e-5) }
    for frame in [-1, 4_800, .max] { #expect(envelope.level(atFrame: frame) == -.infinity) }
  }

  @Test func `The drawing of a screen is XML with its texts, walls and bars`() throws {
    let markup = ScreenDrawing(of: try #require(try run("1s").frames.last).screen).markup
    #expect(XMLParser(data: Data(markup.utf8)).parse())
    for text in ["Notifications", "1 brook.wav", "Ears, measured in the mix"] { #expect(markup.contains(">\(text)<")) }
    #expect(markup.components(separatedBy: "faint fill").count > 28)
    #expect(!markup.contains("nan") && !markup.contains("inf"))
  }

  @Test func `Options that do not fit are refused with a sentence`() throws {
    func refusal(_ arguments: [String]) -> String? {
      do {
        _ = try Explore.parse(arguments)
        return nil
      } catch {
        return Explore.message(for: error)
      }
    }
    #expect(refusal([]) == nil)
    #expect(refusal(["--script", "up*20 left 1 v", "--frames", "4", "--size", "100x30", "--ascii"]) == nil)
    #expect(refusal(["--voices", "2"]) == nil)
    for voices in ["0", "7"] { #expect(refusal(["--voices", voices])?.contains("from 1 to 6 voices") == true) }
    #expect(refusal(["--frames", "2"])?.contains("add --script KEYS") == true)
    #expect(refusal(["--offline", "a.wav", "--frames", "2"]) == nil)
    #expect(refusal(["--script", "upp"])?.contains("\"upp\" is no key") == true)
    #expect(refusal(["--script", "up", "--device", "Headphones"])?.contains("--device") == true)
    #expect(refusal(Array(repeating: "a.wav", count: 7))?.contains("at most 6") == true)
    for size in ["80", "80x", "x24", "0x24", "80x501", "80x24x2", "-1x5", "80 x 24"] {
      #expect(refusal(["--script", "up", "--size", size]) != nil, "\(size)")
    }
    for frames in ["0", "1001", "-1", "x"] {
      #expect(refusal(["--script", "up", "--frames=\(frames)"]) != nil, "\(frames)")
    }
  }
}

extension Sequence<Float> {
  /// The mean square, in decibels.
  fileprivate var meanSquareLevel: Double {
    let (sum, count) = reduce(into: (0.0, 0.0)) { $0 = ($0.0 + Double($1) * Double($1), $0.1 + 1) }
    return 10 * log10(sum / count)
  }
}
