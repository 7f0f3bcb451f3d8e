import TestSupport
import Testing

@testable import GameAudio

/// The map from the time of the mix to beats, against a model in floating point that adds up beat by beat.
@Suite struct BeatTimelineTests {
  @Test func `Random starts, stops and tempo changes report the lines of a naive model`() {
    var random = SplitMix64(seed: 95)
    for _ in 0..<300 {
      let meter = [Meter(4, 4), Meter(3, 4), Meter(7, 8), Meter(6, 8)].randomElement(using: &random) ?? Meter(4, 4)
      let tempo = Tempo(.random(in: 20...400, using: &random))
      var (timeline, model) = (BeatTimeline(tempo, meter: meter), NaiveBeats(tempo, meter: meter))
      let grid = NaiveBeats.grids.randomElement(using: &random) ?? .beat
      var next = Duration.zero
      for _ in 0..<Int.random(in: 5...25, using: &random) {
        let now = timeline.now + .nanoseconds(Int64.random(in: 1...3_000_000_000, using: &random))
        timeline.adopt(now)
        var lines: [BeatClock.Tick] = []
        timeline.takeLines(of: grid, from: &next) { lines.append($0) }
        let expected = model.lines(of: grid, until: now.seconds)
        #expect(lines.count == expected.count)
        for (line, other) in zip(lines, expected) {
          #expect(abs(line.moment.seconds - other.moment) < 1e-6 && abs(line.position - other.position) < 1e-6)
          #expect(meter.barAndBeat(atBeat: other.position + 1e-7) == (line.bar, line.beat))
        }
        #expect(abs(timeline.position - model.position(at: now.seconds)) < 1e-6)
        let ahead = model.position(at: now.seconds) + 7.25
        if timeline.isRunning {
          #expect(abs(timeline.moment(ofBeat: ahead).seconds - model.moment(of: ahead)) < 1e-6)
        }
        #expect(timeline.moment(ofBeat: -1e9) == now && timeline.moment(ofBeat: .nan) >= now)
        let wanted = model.next(grid, after: 0.1, at: now.seconds)
        #expect(abs(timeline.next(grid, lead: .milliseconds(100)).seconds - wanted) < 1e-6)

        let isLater = Bool.random(using: &random)
        let moment: Duration? = isLater ? now + .milliseconds(Int64.random(in: -500...4_000, using: &random)) : nil
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          let position = Bool.random(using: &random) ? 0 : Double.random(in: 0...50, using: &random)
          timeline.start(at: moment, fromBeat: position)
          next = timeline.start
          model.start(at: max(moment ?? now, now).seconds, fromBeat: position, grid: grid, now: now.seconds)
        case 1 where Int.random(in: 0..<4, using: &random) == 0:
          timeline.stop()
          model.stop(at: now.seconds)
        case 2, 3:
          let tempo = Tempo(.random(in: 20...400, using: &random))
          // A change on a line of the grid is the usual one.
          let line = timeline.next(.bar, lead: .zero)
          let moment = Bool.random(using: &random) && timeline.isRunning ? line : moment
          timeline.setTempo(tempo, at: moment)
          model.setTempo(tempo, at: max(moment ?? now, now).seconds)
        default: break
        }
        #expect(abs(timeline.tempo.beatsPerMinute - model.tempo(at: now.seconds)) < 1e-6)
      }
    }
  }

  @Test func `A late tick reports each line once, with its moment`() {
    var timeline = BeatTimeline(120, meter: Meter(3, 4))
    timeline.adopt(.seconds(1))
    timeline.start(at: nil, fromBeat: 0)
    var (next, lines) = (timeline.start, [BeatClock.Tick]())
    for clock in [Duration.seconds(1), .seconds(1), .milliseconds(1_499), .seconds(61), .seconds(60), .seconds(61)] {
      timeline.adopt(clock)
      timeline.takeLines(of: .beat, from: &next) { lines.append($0) }
    }
    #expect(lines.map(\.moment) == (0...120).map { .seconds(1) + .milliseconds(500 * $0) })
    #expect(lines.prefix(5).map(\.bar) == [1, 1, 1, 2, 2] && lines.prefix(5).map(\.beat) == [1, 2, 3, 1, 2])
    #expect(lines.map(\.position) == (0...120).map(Double.init))
  }

  @Test func `An hour with three tempo changes has no drift`() {
    var timeline = BeatTimeline(127.001, meter: Meter(4, 4))
    timeline.start(at: nil, fromBeat: 0)
    let (second, rate): (Int128, Int128) = (1_000_000_000_000_000_000, 48_000)
    // By whole numbers alone: each bar is a whole number of attoseconds.
    var (moment, frames) = (Duration.zero, [Int128]())
    let tempos: [(tempo: Tempo, bars: Int)] = [(127.001, 500), (91.7, 400), (143, 700), (119.99, 300)]
    for (tempo, bars) in tempos {
      timeline.setTempo(tempo, at: moment)
      for _ in 0..<bars {
        frames.append((moment.attoseconds * rate + second / 2) / second)
        moment += tempo.beatDuration * 4
      }
    }
    #expect(moment > .seconds(3_600))
    var (line, found) = (Duration.zero, [Int128]())
    for _ in frames {
      found.append(((line.attoseconds * rate + second / 2) / second))
      timeline.adopt(line)
      line = timeline.next(.bar, lead: .milliseconds(100))
    }
    #expect(found == frames)
    timeline.adopt(moment - .milliseconds(1))
    var (next, taken) = (Duration.zero, [Int128]())
    timeline.takeLines(of: .bar, from: &next) { line in
      taken.append((line.moment.attoseconds * rate + second / 2) / second)
    }
    #expect(taken == frames)
  }

  @Test func `A tempo that changes each frame keeps its exact beats and little memory`() throws {
    var timeline = BeatTimeline(120, meter: Meter(4, 4))
    timeline.start(at: nil, fromBeat: 0)
    var (next, count, beats) = (timeline.start, 0, 0.0)
    for frame in 0..<20_000 {
      let tempo = Tempo(frame.isMultiple(of: 2) ? 60 : 180)
      timeline.setTempo(tempo, at: nil)
      timeline.adopt(.milliseconds(16 * (frame + 1)))
      beats += 0.016 * tempo.beatsPerMinute / 60
      timeline.takeLines(of: .beat, from: &next) { line in
        #expect(line.position == Double(count))
        count += 1
      }
    }
    #expect(count == 641 && abs(timeline.position - beats) < 1e-6)
    let chunks = Mirror(reflecting: timeline).descendant("map", "segments", "chunks") as? [Any]
    let tempos = try chunks.map { try #require(Mirror(reflecting: $0[0]).descendant("segments") as? [Any]) }
    #expect(chunks?.count == 1 && tempos?.count == 2)
  }

  @Test func `Values out of range are clamped`() {
    var timeline = BeatTimeline(120, meter: Meter(4, 4))
    timeline.adopt(.seconds(10))
    timeline.adopt(.seconds(9))
    #expect(timeline.now == .seconds(10))
    let moments: [Duration?] = [
      nil, .zero, .seconds(-1), Duration(attoseconds: .min), .seconds(10), .seconds(Int64.min), .seconds(Int64.max),
      Duration(attoseconds: .max),
    ]
    for moment in moments {
      for position in [0, -1, .nan, .infinity, -.infinity, 1e300, 1e8, 2.5] {
        timeline.start(at: moment, fromBeat: position)
        #expect(timeline.start >= .seconds(10))
        if moment.map({ $0 <= .seconds(10) }) ?? true {
          #expect(timeline.start == .seconds(10))
          #expect(timeline.position == (position.isNaN ? 0 : min(max(position, 0), 1e8)))
        }
        for change in moments {
          timeline.setTempo(60_000_000, at: change)
          timeline.setTempo(1, at: change)
        }
        for grid in [Grid.beat, .bars(.max), .bars(.min), .beats(.nan), .beats(-.infinity), .beats(1e-300)] {
          #expect(timeline.next(grid, lead: .zero) >= .seconds(10))
          var (next, count) = (timeline.start, 0)
          timeline.takeLines(of: grid, from: &next) { _ in count += 1 }
          #expect(count <= 1)
        }
      }
    }
  }

  @Test func `The lines of a map that has ended are not reported`() {
    var timeline = BeatTimeline(60_000_000, meter: Meter(4, 4))
    timeline.start(at: nil, fromBeat: 99_999_990)
    timeline.adopt(.seconds(10))
    var (next, lines) = (timeline.start, [BeatClock.Tick]())
    timeline.takeLines(of: .beat, from: &next) { lines.append($0) }
    #expect(lines.map(\.position) == [99_999_990])
    #expect(timeline.position == 1e8)
  }

  @Test func `Of lines that are less than a millisecond apart some are left out`() {
    var timeline = BeatTimeline(60_000, meter: Meter(4, 4))
    timeline.start(at: nil, fromBeat: 0)
    timeline.adopt(.milliseconds(100))
    for (grid, count) in [(Grid.beat, 101), (.beats(0.5), 101), (.beats(0.3), 84), (.beats(2), 51)] {
      var (next, lines) = (timeline.start, [BeatClock.Tick]())
      timeline.takeLines(of: grid, from: &next) { lines.append($0) }
      #expect(lines.count == count, "\(grid)")
      #expect(zip(lines, lines.dropFirst()).allSatisfy { $1.moment - $0.moment >= .milliseconds(1) })
    }
  }
}

