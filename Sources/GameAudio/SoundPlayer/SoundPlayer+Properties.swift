public import PCM
internal import Spatial3D

extension SoundPlayer {
  /// The loudness.
  ///
  /// Range: 0 to 1, clamped. A gain that is negative or not finite leaves it unchanged. Default: 1. A new value ends a
  /// fade.
  public var volume: Gain {
    get { Gain(world.withState { $0.playback.scene.emitters[slot].gain }) }
    set {
      setNearest("volume", newValue, in: Self.volumeRange) { world.perform(.volume($0), ofPlayer: id) }
    }
  }

  /// Fades the ``volume`` to another value in its range, from the volume in force.
  public func fade(to volume: Gain, _ fade: Fade) {
    guard volume.isUsable else { return reportUnusable("volume", .gain(volume)) }
    let target = Self.volumeRange.nearest(to: volume)
    world.perform(.fade(target, fade), ofPlayer: id)
    check("volume", volume, in: Self.volumeRange)
    check(fade)
  }

  /// The side, from -1, the left one alone, to 1, the right one alone, with constant power in between.
  ///
  /// A mono sound is on a circle around the listener. In a stereo sound, the channel of the far side goes over to the
  /// near side, also on a bus of the kind ``Bus/Kind/direct``: a value other than 0 then has directions, and HRTF where
  /// the output has it. A sound of more channels ignores the value: `AudioContext.onDiagnostic` reports it once for
  /// each such sound that plays, and the explanation of the player lists it.
  ///
  /// On a bus of that kind, a value from or to 0 needs another voice, which opens the stereo sound again: on an output
  /// 150 ms later at the earliest, and only when a voice is free. A sound that cannot be opened again keeps its
  /// directions.
  ///
  /// Range: -1 to 1, clamped. Default: 0.
  public var pan: Float {
    get { world.withState { $0.playback.scene.playlist(of: slot)?.pan ?? 0 } }
    set {
      var hasReport = false
      setNearest("pan", newValue, in: Self.panRange) { hasReport = world.setPan($0, ofPlayer: id) }
      if hasReport { world.carryOut() }
    }
  }

  /// The speed as varispeed: the pitch follows the speed, unlike with AVAudioPlayer's `rate`.
  ///
  /// Range: 0.25 to 4, clamped. Default: 1.
  public var pitch: Float {
    get { world.withState { $0.playback.scene.emitters[slot].pitch } }
    set {
      setNearest("pitch", newValue, in: Self.pitchRange) { world.perform(.pitch($0), ofPlayer: id) }
    }
  }

  /// How often the sound repeats after it has played once: `3` plays it four times, and `-1` stands for
  /// ``Repeats/forever``.
  ///
  /// Range: 0 times and up, clamped. Default: not at all. A change while it plays counts the laps that are over. A
  /// sound from ``schedule(_:_:repeats:)`` has repetitions of its own, which this property is once it plays.
  ///
  /// The counterpart is AVAudioPlayer's `numberOfLoops`.
  public var repeats: Repeats {
    get { world.withState { $0.playback.scene.playlist(of: slot)?.current.repeats ?? 0 } }
    set {
      let repeats = newValue.mapTimes { (0...).nearest(to: $0) }
      world.perform(.repeats(repeats), ofPlayer: id)
      check(newValue)
    }
  }

  /// The frames of the sound that repeat; `nil`, the default, for those that its file names, or else all of them.
  ///
  /// The frames before them play once, as an introduction, and those after them once after the last repetition. A range
  /// that is partly outside of the sound is cut to the sound while it plays: `AudioContext.onDiagnostic` reports that
  /// once for each range. A range without a frame of the sound leaves the property unchanged, and is reported. A change
  /// while it plays begins the count of the laps anew. A loop of up to 4,096 frames repeats from memory: its laps need
  /// no seek in the file.
  public var loopRange: Range<Int>? {
    get { world.withState { $0.playback.scene.playlist(of: slot)?.current.loopRange } }
    set { world.perform(.loopRange(newValue), ofPlayer: id) }
  }

