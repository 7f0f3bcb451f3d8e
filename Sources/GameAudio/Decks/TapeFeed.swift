internal import AudioSupport
internal import PCM
internal import Spatial3D

/// A `Tape` and the progress of its reader, shared by the world and the thread of the reader.
///
/// Lock order: the world's lock first, then the lock of the feed; nothing is called inside of it.
final class TapeFeed: Sendable {
  /// A sound that ended before its time.
  struct Problem: Sendable {
    let position: Int
    let sentence: String
  }

  private struct State: Sendable {
    var tape: Tape
    var tracks: [Int: Track]
    /// The reader that counts: a virtual player opens a new one while the last may still read.
    var session = 0
    /// The position behind the last frame that was read, or is being read.
    var end = 0
    /// Whether the reader has returned the end of the `Tape`.
    var isOver = false
    var problems: [Problem] = []
    var meter: MeterRing
  }

  let format: PCMFormat
  private let state: Lock<State>

  init(_ tape: Tape, _ tracks: [Int: Track], _ format: PCMFormat) {
    self.format = format
    state = Lock(State(tape: tape, tracks: tracks, meter: MeterRing(format)))
  }

  /// A copy of the `Tape` in its present state, in memory of its own: the reader changes the `Tape` without a copy.
  var tape: Tape { state.withLock { $0.tape.unshared } }

  /// Reads the `Tape` under the lock, without a copy; a tick does that for each player.
  func read<Value: Sendable>(_ body: (Tape) -> Value) -> Value { state.withLock { body($0.tape) } }

  /// The name of a sound of the `Tape`.
  var name: String {
    state.withLock { state in
      state.tape.pieces.first.flatMap { state.tracks[$0.id]?.name } ?? "of a player"
    }
  }

  /// Whether all tracks of the `Tape` are in memory.
  var isInMemory: Bool { state.withLock { $0.tracks.values.allSatisfy(\.isInMemory) } }

  /// The result of a change of the `Tape`.
  enum Change: Hashable, Sendable {
    /// The `Tape` is as before.
    case none
    /// The reader goes on with the changed `Tape`.
    case made
    /// The reader has passed the first position that differs: the `Tape` is as before.
    case late
  }

  /// Changes the `Tape`, unless the reader has passed the first position that differs.
  ///
  /// The closure returns that position, and `nil` for a `Tape` that is as before.
  func change(adding track: (id: Int, track: Track)? = nil, _ body: (inout Tape) -> Int?) -> Change {
    state.withLock { state in
      var tape = state.tape
      guard let position = body(&tape) else { return .none }
      guard state.session == 0 || (!state.isOver && state.end <= position) else { return .late }
      state.tape = tape
      if let track { state.tracks[track.id] = track.track }
      return .made
    }
  }

  /// Removes the tracks of pieces that are over; returns them, to be released without a lock.
  func removeTracks(of ids: Set<Int>) -> [Track] {
    state.withLock { state in ids.compactMap { state.tracks.removeValue(forKey: $0) } }
  }

