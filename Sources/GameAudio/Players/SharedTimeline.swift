internal import AudioSupport
internal import PCM
internal import Spatial3D

/// A timeline and the progress of its reader, shared by the world and the thread of the reader.
///
/// Lock order: the lock of the world, or of the stream's reader, comes before the lock of this state; nothing is called
/// inside of it.
final class SharedTimeline: Sendable {
  /// A sound that ended before its time.
  struct Problem: Sendable {
    let position: Int
    let sentence: String
  }

  private struct State: Sendable {
    var timeline: PlaybackTimeline
    var sounds: TimelineSounds
    /// The reader that counts: a virtual player opens a new one while the last may still read.
    var session = 0
    /// The position behind the last frame that was read, or is being read.
    var end = 0
    /// Whether the reader has returned the end of the timeline.
    var isOver = false
    var problems: [Problem] = []
    var meter: MeterRing
  }

  let format: PCMFormat
  private let state: Lock<State>

  init(_ timeline: PlaybackTimeline, _ sounds: TimelineSounds, _ format: PCMFormat) {
    self.format = format
    state = Lock(State(timeline: timeline, sounds: sounds, meter: MeterRing(format)))
  }

  /// A copy of the timeline in its present state, in memory of its own: the reader changes the timeline without a copy.
  var copy: PlaybackTimeline { state.withLock { $0.timeline.unshared } }

  /// Reads the timeline under the lock, without a copy; a tick does that for each player.
  func read<Value: Sendable>(_ body: (PlaybackTimeline) -> Value) -> Value { state.withLock { body($0.timeline) } }

  /// The name of a sound of the timeline.
  var name: String {
    state.withLock { state in
      state.timeline.pieces.first.flatMap { state.sounds[$0.id]?.name } ?? "of a player"
    }
  }

  /// Whether all sounds of the timeline are in memory.
  var isInMemory: Bool { state.withLock { $0.sounds.areInMemory } }

  /// The first file that the reader opens; `nil` if it opens none, or may open a reader of the game.
  var firstFile: String? {
    state.withLock { state in
      let opened = state.timeline.pieces.compactMap { state.sounds[$0.id] }.filter { !$0.isInMemory }
      return opened.allSatisfy { $0.path != nil } ? opened.first?.path : nil
    }
  }

  /// The result of a change of the timeline.
  enum Change: Hashable, Sendable {
    /// The timeline is as before.
    case none
    /// The reader goes on with the changed timeline.
    case made
    /// The reader has passed the first position that differs: the timeline is as before.
    case late
  }

  /// Changes the timeline, unless the reader has passed the first position that differs.
  ///
  /// The closure returns that position, and `nil` for a timeline that is as before.
  func change(adding sound: (id: Int, sound: OpenedSound)? = nil, _ body: (inout PlaybackTimeline) -> Int?) -> Change {
    state.withLock { state in
      var timeline = state.timeline
      guard let position = body(&timeline) else { return .none }
      guard state.session == 0 || (!state.isOver && state.end <= position) else { return .late }
      state.timeline = timeline
      if let sound { state.sounds[sound.id] = sound.sound }
      return .made
    }
  }

  /// Removes the sounds of pieces that are over; returns them, to be released without a lock.
  func removeSounds(of ids: Set<Int>) -> [OpenedSound] {
    state.withLock { state in ids.compactMap { state.sounds.remove($0) } }
  }

  /// Removes the sounds of the pieces that are over at a position, and forgets the pieces a second later.
  ///
  /// A late reader still needs its piece. A virtual player has no reader, and its next reader begins at the clock. The
  /// clock goes back a little at a pause. It goes back to the position of a source that stays late: the source is
  /// behind the reader by the queue of a stream at most. Returns the sounds, to be released without a lock.
  func pass(_ position: Int, hasReader: Bool) -> [OpenedSound] {
    state.withLock { state in
      let limit = hasReader ? min(position, state.end) : position
      var passed: [OpenedSound] = []
      for (index, piece) in state.timeline.pieces.enumerated().dropLast() {
        guard let end = state.timeline.start(of: index + 1), end <= limit else { break }
        if let opened = state.sounds.remove(piece.id) { passed.append(opened) }
      }
      state.timeline.forget(before: limit - format.sampleRate)
      return passed
    }
  }

  /// The readings of the meter at a position.
  func readings(at position: Int, gain: Float) -> [MeterReading] {
    state.withLock { $0.meter.readings(at: position, gain: gain) }
  }

  /// The level of all channels at a position.
  func level(at position: Int) -> Float { state.withLock { $0.meter.level(at: position) } }

