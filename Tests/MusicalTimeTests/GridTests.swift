import MusicalTime
import TestSupport
import Testing

@Suite struct GridTests {
  @Test func `The next line at 120 is where a musician puts it`() {
    let map = TempoMap(120)
    func next(_ grid: Grid, _ milliseconds: Int, _ meter: Meter = Meter(4, 4)) -> Duration {
      map.next(grid, from: .milliseconds(milliseconds), in: meter)
    }
    #expect(next(.beat, 1) == .milliseconds(500))
    #expect(next(.beat, 500) == .milliseconds(500))
    #expect(next(.bar, 1) == .seconds(2))
    #expect(next(.bars(4), 1) == .seconds(8))
    #expect(next(.bars(4), 8_001) == .seconds(16))
    #expect(next(.beats(0.5), 1) == .milliseconds(250))
    #expect(next(.beats(3), 1) == .milliseconds(1_500))
    #expect(next(.beat, -1) == .zero)
    #expect(next(.bar, -2_001) == .seconds(-2))
    #expect(next(.beat, 1, Meter(7, 8)) == .milliseconds(250))
    #expect(next(.bar, 1, Meter(7, 8)) == .milliseconds(1_750))
    #expect(next(.bar, 1, Meter(6, 8)) == .milliseconds(1_500))
    #expect(next(.beats(3), 1, Meter(6, 8)) == .milliseconds(750))
  }

  @Test(arguments: meters)
  func `The next line is on the grid, at or after the moment, and the first such line`(meter: Meter) {
    var generator = SplitMix64(seed: 4)
    let note = 4 / Double(meter.unit)
    let bar = note * Double(meter.beats)
    let grids: [(Grid, Double)] = [
      (.beat, note), (.bar, bar), (.bars(4), 4 * bar), (.beats(0.25), note / 4), (.beats(3), 3 * note),
    ]
    for _ in 0..<300 {
      let map = randomMap(using: &generator)
      let moment = randomMoment(using: &generator)
      for (grid, spacing) in grids {
        let line = map.next(grid, from: moment, in: meter)
        #expect(line >= moment)
        let position = map.beat(at: line)
        #expect((position / spacing).rounded() * spacing == position)
        #expect(map.moment(ofBeat: position) == line)
        #expect(map.moment(ofBeat: position - spacing) < moment)
      }
    }
  }

  @Test(arguments: meters)
  func `A line is its own next line, and an attosecond later the next one is`(meter: Meter) {
    var generator = SplitMix64(seed: 5)
    for grid: Grid in [.beat, .bar, .bars(3), .beats(1.0 / 3), .beats(0.2), .beats(0.001), .beats(2.717)] {
      let map = randomMap(using: &generator)
      var line = map.next(grid, from: randomMoment(using: &generator), in: meter)
      for _ in 0..<300 {
        #expect(map.next(grid, from: line, in: meter) == line)
        let following = map.next(grid, from: line + Duration(attoseconds: 1), in: meter)
        #expect(following > line)
        line = following
      }
    }
  }

  @Test(arguments: 1...16)
  func `Fractions of a beat meet every beat`(parts: Int) {
    let map = TempoMap(133)
    var line = Duration.zero
    for part in 1...(100 * parts) {
      line = map.next(.beats(1 / Double(parts)), from: line + Duration(attoseconds: 1), in: Meter(4, 4))
      #expect(map.beat(at: line) == Double(part) / Double(parts))
      #expect(line == map.moment(ofBeat: Double(part) / Double(parts)))
    }
  }

  @Test func `A grid without a usable number is that of the beat or of the bar`() {
    var generator = SplitMix64(seed: 6)
    for _ in 0..<100 {
      let map = randomMap(using: &generator)
      let moment = randomMoment(using: &generator)
      for meter in meters {
        func next(_ grid: Grid) -> Duration { map.next(grid, from: moment, in: meter) }
        for number: Double in [0, -1, .nan, -.infinity] { #expect(next(.beats(number)) == next(.beat)) }
        for number in [1, 0, -1, Int.min] { #expect(next(.bars(number)) == next(.bar)) }
        #expect(next(.beats(1)) == next(.beat))
        #expect(next(.beats(.leastNonzeroMagnitude)) == next(.beats(0.001)))
        #expect(next(.beats(.infinity)) == next(.beats(1e300)))
      }
    }
  }

  @Test func `Before the first position, the next line is the first one of the grid`() {
    for moment: Duration in [.seconds(-6_000_000_000), Duration(attoseconds: .min)] {
      let line = TempoMap(120).next(.bars(3), from: moment, in: Meter(7, 8))
      #expect(TempoMap(120).beat(at: line) == -10.5 * 9_523_809)
    }
  }

  @Test(arguments: strangeMoments)
  func `Every moment has a next line, up to the last position`(moment: Duration) {
    let grids: [Grid] = [.beat, .bar, .bars(.max), .bars(.min), .beats(.infinity), .beats(1e-300), .beats(.nan)]
    for tempo: Tempo in [1, 120, 60_000_000] {
      let map = TempoMap(tempo)
      let last = map.moment(ofBeat: 1e8)
      for meter in meters + [Meter(256, 1)] {
        for grid in grids {
          let line = map.next(grid, from: moment, in: meter)
          #expect(line >= moment)
          #expect(line <= max(last, moment))
        }
      }
    }
  }
}