  /// Removes the tracks of the pieces that are over at a position, and forgets the pieces a second later.
  ///
  /// A late reader still needs its piece. A virtual player has no reader, and its next reader begins at the clock. The
  /// clock goes back a little at a pause. It goes back to the position of a source that stays late: the source is
  /// behind the reader by the queue of a stream at most. Returns the tracks, to be released without a lock.
  func pass(_ position: Int, hasReader: Bool) -> [Track] {
    state.withLock { state in
      let limit = hasReader ? min(position, state.end) : position
      var passed: [Track] = []
      for (index, piece) in state.tape.pieces.enumerated().dropLast() {
        guard let end = state.tape.start(of: index + 1), end <= limit else { break }
        if let track = state.tracks.removeValue(forKey: piece.id) { passed.append(track) }
      }
      state.tape.forget(before: limit - format.sampleRate)
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

extension TapeFeed {
  /// The next frames to read.
  struct Request: Sendable {
    let id: Int
    let track: Track
    let frame: Int
    let lap: Int
    let count: Int
    /// The frames of a short loop from here on, with laps to come.
    let loop: ShortLoop?
  }

  /// A loop that is repeated from memory, because a seek in a file takes longer than its frames.
  struct ShortLoop: Sendable {
    /// The most frames of a short loop: 16 KB for each channel.
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
  /// They count as read from now on: a change of the `Tape` meanwhile must not differ in them.
  func request(at position: Int, upTo maxFrames: Int, in session: Int) -> Request? {
    state.withLock { state in
      guard let place = state.tape.location(at: position), let track = state.tracks[state.tape.pieces[place.index].id]
      else {
        if state.session == session { state.isOver = true }
        return nil
      }
      let count = min(place.count, maxFrames)
      let loop = state.tape.shortLoop(at: place, upTo: maxFrames)
      if state.session == session { state.end = position + (loop?.count ?? count) }
      return Request(
        id: state.tape.pieces[place.index].id,
        track: track,
        frame: place.frame,
        lap: place.lap,
        count: count,
        loop: loop
      )
    }
  }

  /// Notes frames that were read at a position.
  func note(_ pcm: PCMBuffer<Float>, at position: Int, in session: Int) {
    state.withLock { state in
      guard state.session == session else { return }
      state.end = position + pcm.frameCount
      state.isOver = false
      state.meter.add(pcm, at: position)
    }
  }

  /// Notes that the sound at a position has ended there, for a reason or because its length was not known.
  func end(_ request: Request, at position: Int, because sentence: String?, in session: Int) {
    state.withLock { state in
      state.tape.end(id: request.id, atFrame: request.frame, ofLap: request.lap, isFailure: sentence != nil)
    }
    if let sentence { report(sentence, at: position, in: session) }
  }

  /// Notes that the sound that ends at a position is not all there is of it.
  func report(_ sentence: String, at position: Int, in session: Int) {
    state.withLock { state in
      guard state.session == session else { return }
      state.problems.append(Problem(position: position, sentence: sentence))
    }
  }
}

/// The reader of a `Tape`: it plays one track after the other, with their repetitions, as one sound.
struct TapeReader: PCMReader, Sendable, ~Copyable {
  private let feed: TapeFeed
  private let session: Int
  private var position = 0
  /// The track that is open, with the frame that it delivers next.
  private var current: (id: Int, reader: any TrackReading, next: Int)?
  /// The frames of a short loop, so that its laps need no seek.
  private var loop: (id: Int, range: Range<Int>, samples: PCMBuffer<Float>)?
  /// Whether the last frame that was delivered may have to be followed by silence.
  private var needsSilence = false

  let format: PCMFormat
  /// `nil`: the `Tape` may become longer.
  var frameCount: Int? { nil }

  init(_ feed: TapeFeed) {
    self.feed = feed
    format = feed.format
    session = feed.beginReading()
  }

  mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) -> Int {
    while let request = feed.request(at: position, upTo: maxFrames, in: session) {
      var sentence: String?
      do {
        let repeated = request.loop.flatMap { repeatLoop($0, of: request, into: &buffer) }
        let count = try repeated ?? read(request, into: &buffer, maxFrames: request.count)
        if count > 0 {
          feed.note(buffer, at: position, in: session)
          position += count
          needsSilence = true
          let isLast = repeated == nil && request.frame + count == request.track.frameCount
          if isLast, let sentence = current?.reader.defect { feed.report(sentence, at: position, in: session) }
          return count
        }
        sentence = current?.reader.defect
        if sentence == nil, let length = request.track.frameCount, request.frame < length {
          sentence = "\(request.track.name) ended at frame \(request.frame) of \(length): it was cut, or is damaged."
        }
      } catch {
        sentence = "\(error)"
      }
      current = nil
      feed.end(request, at: position, because: sentence, in: session)
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
    _ loop: TapeFeed.ShortLoop,
    of request: TapeFeed.Request,
    into buffer: inout PCMBuffer<Float>
  ) -> Int? {
    let range = loop.range
    if self.loop?.id != request.id || self.loop?.range != range {
      self.loop = nil
      var samples = PCMBuffer<Float>(format: format)
      while samples.frameCount < range.count {
        let next = TapeFeed.Request(
          id: request.id,
          track: request.track,
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
    _ request: TapeFeed.Request,
    into buffer: inout PCMBuffer<Float>,
    maxFrames: Int
  ) throws -> Int {
    if current?.id != request.id { current = (request.id, try request.track.open(), 0) }
    guard let reader = current?.reader else { return 0 }
    if current?.next != request.frame { try reader.seek(toFrame: request.frame) }
    buffer.removeAll(adopting: format)
    // The buffer counts, as in a stream of a source: a reader of the program may return another number.
    _ = try reader.read(into: &buffer, maxFrames: maxFrames)
    guard buffer.frameCount == 0 || buffer.format == format else {
      throw GameAudioError(
        .soundUnavailable,
        "\(request.track.name) began with \(format) and went on with \(buffer.format). Open the player again."
      )
    }
    if let (index, value) = buffer.samples.enumerated().first(where: { !($0.element.magnitude <= 1e6) }) {
      throw GameAudioError(
        .soundUnavailable,
        "\(request.track.name) has the value \(value) at sample \(index) behind frame \(request.frame)."
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

extension LoadedSound {
  /// The sound of a `Tape`.
  convenience init(_ feed: TapeFeed) {
    var stream = StreamSource(name: feed.name, path: nil) {
      StreamSource.Description(of: TapeReader(feed))
    } open: { _, _, context, _ in
      try SoundSource(streaming: TapeReader(feed), in: context)
    } read: {
      TrackReader(TapeReader(feed))
    }
    stream.checksMemory = { feed.isInMemory }
    self.init(stream, feed.format)
  }
}
