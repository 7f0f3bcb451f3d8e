import GameAudio

/// A drummer who plays each beat one beat ahead, at exact moments.
final class Drummer: Sendable {
  let beats: BeatClock

  /// Four emitters a drum, in turns: a start ends what an emitter plays.
  private let emitters: [Drum: [Emitter]]

  init(in context: AudioContext) throws(PCMError) {
    let world = AudioWorld(in: context)
    var emitters: [Drum: [Emitter]] = [:]
    for drum in Drum.allCases {
      let sound = Sound(try drum.pcm())
      emitters[drum] = (0..<4).map { _ in Emitter(playing: sound, in: world) }
      for emitter in emitters[drum] ?? [] { emitter.position = drum.place }
    }
    self.emitters = emitters
    beats = BeatClock(Song.tempo, meter: Song.meter, in: world)
  }

  /// Starts the song at a moment, and calls a closure at each bar.
  func start(at moment: Duration, onBar: @escaping @Sendable (BeatClock.Tick) -> Void) -> NotificationToken {
    let token = beats.observe(.beat) { [weak self] tick in
      guard let self else { return }
      if tick.beat == 1 { onBar(tick) }
      if (tick.bar, tick.beat) == (Song.change.bar - 1, 1) {
        beats.setTempo(Song.change.tempo, at: beats.next(.bar))
      }
      play(beat: Int(tick.position) + 1)
    }
    beats.start(at: moment)
    play(beat: 0)
    return token
  }

  /// Starts the hits of a beat.
  private func play(beat: Int) {
    for sixteenth in 4 * beat..<4 * beat + 4 {
      let moment = beats.moment(ofBeat: Double(sixteenth) / 4)
      for drum in Song.hits(at: sixteenth) {
        // A hat has two hits a beat, a fill four, and the others one.
        let turn = drum == .tom ? sixteenth : drum == .hat ? sixteenth / 2 : beat
        emitters[drum]?[turn % 4].play(at: moment)
      }
    }
  }
}