/// A clock that adds up beat by beat, in floating point.
private struct NaiveBeats {
  static let grids: [Grid] = [.beat, .bar, .bars(2), .beats(0.5), .beats(1.0 / 3), .beats(3)]

  let meter: Meter
  /// The positions from which tempos count, in quarter notes, and the seconds of one.
  private var tempos: [(position: Double, seconds: Double)]
  private var begin: (moment: Double, position: Double)?
  private var stopped = 0.0
  /// The number of the next line.
  private var line = 0

  init(_ tempo: Tempo, meter: Meter) {
    self.meter = meter
    tempos = [(-1e9, 60 / tempo.beatsPerMinute)]
  }

  private func spacing(_ grid: Grid) -> Double {
    let beat = 4 / Double(meter.unit)
    return switch grid {
    case .beat: beat
    case .bar: beat * Double(meter.beats)
    case .bars(let count): beat * Double(meter.beats * count)
    case .beats(let count): beat * count
    }
  }

  /// The moment of a position from the start on, or before it with the first tempo.
  func moment(of position: Double) -> Double {
    guard let begin else { return 0 }
    var moment = begin.moment
    guard position > begin.position else { return moment - (begin.position - position) * seconds(at: begin.position) }
    for (index, tempo) in tempos.enumerated() {
      let end = index + 1 < tempos.count ? tempos[index + 1].position : .infinity
      moment += max(min(end, position) - max(tempo.position, begin.position), 0) * tempo.seconds
    }
    return moment
  }