  /// The problems that were not taken.
  var problems: [Problem] { state.withLock { $0.problems.map(\.self) } }

  /// Takes the problems of positions up to one.
  func takeProblems(until position: Int) -> [Problem] {
    state.withLock { state in
      guard !state.problems.isEmpty else { return [] }
      defer { state.problems.removeAll { $0.position <= position } }
      return state.problems.filter { $0.position <= position }
    }
  }
}

// MARK: - The reader

extension SharedTimeline {
  /// The next frames to read.
  struct Request: Sendable {
    let id: Int
    let sound: OpenedSound
    let frame: Int
    let lap: Int
    let count: Int
    /// The frames of a short loop from here on, with laps to come.
    let loop: ShortLoop?
  }

  /// A loop that is repeated from memory, because a seek in a file takes longer than its frames.
  struct ShortLoop: Sendable {
    /// The most frames of a short loop: 16 KB for each channel.
    ///
    /// Chosen: a longer loop has less than one seek in each chunk of a stream, which has 2,400 frames at 48,000 Hz.
    static let mostFrames = 4_096

    let range: Range<Int>
    /// The frames to deliver, of this lap and of others.
    let count: Int
  }

  /// Begins a reader, whose number is returned.
  func beginReading() -> Int {
    state.withLock { state in
      state.session += 1
      (state.end, state.isOver) = (0, false)
      return state.session
    }
  }

  /// The frames at a position; `nil` at the end.
  ///
  /// They count as read from now on: a change of the timeline meanwhile must not differ in them.
  func request(at position: Int, upTo maxFrames: Int, in session: Int) -> Request? {
    state.withLock { state in
      guard let place = state.timeline.location(at: position),
        let opened = state.sounds[state.timeline.pieces[place.index].id]
      else {
        if state.session == session { state.isOver = true }
        return nil
      }
      let count = min(place.count, maxFrames)
      let loop = state.timeline.shortLoop(at: place, upTo: maxFrames)
      if state.session == session { state.end = position + (loop?.count ?? count) }
      return Request(
        id: state.timeline.pieces[place.index].id,
        sound: opened,
        frame: place.frame,
        lap: place.lap,
        count: count,
        loop: loop
      )
    }
  }

  /// Records frames that were read at a position.
  func record(_ pcm: PCMBuffer<Float>, at position: Int, in session: Int) {
    state.withLock { state in
      guard state.session == session else { return }
      state.end = position + pcm.frameCount
      state.isOver = false
      state.meter.add(pcm, at: position)
    }
  }

  /// Ends the sound at a position, for a reason or because its length was not known.
  func end(_ request: Request, at position: Int, because sentence: String?, in session: Int) {
    state.withLock { state in
      state.timeline.end(id: request.id, atFrame: request.frame, ofLap: request.lap, isFailure: sentence != nil)
    }
    if let sentence { report(sentence, at: position, in: session) }
  }

  /// Records a problem: the sound that ends at a position is not complete.
  func report(_ sentence: String, at position: Int, in session: Int) {
    state.withLock { state in
      guard state.session == session else { return }
      state.problems.append(Problem(position: position, sentence: sentence))
    }
  }
}

/// The reader of a timeline: it plays one sound after the other, with their repetitions, as one sound.
struct TimelineReader: PCMReader, Sendable, ~Copyable {
  private let timeline: SharedTimeline
  private let session: Int
  private var position = 0
  /// The sound that is open, with the frame that it delivers next.
  private var current: (id: Int, reader: any TrackReading, next: Int)?
  /// The frames of a short loop, so that its laps need no seek.
  private var loop: (id: Int, range: Range<Int>, samples: PCMBuffer<Float>)?
  /// Whether the last frame that was delivered may have to be followed by silence.
  private var needsSilence = false

  let format: PCMFormat
  /// `nil`: the timeline may become longer.
  var frameCount: Int? { nil }

  init(_ timeline: SharedTimeline) {
    self.timeline = timeline
    format = timeline.format
    session = timeline.beginReading()
  }

  mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) -> Int {
    while let request = timeline.request(at: position, upTo: maxFrames, in: session) {
      var sentence: String?
      do {
        let repeated = request.loop.flatMap { repeatLoop($0, of: request, into: &buffer) }
        let count = try repeated ?? read(request, into: &buffer, maxFrames: request.count)
        if count > 0 {
          timeline.record(buffer, at: position, in: session)
          position += count
          needsSilence = true
          let isLast = repeated == nil && request.frame + count == request.sound.frameCount
          if isLast, let sentence = current?.reader.defect { timeline.report(sentence, at: position, in: session) }
          return count
        }
        sentence = current?.reader.defect
        if sentence == nil, let length = request.sound.frameCount, request.frame < length {
          sentence = "\(request.sound.name) ended at frame \(request.frame) of \(length): it was cut, or is damaged."
        }
      } catch {
        sentence = "\(error)"
      }
      current = nil
      timeline.end(request, at: position, because: sentence, in: session)
    }
    buffer.removeAll(adopting: format)
    guard needsSilence else { return 0 }
    // OpenAL Soft 1.25 holds the last sample of a source until the end of a mix.
    needsSilence = false
    return buffer.append(frames: 1) { room in
      for _ in 0..<format.channelCount { room.append(0) }
    }
  }

  mutating func seek(toFrame frame: Int) { (position, needsSilence) = (max(frame, 0), false) }

  /// Copies frames of a short loop, which it reads first; returns `nil` if the reader does not deliver all of it.
  private mutating func repeatLoop(
    _ loop: SharedTimeline.ShortLoop,
    of request: SharedTimeline.Request,
    into buffer: inout PCMBuffer<Float>
  ) -> Int? {
    let range = loop.range
    if self.loop?.id != request.id || self.loop?.range != range {
      self.loop = nil
      var samples = PCMBuffer<Float>(format: format)
      while samples.frameCount < range.count {
        let next = SharedTimeline.Request(
          id: request.id,
          sound: request.sound,
          frame: range.lowerBound + samples.frameCount,
          lap: request.lap,
          count: range.count - samples.frameCount,
          loop: nil
        )
        // The sound then ends at the frame at which its reader fails.
        guard let count = try? read(next, into: &buffer, maxFrames: next.count), min(count, buffer.frameCount) > 0
        else { return nil }
        samples.append(frames: buffer.frameCount) { room in for sample in buffer.samples { room.append(sample) } }
      }
      self.loop = (request.id, range, samples)
    }
    guard let samples = self.loop?.samples.samples else { return nil }
    let (channels, start) = (format.channelCount, request.frame - range.lowerBound)
    buffer.removeAll(adopting: format)
    return buffer.append(frames: loop.count) { room in
      for frame in start..<start + loop.count {
        for channel in 0..<channels { room.append(samples[frame % range.count * channels + channel]) }
      }
    }
  }

  private mutating func read(
    _ request: SharedTimeline.Request,
    into buffer: inout PCMBuffer<Float>,
    maxFrames: Int
  ) throws -> Int {
    if current?.id != request.id { current = (request.id, try request.sound.open(), 0) }
    guard let reader = current?.reader else { return 0 }
    if current?.next != request.frame { try reader.seek(toFrame: request.frame) }
    buffer.removeAll(adopting: format)
    // The buffer counts, as in a stream of a source: a reader of the program may return another number.
    _ = try reader.read(into: &buffer, maxFrames: maxFrames)
    guard buffer.frameCount == 0 || buffer.format == format else {
      throw GameAudioError(
        .soundUnavailable,
        "\(request.sound.name) began with \(format) and went on with \(buffer.format). Open the player again."
      )
    }
    // The largest sample that Spatial3D plays is 120 dB above full scale: a room would turn more into NaN.
    if let (index, value) = buffer.samples.enumerated().first(where: { !($0.element.magnitude <= 1e6) }) {
      throw GameAudioError(
        .soundUnavailable,
        "\(request.sound.name) has the value \(value) at sample \(index) behind frame \(request.frame)."
          + " Samples have to be numbers; full scale is 1."
      )
    }
    current?.next = Frames.sum(request.frame, buffer.frameCount)
    // Frames behind the request belong to another lap or another sound.
    buffer.removeFrames(from: maxFrames)
    return buffer.frameCount
  }
}

extension PCMBuffer<Float> {
  /// Removes the frames from an index on.
  fileprivate mutating func removeFrames(from index: Int) {
    guard index < frameCount else { return }
    let kept = samples.prefix(index * format.channelCount)
    removeAll(adopting: format)
    append(frames: index) { room in for sample in kept { room.append(sample) } }
  }
}

extension SharedTimeline: StreamOpening {
  func describe() -> StreamSource.Description { StreamSource.Description(of: TimelineReader(self)) }

  func open(_ opening: StreamSource.Opening) throws -> SoundSource {
    try SoundSource(streaming: TimelineReader(self), in: opening.context)
  }

  func read() -> any TrackReading { TrackReader(TimelineReader(self)) }
}

extension LoadedSound {
  /// The sound of a timeline.
  convenience init(_ timeline: SharedTimeline) {
    self.init(StreamSource(name: timeline.name, path: nil, timeline), timeline.format)
  }
}
