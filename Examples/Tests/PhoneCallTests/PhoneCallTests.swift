import GameAudio
import Testing

@testable import phonecall

@Suite struct PhoneCallTests {
  /// Whether each half second in a range of seconds is louder than -60 dB.
  private func isAudible(_ levels: [Decibels], in seconds: Range<Double>) -> [Bool] {
    levels[Int(seconds.lowerBound * 2)..<Int(seconds.upperBound * 2)].map { $0 > -60 }
  }

  @Test func `A call and a locked screen silence all, other things only the music`() throws {
    let recording = try Recording(to: nil)
    for silence in [5.5..<9.0, 13.5..<17.0, 20.5..<22.0, 25.5..<27.0] {
      #expect(isAudible(recording.music, in: silence).allSatisfy { !$0 }, "\(silence)")
    }
    for silence in [5.5..<9.0, 25.5..<27.0] {
      #expect(isAudible(recording.effects, in: silence).allSatisfy { !$0 }, "\(silence)")
    }
    for sound in [0.0..<5, 9.5..<25, 27.5..<30] {
      #expect(isAudible(recording.effects, in: sound).allSatisfy { $0 }, "\(sound)")
    }
    for sound in [0.0..<5, 9.5..<13, 18.0..<20, 22.5..<25, 27.5..<30] {
      #expect(isAudible(recording.music, in: sound).allSatisfy { $0 }, "\(sound)")
    }
  }
}
