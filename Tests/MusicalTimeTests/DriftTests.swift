import MusicalTime
import TestSupport
import Testing

/// Comparisons with exact rational arithmetic.
@Suite struct DriftTests {
  @Test func `An hour with three changes of tempo has every beat on its exact frame`() {
    var generator = SplitMix64(seed: 12)
    for _ in 0..<8 {
      // An hour in four quarters, each from a bar line to a bar line.
      let tempos = (0..<4).map { _ in Int128.random(in: 40...240, using: &generator) }
      let starts = tempos.reduce(into: [Int128(0)]) { $0.append($0[$0.count - 1] + 15 * $1 / 4 * 4) }
      var map = TempoMap(Tempo(Double(tempos[0])))
      for part in 1..<4 {
        let tempo = Tempo(Double(tempos[part]))
        if Bool.random(using: &generator) {
          map.setTempo(tempo, atBeat: Double(starts[part]))
        } else {
          map.setTempo(tempo, at: map.next(.bar, from: map.moment(ofBeat: Double(starts[part] - 1)), in: Meter(4, 4)))
        }
      }

      // In frames, over the product of the tempos.
      let denominator = tempos.reduce(1, *)
      var start: Int128 = 0
      for part in 0..<4 {
        let frames = 60 * 48_000 * denominator / tempos[part]
        for beat in starts[part]..<starts[part + 1] {
          let exact = start + (beat - starts[part]) * frames
          expect(map.moment(ofBeat: Double(beat)), isFrame: exact, over: denominator)
        }
        start += (starts[part + 1] - starts[part]) * frames
      }
      #expect(start / denominator > 3_500 * 48_000)
    }
  }

  @Test(arguments: [96, 480, 960, 15_360])
  func `The ticks of a MIDI file of an hour are on their exact frames`(resolution: Int) {
    var generator = SplitMix64(seed: 13)
    var changes: [(tick: Int, microseconds: Int)] = [(0, 500_000)]
    for _ in 0..<200 {
      let tick = changes[changes.count - 1].tick + Int.random(in: 1...(60 * resolution), using: &generator)
      changes.append((tick, .random(in: 250_000...1_000_000, using: &generator)))
    }
    var map = TempoMap(120)
    for (tick, microseconds) in changes {
      map.setTempo(
        Tempo(beatDuration: .microseconds(microseconds)),
        atBeat: Double(tick) / Double(resolution)
      )
    }

    // In microseconds times ticks, as the file counts.
    var start: Int128 = 0
    for (change, next) in zip(changes, changes.dropFirst()) {
      for _ in 0..<20 {
        let tick = Int.random(in: change.tick..<next.tick, using: &generator)
        let exact = start + Int128(tick - change.tick) * Int128(change.microseconds)
        let moment = map.moment(ofBeat: Double(tick) / Double(resolution))
        expect(moment, isFrame: exact * 48_000, over: Int128(resolution) * 1_000_000)
      }
      start += Int128(next.tick - change.tick) * Int128(change.microseconds)
    }
  }

  @Test func `A moment is an attosecond a change from the exact one`() {
    var generator = SplitMix64(seed: 14)
    for _ in 0..<2_000 {
      var map = TempoMap(120)
      var (start, beat, tempo) = (Int128(0), 0, Tempo(120))
      for _ in 0..<10 {
        let change = beat + Int.random(in: 1...100_000, using: &generator)
        start += Int128(change - beat) * tempo.beatDuration.attoseconds
        (beat, tempo) = (change, Tempo(.random(in: 20...400, using: &generator)))
        map.setTempo(tempo, atBeat: Double(beat) / 960)
        #expect(abs(map.moment(ofBeat: Double(beat) / 960).attoseconds - start / 960) <= 10)
      }
    }
  }

  @Test func `Lines at any distance are on their frames after an hour`() {
    var generator = SplitMix64(seed: 15)
    for _ in 0..<200 {
      let distance = Double.random(in: 0.1...4, using: &generator)
      let map = TempoMap(Tempo(.random(in: 40...240, using: &generator)))
      let line = map.next(.beats(distance), from: .seconds(3_600), in: Meter(4, 4))
      let count = (map.beat(at: line) / distance).rounded()
      #expect((map.moment(ofBeat: count * distance) - line).magnitude < .microseconds(1))
    }
  }

  @Test func `A change at any moment leaves the beats before it and starts at that moment`() {
    var generator = SplitMix64(seed: 16)
    for _ in 0..<2_000 {
      let before = randomMap(using: &generator)
      var map = before
      let moment = randomMoment(using: &generator).magnitude
      map.setTempo(77, at: moment)
      #expect(map.tempo(at: moment) == 77)
      let earlier = Duration(attoseconds: .random(in: 0...moment.attoseconds, using: &generator))
      #expect(map.beat(at: earlier) == before.beat(at: earlier))
      let start = map.moment(ofBeat: map.beat(at: moment))
      #expect((start - moment).magnitude < .picoseconds(30))
    }
  }

  /// Expects the frame nearest to an exact fraction; between two frames, either.
  private func expect(_ moment: Duration, isFrame numerator: Int128, over denominator: Int128) {
    let twice = 2 * numerator + denominator
    let isBetween = twice.isMultiple(of: 2 * denominator)
    let difference = frame(at: moment) - twice / (2 * denominator)
    #expect(difference == 0 || isBetween && difference == -1)
  }
}

extension Duration {
  /// A number of picoseconds.
  static func picoseconds(_ count: Int) -> Duration { Duration(attoseconds: Int128(count) * 1_000_000) }
}