  /// The position in the sound, at the sound's own speed.
  ///
  /// The setter works in each state: a player that plays goes on there, with a crossfade of 10 ms, and any other begins
  /// there. Range: 0 to the end of the sound, clamped. A time behind the loop plays to the end of the sound.
  public var playbackTime: Duration {
    get {
      readNow { state in
        let position = state.playback.scene.playerPosition(of: slot)
        // The tick that switches to the sound may not have come.
        guard let playlist = state.playback.scene.playlist(of: slot) else { return .zero }
        let sound = playlist.entries[playlist.index(at: position)].sound
        return sound.format.duration(ofFrames: playlist.frame(at: position))
      }
    }
    set {
      setNearest("playbackTime", newValue, in: Duration.zero...) { world.perform(.seek($0), ofPlayer: id) }
    }
  }

  /// The length of the sound without repetitions, and without the frames that a codec puts around it.
  ///
  /// `nil` where the sound does not know it.
  public var duration: Duration? {
    world.withState { state in
      guard let opened = state.playback.scene.playlist(of: slot)?.current.sound else { return nil }
      return opened.frameCount.map { opened.format.duration(ofFrames: $0) }
    }
  }

  /// The sample rate and the channels of the sound.
  public var format: PCMFormat {
    world.withState { $0.playback.scene.playlist(of: slot)?.current.sound.format ?? .mono(sampleRate: 48_000) }
  }

  /// Whether the player plays, or waits for its start or for a sound.
  public var isPlaying: Bool {
    world.withState { state in
      state.playback.scene.emitters[slot].status == .playing || state.playback.scene.emitters[slot].status == .stopping
        || state.playback.scene.playlist(of: slot)?.isWaiting == true
    }
  }

  /// The levels of the sound's channels now; the levels of silence while it does not play.
  ///
  /// They are a prediction: the samples of 20 ms, multiplied by the gains that are in force. Rooms, filters and the pan
  /// are not in it. It costs no access to the output, and is exact to 0.5 dB for a player alone.
  public var meter: [MeterReading] {
    readNow { state in
      guard let playlist = state.playback.scene.playlist(of: slot) else { return [] }
      guard state.playback.isHeard(slot) else {
        return Array(repeating: .silence, count: playlist.timeline.format.channelCount)
      }
      let gain =
        state.playback.scene.voiceValues(of: slot, channelCount: 0).gain
        * state.playback.scene.space.listeners.rendered.gain.rawValue
      let (timeline, position) = playlist.metered(at: state.playback.scene.playerPosition(of: slot))
      return timeline.readings(at: position, gain: gain)
    }
  }

  /// The importance in the choice of the voices.
  ///
  /// Range: 0 to 100, clamped by ``Priority``. Default: ``Priority/mustBeHeard``.
  public var priority: Priority {
    get { world.withState { $0.playback.scene.emitters[slot].priority } }
    set { world.perform(.priority(newValue), ofPlayer: id) }
  }

  /// The bus of the player; a bus of another world leaves it unchanged, and is reported once.
  public var bus: Bus {
    get { world.bus(world.withState { $0.playback.scene.emitters.bus(of: slot) }) }
    set {
      guard world.owns(newValue, for: .busOfPlayer) else { return }
      world.perform(.bus(newValue.index), ofPlayer: id)
    }
  }
}

extension SoundPlayer {
  private static let volumeRange: ClosedRange<Gain> = Gain.silence...Gain.unity
  private static let panRange: ClosedRange<Float> = -1...1
  // Chosen: two octaves down and up, as for a bus. The stream of a player is read up to four times as fast.
  private static let pitchRange: ClosedRange<Float> = 0.25...4
}

extension SoundPlayer: FaultReporter {
  func report(_ fault: ValueFault) { world.report(fault, ofSlot: slot) }

  /// Reports a negative number of repetitions.
  func check(_ repeats: Repeats) {
    if case .times(let count) = repeats { check("repeats", count, in: 0...) }
  }
}
