@testable import SignalProcessing
import Testing

/// Gains that move over a block, and passages between two sounds.
@Suite struct FaderTests {
  @Test func `A gain moves linearly over its frames, and rests after them`() {
    var fader = Fader(1, channelCount: 2)
    fader.move(to: 0, over: 4)
    #expect(!fader.isSettled && fader.target == 0)
    let samples = processed([Float](repeating: 1, count: 12), channels: 2) { fader.process(&$0) }
    #expect(samples == [0.75, 0.75, 0.5, 0.5, 0.25, 0.25, 0, 0, 0, 0, 0, 0] && fader.isSettled)
    let rest = processed([1, 2, .infinity, .nan], channels: 2) { fader.process(&$0) }
    #expect(rest == [0, 0, 0, 0])
  }

  @Test func `A gain of 1 keeps the samples, and a gain that is not a number changes nothing`() {
    var fader = Fader(channelCount: 1)
    let sound = noise(100)
    fader.move(to: .nan, over: 100)
    #expect(processed(sound) { fader.process(&$0) } == sound)
    #expect(Fader(.nan, channelCount: 1).target == 1 && Fader(.infinity, channelCount: 1).target == 1e6)
    // A block without frames does not move the gain.
    fader.move(to: 0, over: 1)
    #expect(processed([]) { fader.process(&$0) }.isEmpty && !fader.isSettled)
  }

  @Test func `A move begins at the gain of the last frame, and at once over 0 frames`() {
    var fader = Fader(0, channelCount: 1)
    fader.move(to: 1, over: 8)
    #expect(processed([1, 1, 1, 1]) { fader.process(&$0) }.last == 0.5)
    fader.move(to: 0, over: 2)
    #expect(processed([1, 1, 1]) { fader.process(&$0) } == [0.25, 0, 0])
    fader.move(to: 0.25, over: 0)
    #expect(fader.isSettled && processed([1]) { fader.process(&$0) } == [0.25])
  }

  @Test func `A cut into blocks changes no bit of a move`() {
    let sound = noise(4_096)
    for seed in 0..<200 {
      var whole = Fader(0.3, channelCount: 2)
      whole.move(to: Float(seed) / 90, over: 1 + seed * 13)
      var cut = whole
      let lengths = (0..<16).map { 1 + (seed * 31 + $0 * 97) % 301 }
      let expected = processed(sound, channels: 2, blocks: [2_048]) { whole.process(&$0) }
      #expect(processed(sound, channels: 2, blocks: lengths) { cut.process(&$0) } == expected)
    }
  }

  @Test func `A block of any length ends with exactly the gain`() {
    for length in 1...4_096 {
      for (start, end) in [(0.1, 0.7), (3, 1e-5), (0.3, 1)] as [(Float, Float)] {
        let line = GainLine(from: start, to: end, length: length)
        #expect(line.gain(length - 1) == end)
        // A line never passes its ends by more than the rounding.
        #expect(line.gain(0) >= min(start, end) - 1e-6 && line.gain(0) <= max(start, end) + 1e-6)
      }
    }
    var (fader, fade) = (Fader(0.1, channelCount: 1), CrossFade(channelCount: 1))
    for length in 1...4_096 {
      let target = Float(length) / 4_097
      #expect(
        processed([Float](repeating: 1, count: length), blocks: [length]) {
          fader.move(to: target, over: length)
          fader.process(&$0)
        }.last == target
      )
    }
    fade.move(to: 0.3, over: 1_000)
    let ones = [Float](repeating: 1, count: 1_000)
    #expect(
      processed([Float](repeating: 0, count: 1_000)) { fade.process(&$0, with: ones.span.extracting(0..<$0.count)) }
        .last == 0.3
    )
  }

  @Test func `Unusable samples become 0`() {
    let sound: [Float] = [0.5, .nan, .infinity, -.infinity, 1e26, -1e26, 1e25, -1, 0]
    let expected: [Float] = [0.5, 0, 0, 0, 0, 0, 1e25, -1, 0]
    #expect(sound.map(\.usable) == expected)
    var (fader, fade) = (Fader(channelCount: 1), CrossFade(channelCount: 1))
    #expect(processed(sound) { fader.process(&$0) } == expected)
    #expect(processed(sound) { fade.process(&$0, with: sound.span) } == expected)
  }

  @Test(arguments: blockLengths)
  func `A cross-fade of equal sounds changes nothing, and its ends are the sounds to the bit`(blocks: [Int]) {
    let (one, other) = (noise(4_000), noise(4_000, seed: 2))
    func faded(_ one: [Float], _ other: [Float]) -> [Float] {
      var (fade, frame) = (CrossFade(channelCount: 2), 0)
      return processed(one, channels: 2, blocks: blocks) { samples in
        if frame >= 400, fade.value == 0 { fade.move(to: 1, over: 1_000) }
        fade.process(&samples, with: other.span.extracting(frame * 2..<frame * 2 + samples.count))
        frame += samples.count / 2
      }
    }
    let result = faded(one, other)
    #expect(result[..<800] == one[..<800])
    #expect(result[3_600...] == other[3_600...])
    let same = faded(one, one)
    #expect(zip(same, one).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test func `A cross-fade rests at a share in the middle`() {
    var fade = CrossFade(share: 0.25, channelCount: 1)
    #expect(processed([1, 1]) { fade.process(&$0, with: [Float](repeating: 5, count: 2).span) } == [2, 2])
    fade.move(to: .nan, over: 0)
    #expect(fade.isSettled && fade.value == 0.25)
    fade.move(to: 7, over: 4)
    #expect(!fade.isSettled)
    _ = processed([1, 1, 1, 1]) { fade.process(&$0, with: [Float](repeating: 5, count: 4).span) }
    #expect(fade.isSettled && fade.value == 1)
  }
}
