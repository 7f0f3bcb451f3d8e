import MusicalTime
import TestSupport
import Testing

@Suite struct TempoMapTests {
  @Test func `A map of one tempo is a line through zero`() {
    let map = TempoMap(120)
    for beat in -1_000...1_000 {
      #expect(map.moment(ofBeat: Double(beat)) == .milliseconds(500 * beat))
      #expect(map.beat(at: .milliseconds(500 * beat)) == Double(beat))
    }
  }

  @Test func `A tempo holds from its change to the next`() {
    var map = TempoMap(120)
    map.setTempo(60, atBeat: 8)
    map.setTempo(240, at: .seconds(10))
    #expect(map.tempo(at: .seconds(-1)) == 120)
    #expect(map.tempo(at: .milliseconds(3_999)) == 120)
    #expect(map.tempo(at: .seconds(4)) == 60)
    #expect(map.tempo(at: .seconds(10)) == 240)
    #expect(map.beat(at: .seconds(10)) == 14)
    #expect(map.moment(ofBeat: 18) == .seconds(11))
    #expect(map.moment(ofBeat: -2) == .seconds(-1))
  }

  @Test func `A change before others keeps their beats and moves their moments`() {
    var map = TempoMap(120)
    map.setTempo(240, atBeat: 16)
    map.setTempo(60, atBeat: 8)
    #expect(map.moment(ofBeat: 16) == .seconds(12))
    #expect(map.tempo(at: .seconds(11)) == 60)
    #expect(map.tempo(at: .seconds(12)) == 240)
  }

  @Test func `A map whose early tempos were dropped converts later moments as before`() {
    var generator = SplitMix64(seed: 11)
    for _ in 0..<500 {
      let map = randomMap(using: &generator)
      var shorter = map
      let moment = randomMoment(using: &generator)
      shorter.dropTempos(before: moment)
      var changed = (map, shorter)
      let (change, tempo) = (moment + .seconds(Int64.random(in: 0...900, using: &generator)), Tempo(77))
      changed.0.setTempo(tempo, at: change)
      changed.1.setTempo(tempo, at: change)
      for _ in 0..<10 {
        let later = moment + .nanoseconds(Int64.random(in: 0...2_000_000_000_000, using: &generator))
        for (map, shorter) in [(map, shorter), changed] where moment >= .zero {
          #expect(map.beat(at: later) == shorter.beat(at: later) && map.tempo(at: later) == shorter.tempo(at: later))
          let next = map.next(.bar, from: later, in: meters[0])
          #expect(next == shorter.next(.bar, from: later, in: meters[0]))
        }
      }
      // Before its first tempo, a change counts from there on.
      shorter.setTempo(50, atBeat: -1e8)
      #expect(shorter.tempo(at: .seconds(-1_000)) == 50)
    }
  }

  @Test func `The order of changes at beats does not matter`() {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<500 {
      let changes = (1...6).map { _ in
        (Tempo(.random(in: 20...400, using: &generator)), Double.random(in: 1...500, using: &generator))
      }
      var (map, other) = (TempoMap(100), TempoMap(100))
      for (tempo, beat) in changes { map.setTempo(tempo, atBeat: beat) }
      for (tempo, beat) in changes.shuffled(using: &generator) { other.setTempo(tempo, atBeat: beat) }
      #expect(map == other)
    }
  }

  @Test func `A change replaces the one at the same position`() {
    var map = TempoMap(120)
    map.setTempo(90, atBeat: 8)
    map.setTempo(60, at: map.moment(ofBeat: 8))
    var other = TempoMap(120)
    other.setTempo(60, atBeat: 8)
    #expect(map == other)
  }

  @Test func `A change before zero is the first tempo`() {
    var map = TempoMap(120)
    map.setTempo(90, atBeat: -8)
    #expect(map == TempoMap(90))
    map.setTempo(60, at: .seconds(-1))
    #expect(map == TempoMap(60))
  }

  @Test func `The position at the moment of a beat is that beat`() {
    var generator = SplitMix64(seed: 8)
    for _ in 0..<300 {
      let map = randomMap(using: &generator)
      for _ in 0..<10 {
        let beat = Double(Int.random(in: -100_000...3_000_000, using: &generator)) / 480
        #expect(map.beat(at: map.moment(ofBeat: beat)) == beat)
        let other = Double.random(in: -1_000...8_000, using: &generator)
        #expect(abs(map.beat(at: map.moment(ofBeat: other)) - other) < 1e-11)
      }
    }
  }

  @Test func `The moment of a position is the moment of that position to a picosecond a beat`() {
    var generator = SplitMix64(seed: 9)
    for _ in 0..<3_000 {
      let map = randomMap(using: &generator)
      let moment = randomMoment(using: &generator)
      let difference = map.moment(ofBeat: map.beat(at: moment)) - moment
      #expect(difference.magnitude <= map.tempo(at: moment).beatDuration / 50_000_000_000)
    }
  }

  @Test func `Moments grow with positions, and positions with moments`() {
    var generator = SplitMix64(seed: 10)
    for _ in 0..<100 {
      let map = randomMap(using: &generator)
      let change = map.moment(ofBeat: Double.random(in: 0...8_000, using: &generator))
      let near = (-20...20).map { change + Duration(attoseconds: $0) }
      let moments = (near + (0..<50).map { _ in randomMoment(using: &generator) }).sorted()
      let beats = moments.map { map.beat(at: $0) }
      #expect(beats == beats.sorted())
      let returned = beats.map { map.moment(ofBeat: $0) }
      #expect(returned == returned.sorted())
    }
  }

  @Test func `Moments grow with positions across each change, at the fastest tempos too`() {
    var generator = SplitMix64(seed: 11)
    for _ in 0..<1_000 {
      var map = TempoMap(Tempo(.random(in: 1...60_000_000, using: &generator)))
      let change = Duration(attoseconds: Int128.random(in: 0...1 << 62, using: &generator))
      map.setTempo(Tempo(.random(in: 1...60_000_000, using: &generator)), at: change)
      let moments = (-40...40).map { change + Duration(attoseconds: $0) }
      let beats = moments.map { map.beat(at: $0) }
      #expect(beats == beats.sorted())
      let start = map.beat(at: change)
      let returned = (-4...4).map { map.moment(ofBeat: start + Double($0) / 55_351_296_000) }
      #expect(returned == returned.sorted())
    }
  }

  @Test(arguments: strangeNumbers)
  func `Every position has a moment`(position: Double) {
    for tempo: Tempo in [1, 120, 60_000_000] {
      var map = TempoMap(tempo)
      map.setTempo(97, atBeat: 1e8)
      #expect(map.moment(ofBeat: position).magnitude <= tempo.beatDuration * 100_000_000)
      let before = map
      map.setTempo(Tempo(position), atBeat: position)
      #expect(!position.isNaN || map == before)
      #expect(map.moment(ofBeat: position).magnitude <= .seconds(6_000_000_000))
    }
    #expect(TempoMap(120).moment(ofBeat: .nan) == .zero)
  }

  @Test(arguments: strangeMoments)
  func `Every moment has a finite position`(moment: Duration) {
    for tempo: Tempo in [1, 120, 60_000_000] {
      var map = TempoMap(tempo)
      #expect(abs(map.beat(at: moment)) <= 1e8)
      map.setTempo(33, at: moment)
      #expect(abs(map.beat(at: moment)) <= 1e8)
    }
  }
}

extension Duration {
  /// The duration without its sign.
  var magnitude: Duration { self < .zero ? .zero - self : self }
}
