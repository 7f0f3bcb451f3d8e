import MusicalTime
import TestSupport
import Testing

@Suite struct TempoTests {
  @Test func `A beat at 120 lasts half a second`() {
    #expect(Tempo(120).beatDuration == .milliseconds(500))
    #expect(Tempo(beatDuration: .milliseconds(500)) == 120)
    #expect(Tempo(60).beatDuration == .seconds(1))
  }

  @Test func `Literals are beats a minute`() {
    let tempos: [Tempo] = [120, 120.5]
    #expect(tempos.map(\.beatsPerMinute) == [120, 120.5])
  }

  @Test(arguments: 1...1_000)
  func `The duration of a beat is exact to half an attosecond`(beatsPerMinute: Int) {
    let minute: Int128 = 60_000_000_000_000_000_000
    let beats = Tempo(Double(beatsPerMinute)).beatDuration.attoseconds * Int128(beatsPerMinute)
    #expect(2 * abs(beats - minute) <= beatsPerMinute)
  }

  @Test func `Beats a minute up to 6,000 are returned as they were set`() {
    var generator = SplitMix64(seed: 1)
    for range in [1...10.0, 10...400, 400...6_000] {
      for _ in 0..<3_000 {
        let number = Double.random(in: range, using: &generator)
        #expect(Tempo(number).beatsPerMinute == number)
      }
    }
  }

  @Test func `Beats a minute beyond 6,000 are returned to 12 digits`() {
    var generator = SplitMix64(seed: 2)
    for _ in 0..<1_000 {
      let number = Double.random(in: 6_000...60_000_000, using: &generator)
      #expect(abs(Tempo(number).beatsPerMinute / number - 1) < 1e-12)
    }
  }

  @Test func `Every tempo of a MIDI file is exact`() {
    for microseconds in stride(from: 1, through: 16_777_215, by: 1_009) {
      #expect(Tempo(beatDuration: .microseconds(microseconds)).beatDuration == .microseconds(microseconds))
    }
  }

  @Test func `A tempo out of range is clamped`() {
    #expect(Tempo(0.5) == 1)
    #expect(Tempo(-120) == 1)
    #expect(Tempo(0) == 1)
    #expect(Tempo(-.infinity) == 1)
    #expect(Tempo(.infinity) == 60_000_000)
    #expect(Tempo(beatDuration: .zero) == 60_000_000)
    #expect(Tempo(beatDuration: .seconds(61)) == 1)
    #expect(Tempo(1).beatDuration == .seconds(60))
    #expect(Tempo(60_000_000).beatDuration == .microseconds(1))
  }

  @Test func `A tempo that is not a number is 120`() {
    var tempo: Tempo = 90
    tempo.beatsPerMinute = .nan
    #expect(tempo == 120)
  }
}
