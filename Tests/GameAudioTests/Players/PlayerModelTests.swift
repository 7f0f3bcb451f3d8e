import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// A player of one sound, as far as a program sees it: its state, its frame, and how often it has looped and ended.
private struct PlayerModel {
  enum State { case idle, playing, pausing, paused }

  let frames: Int
  let repeats: Int
  let rate: Double
  private(set) var state = State.idle
  private(set) var loops = 0
  private(set) var ends = 0
  /// The position in all laps at the frame of the mix at which the present part of the playback begins.
  private var place = 0.0
  private var begin = 0
  private var silentSince = 0
  /// The repetitions of the present timeline: none behind a seek to the end.
  private var laps: Int
  private var counted = 0

  init(frames: Int, repeats: Int, rate: Double) {
    (self.frames, self.repeats, self.rate, laps) = (frames, repeats, rate, repeats)
  }

  private var length: Double { Double(frames * (1 + laps)) }
  private var isRunning: Bool { state == .playing || state == .pausing }

  private func place(at now: Int) -> Double {
    isRunning ? min(place + Double(max(now - begin, 0)) * rate, length) : place
  }

  /// The frame of the sound.
  func frame(at now: Int) -> Int {
    let place = Int(place(at: now) + 1e-6)
    return Double(place) >= length ? frames : place - min(place / frames, laps) * frames
  }

  private mutating func count(at now: Int) {
    let lap = min(Int(place(at: now) + 1e-6) / frames, laps)
    (loops, counted) = (loops + lap - counted, lap)
  }

  private mutating func rewind(to frame: Int) {
    (place, counted) = (Double(frame), 0)
    laps = frame < frames ? repeats : 0
  }

  private mutating func rest(at now: Int) {
    count(at: now)
    (place, state) = (place(at: now), .paused)
  }

  mutating func play(at moment: Int?, now: Int) {
    switch state {
    case .playing:
      guard let moment, begin > now else { return }
      stop(now: now)
      play(at: moment, now: now)
    case .pausing:
      if moment == nil {
        state = .playing
      } else {
        rest(at: now)
        play(at: moment, now: now)
      }
    case .paused: (begin, state) = (max(moment ?? now, now), .playing)
    case .idle:
      if place >= length { rewind(to: 0) }
      (begin, state) = (max(moment ?? now, now), .playing)
    }
  }

  mutating func pause(now: Int) {
    count(at: now)
    guard state == .playing else { return }
    if begin > now { rest(at: now) } else { (state, silentSince) = (.pausing, now) }
  }

  mutating func stop(now: Int) {
    count(at: now)
    (place, state) = (place(at: now), .idle)
  }

  mutating func seek(to frame: Int, now: Int) {
    count(at: now)
    if state == .pausing { state = .paused }
    rewind(to: min(max(frame, 0), frames))
    begin = max(begin, now)
  }

  /// A tick, at each multiple of 512 frames.
  mutating func tick(now: Int) {
    guard isRunning else { return }
    count(at: now)
    if state == .pausing, now - silentSince >= 512 { return rest(at: now) }
    let end = begin + Int(((length - place) / rate).rounded(.up))
    guard end <= now, begin <= now else { return }
    loops += laps - counted
    ends += 1
    state = .idle
    rewind(to: 0)
  }
}

/// A player against a model of it.
@Suite struct PlayerModelTests {
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `A player is where its model is, through hundreds of random calls`(seed: UInt64) throws {
    var random = SplitMix64(seed: 600 + seed)
    let format = PlayerFixture.mono
    var fixture = try PlayerFixture(format)
    let frames = Int.random(in: 600...6_000, using: &random)
    let rate = [1, 2, 0.5].randomElement(using: &random) ?? 1 as Double
    var model = PlayerModel(frames: frames, repeats: Int.random(in: 0...3, using: &random), rate: rate)
    let player = try SoundPlayer(playing: Sound(try PlayerFixture.noise(frames, format)), in: fixture.world)
    (player.repeats, player.pitch) = (.times(model.repeats), Float(rate))
    let events = Collected<PlayerEvent>()
    let token = player.observe { events.append($0) }
    var now = 0
    var calls: [String] = []
    for _ in 0..<250 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0...1:
        calls.append("play")
        player.play()
        model.play(at: nil, now: now)
      case 2:
        let moment = now + Int.random(in: -100...3_000, using: &random)
        calls.append("play at \(moment)")
        player.play(at: format.duration(ofFrames: max(moment, 0)))
        model.play(at: max(moment, 0), now: now)
      case 3:
        calls.append("pause")
        player.pause()
        model.pause(now: now)
      case 4:
        calls.append("stop")
        player.stop()
        model.stop(now: now)
      case 5:
        let frame = Int.random(in: -500..<frames, using: &random)
        calls.append("seek \(frame)")
        player.playbackTime = frame < 0 ? .milliseconds(-1) : format.duration(ofFrames: frame)
        model.seek(to: frame, now: now)
      default:
        let count = Bool.random(using: &random) ? 512 : Int.random(in: 1...2_000, using: &random)
        fixture.offline.render(frameCount: count)
        let end = now + count
        // A tick comes before the part of the mix that begins at its frame.
        for tick in stride(from: (now + 511) / 512 * 512, to: end, by: 512) { model.tick(now: tick) }
        now = end
        calls.append("\(now)")
      }
      let loops = events.all.reduce(0) { if case .looped(let count) = $1 { $0 + count } else { $0 } }
      let ends = events.all.count { $0 == .finished(successfully: true) }
      let found = [format.frameCount(in: player.playbackTime), loops, ends]
      let expected = [model.frame(at: now), model.loops, model.ends]
      #expect(found == expected && player.isPlaying == (model.state == .playing), "\(calls.suffix(12)), \(model)")
      guard found == expected else { return }
    }
    #expect(events.all.allSatisfy { $0 != .finished(successfully: false) })
    withExtendedLifetime(token) {}
  }
}
