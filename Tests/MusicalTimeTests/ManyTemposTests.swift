import MusicalTime
import TestSupport
import Testing

/// Maps of many tempos.
@Suite struct ManyTemposTests {
  /// Positions in quarters of a beat with tempos whose beats last whole milliseconds.
  private static func changes(_ count: Int, seed: UInt64) -> [(beat: Double, tempo: Tempo)] {
    let tempos: [Tempo] = [60, 75, 120, 150, 240]
    var random = SplitMix64(seed: seed)
    return (0..<count).map { index in
      (
        Double(index) + 0.25 * Double(Int.random(in: 0..<4, using: &random)),
        tempos[Int.random(in: 0..<5, using: &random)]
      )
    }
  }

  @Test(arguments: [1, 2, 127, 128, 129, 130, 257, 1_000]) func `The order of the changes makes no difference`(
    count: Int
  ) {
    let changes = Self.changes(count, seed: UInt64(count))
    var sorted = TempoMap(100)
    for (beat, tempo) in changes { sorted.setTempo(tempo, atBeat: beat) }
    var random = SplitMix64(seed: 1)
    for order in [changes.reversed(), changes.shuffled(using: &random)] {
      var map = TempoMap(100)
      // A change at the same position replaces the earlier change.
      for (beat, _) in order { map.setTempo(77, atBeat: beat) }
      #expect(map != sorted)
      for (beat, tempo) in order { map.setTempo(tempo, atBeat: beat) }
      #expect(map == sorted && map.hashValue == sorted.hashValue)
    }
    // The moment of each change is the sum of the times before it.
    var (moment, last, tempo) = (Duration.zero, 0.0, 100 as Tempo)
    for (index, change) in changes.enumerated() {
      let quarters = Int((change.beat - last) * 4)
      moment += tempo.beatDuration * quarters / 4
      #expect(sorted.moment(ofBeat: change.beat) == moment, "change \(index)")
      #expect(sorted.tempo(at: moment) == change.tempo)
      #expect(sorted.beat(at: moment) == change.beat)
      (last, tempo) = change
    }
  }

  @Test func `A map whose first tempos were dropped converts later moments as before`() {
    var map = TempoMap(100)
    for (beat, tempo) in Self.changes(1_000, seed: 3) { map.setTempo(tempo, atBeat: beat) }
    let whole = map
    for beat in [3.5, 127, 128.25, 400, 999.5, 2_000] {
      let moment = whole.moment(ofBeat: beat)
      map.dropTempos(before: moment)
      for later in stride(from: beat, to: 1_100, by: 13.25) {
        #expect(map.moment(ofBeat: later) == whole.moment(ofBeat: later))
        #expect(map.beat(at: whole.moment(ofBeat: later)) == later)
      }
      // A change goes on as in the whole map.
      var (changed, wholeChanged) = (map, whole)
      changed.setTempo(33, atBeat: beat + 5)
      wholeChanged.setTempo(33, atBeat: beat + 5)
      #expect(changed.moment(ofBeat: 1_500) == wholeChanged.moment(ofBeat: 1_500))
    }
  }

  @Test func `Changes from the last one to the first`() {
    expectGrowth(of: "changes in reverse", from: 2_000) { count in
      var map = TempoMap(100)
      for index in (0..<count).reversed() { map.setTempo(Tempo(Double(60 + index % 100)), atBeat: Double(index)) }
    }
  }
}