  private func seconds(at position: Double) -> Double {
    (tempos.last { $0.position <= position + 1e-9 } ?? tempos[0]).seconds
  }

  func position(at moment: Double) -> Double {
    guard let begin else { return stopped }
    var left = moment - begin.moment
    guard left > 0 else { return begin.position + left / seconds(at: begin.position) }
    for (index, tempo) in tempos.enumerated() {
      let end = index + 1 < tempos.count ? tempos[index + 1].position : .infinity
      let from = max(tempo.position, begin.position)
      let length = max(end - from, 0) * tempo.seconds
      if left < length { return from + left / tempo.seconds }
      left -= length
    }
    return .infinity
  }

  func tempo(at moment: Double) -> Double {
    60 / seconds(at: max(position(at: moment), begin?.position ?? -1e9))
  }

  func next(_ grid: Grid, after lead: Double, at now: Double) -> Double {
    guard let begin else {
      var line = 0.0
      while line * tempos[0].seconds < lead - 1e-12 { line += spacing(grid) }
      return now + line * tempos[0].seconds
    }
    let from = max(position(at: now + lead), begin.position)
    return moment(of: ((from - 1e-9) / spacing(grid)).rounded(.up) * spacing(grid))
  }

  mutating func start(at moment: Double, fromBeat position: Double, grid: Grid, now: Double) {
    tempos = [(-1e9, 60 / tempo(at: now))]
    begin = (moment, position)
    line = Int(((position - 1e-9) / spacing(grid)).rounded(.up))
  }

  mutating func stop(at now: Double) {
    guard let begin else { return }
    stopped = max(position(at: now), begin.position)
    tempos = [(-1e9, 60 / tempo(at: now))]
    self.begin = nil
  }

  mutating func setTempo(_ tempo: Tempo, at moment: Double) {
    let seconds = 60 / tempo.beatsPerMinute
    guard let begin else {
      tempos = [(-1e9, seconds)]
      return
    }
    let position = max(position(at: moment), begin.position)
    if let index = tempos.firstIndex(where: { abs($0.position - position) < 1e-9 }) {
      tempos[index].seconds = seconds
    } else {
      tempos.append((position, seconds))
      tempos.sort { $0.position < $1.position }
    }
  }

  mutating func lines(of grid: Grid, until now: Double) -> [(position: Double, moment: Double)] {
    guard begin != nil else { return [] }
    var lines: [(position: Double, moment: Double)] = []
    while true {
      let position = Double(line) * spacing(grid)
      let moment = moment(of: position)
      guard moment <= now + 1e-10 else { return lines }
      lines.append((position, moment))
      line += 1
    }
  }
}

extension Duration {
  fileprivate var seconds: Double { self / .seconds(1) }
}
