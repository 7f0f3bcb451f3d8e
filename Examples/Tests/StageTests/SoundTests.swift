import FileDecode
import Foundation
import Testing

@testable import Stage

@Suite struct SoundTests {
  @Test func `The examples' sounds are mono, at three rates, and equally loud`() throws {
    let sounds = try ExampleSounds.all.map { try MonoSound(AudioFile(opening: $0).readAll(), from: $0) }
    #expect(sounds.map(\.name) == ["brook.wav", "bell.flac", "crickets.ogg"])
    #expect(sounds.map(\.pcm.format.sampleRate) == [22_050, 44_100, 48_000])
    #expect(sounds.map(\.pcm.frameCount) == [110_250, 229_320, 288_000])
    for sound in sounds {
      #expect(sound.note == nil)
      #expect(sound.peak < 1)
      let energy = sound.pcm.samples.reduce(0.0) { $0 + Double($1 * $1) } / Double(sound.pcm.frameCount)
      // Equally loud to the ear, which is more sensitive at the crickets' pitch.
      #expect((-24.5 ... -19).contains(10 * log10(energy)), "\(sound.name): \(10 * log10(energy)) dB")
    }
  }

  @Test func `The examples' sounds loop without a step`() throws {
    for path in ExampleSounds.all {
      let samples = try AudioFile(opening: path).readAll().samples
      let steps = zip(samples, samples.dropFirst()).map { abs($1 - $0) }.sorted()
      let seam = abs(try #require(samples.first) - (try #require(samples.last)))
      #expect(seam <= steps[steps.count * 9 / 10], "\(path): \(seam)")
    }
  }

  @Test func `Channels are mixed down to their mean`() throws {
    let stereo = try PCMBuffer<Float>(samples: [1, 0, -1, 1, 0.5, 0.25], format: .stereo(sampleRate: 8_000))
    let mono = stereo.mixedDownToMono()
    #expect(mono.samples == [0.5, 0, 0.375])
    #expect(mono.format == .mono(sampleRate: 8_000))
    #expect(mono.mixedDownToMono() == mono)
  }

  @Test func `A sound's name says nothing to a terminal, whatever its file is called`() throws {
    let stereo = try PCMBuffer<Float>(samples: [1, 0], format: .stereo(sampleRate: 8_000))
    for (path, name) in [
      ("a/\u{1B}[2J\u{7}b\r\n.wav", "�[2J�b��.wav"), ("\u{7F}\u{9B}31m", "��31m"), ("a\u{202E}vaw.b", "a�vaw.b"),
      ("a\u{2028}b", "a�b"), ("ünï 日本語 👩‍🚀.flac", "ünï 日本語 👩‍🚀.flac"),
    ] {
      let sound = MonoSound(stereo, from: path)
      #expect(sound.name == name)
      #expect(sound.note?.hasPrefix("\(name) is ") == true)
    }
  }

  @Test func `A progress line has the same width all the way`() {
    let widths = Set([-1, 0, 0.004, 0.33, 0.5, 0.999, 1, 7, .nan].map { ProgressLine.text("Playing", done: $0).count })
    #expect(widths.count == 1)
    #expect(ProgressLine.text("Playing", done: 1).hasSuffix(" 100 %"))
  }
}
