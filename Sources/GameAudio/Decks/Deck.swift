internal import PCM
internal import Spatial3D

/// The playlist of a player, and the player's position in it.
///
/// The first entries have one format, and are on the `Tape` that the player's reader plays. Pure: no call and no lock.
struct Deck: Sendable {
  /// A sound in line.
  struct Entry: Sendable {
    let id: Int
    let track: Track
    var repeats: Repeats
    /// The frames that repeat; `nil` for the loop range of the track.
    var loopRange: Range<Int>?

    var piece: Tape.Piece {
      Tape.Piece(
        id: id,
        frameCount: track.frameCount ?? .max,
        loopRange: loopRange ?? track.loopRange,
        repeats: repeats
      )
    }
  }

  /// A `Tape` that is to begin at a frame of the mix, with the voice that waits for it.
  struct Following: Sendable {
    let feed: TapeFeed
    let loaded: LoadedSound
    /// The sound that replaces the line; `nil` for the next one of it.
    let entry: Entry?
    /// The frame of the mix.
    var begin: Int
    /// The voice; `nil` where none was free.
    var voice: VoiceKey?
  }

  /// A sound that begins at a frame of the mix, whatever plays then.
  struct Appointment: Sendable {
    let entry: Entry
    var begin: Int
  }

  /// The `Tape` that the present voice plays until a voice of another `Tape` takes over.
  struct Former: Sendable {
    let feed: TapeFeed
    /// The position on it, less the position on the player's `Tape`.
    let offset: Int
  }

  /// Another reader of the present `Tape`, whose voice plays silently until it takes over from the present one.
  struct Replacement: Sendable {
    let feed: TapeFeed
    let loaded: LoadedSound
    let voice: VoiceKey
  }

  /// The slot of the player's values.
  let slot: EmitterSlot
  private(set) var line: [Entry]
  private(set) var lastID = 0
  private(set) var feed: TapeFeed {
    didSet { earliestReplacement = 0 }
  }
  private(set) var loaded: LoadedSound
  /// The position on the `Tape` at which the player begins, while it is stopped.
  var position = 0
  /// The laps that were reported.
  var laps = 0

  var pan: Float = 0
  private(set) var monoLaw: PanLaw
  private(set) var stereoLaw: PanLaw

  var following: Following?
  var appointments: [Appointment] = []
  /// The voice that takes over from the present one, with the same frames.
  var relief: VoiceKey?
  /// The `Tape` that has the levels of the present voice; `nil` for the player's own.
  var former: Former?
  var replacement: Replacement?
  /// The frame of the mix from which on another reader may play the present `Tape`; `Int.max` after a reader that has
  /// failed.
  var earliestReplacement = 0
  /// The frame of the mix at which the gain became zero for a pause.
  var silentSince: Int?
  /// Whether an interruption has paused it, and whether no call has touched it since.
  var isInterrupted = false
  var isUntouched = false
  /// Whether a sound has failed since the player began.
  var hasFailed = false
  /// Whether the start has a moment: a late voice goes on where it would be.
  var isScheduled = false
  /// The sound whose pan was reported to have no effect.
  var soundWithReportedPan: Int?
  /// The sounds that are being opened for the line.
  var opening = 0
  /// Whether the line was over while a sound was being opened.
  var awaitsOpening = false
  /// Whether it was paused then: the sound that is being opened waits for a play.
  var isWaitPaused = false
  /// The sounds to release without the world's lock: their closures may hold objects of the program.
  private var garbage: [Track] = []

  init(_ track: Track, slot: EmitterSlot, onTwoLoudspeakers isPair: Bool) {
    self.slot = slot
    line = [Entry(id: 0, track: track, repeats: 0)]
    feed = TapeFeed(Tape([line[0].piece]), [0: track], track.format)
    loaded = LoadedSound(feed)
    monoLaw = PanLaw(pan: 0, channelCount: 1, onTwoLoudspeakers: isPair)
    stereoLaw = PanLaw(pan: 0, channelCount: 2, onTwoLoudspeakers: isPair)
  }

  /// Whether the player plays as soon as a sound is opened.
  var isWaiting: Bool { awaitsOpening && !isWaitPaused }

  /// The sound that plays, or that will.
  var current: Entry { line[0] }

  /// The number of entries on the `Tape`.
  private var tapeCount: Int {
    feed.read { tape in line.prefix { entry in tape.pieces.contains { $0.id == entry.id } }.count }
  }

  /// Whether a sound follows behind the end of the `Tape`: it needs a voice of its own.
  var hasNextTape: Bool { tapeCount < line.count }

  /// The levels of the frames around a position of the `Tape`: their `TapeFeed`, and the position on it.
  func metered(at position: Int) -> (feed: TapeFeed, position: Int) {
    former.map { ($0.feed, position + $0.offset) } ?? (feed, position)
  }

  /// Runs a closure on the `Deck`.
  mutating func change<Value>(_ body: (inout Deck) -> Value) -> Value { body(&self) }

  /// Counts in the frames of another rate of the mix.
  mutating func convertFrames(_ converted: (Int) -> Int) {
    if let begin = following?.begin { following?.begin = converted(begin) }
    for index in appointments.indices { appointments[index].begin = converted(appointments[index].begin) }
    silentSince = silentSince.map(converted)
    if earliestReplacement < .max { earliestReplacement = converted(earliestReplacement) }
  }

  /// Moves the sound to one side.
  mutating func setPan(_ value: Float, onTwoLoudspeakers isPair: Bool) {
    // A stereo sound has direct channels only without a pan: a change from or to 0 needs another reader.
    if (value == 0) != (pan == 0) { earliestReplacement = 0 }
    pan = value
    monoLaw = PanLaw(pan: value, channelCount: 1, onTwoLoudspeakers: isPair)
    stereoLaw = PanLaw(pan: value, channelCount: 2, onTwoLoudspeakers: isPair)
  }

  /// The frame of the current sound at a position of the `Tape`.
  func frame(at position: Int) -> Int {
    feed.read { $0.location(at: position)?.frame ?? $0.pieces.last?.frameCount ?? 0 }
  }

  /// Whether a position is the end of the `Tape`.
  func isEnd(_ position: Int) -> Bool { feed.read { $0.location(at: position) == nil } }

  mutating func makeEntry(_ track: Track, repeats: Repeats) -> Entry {
    lastID += 1
    return Entry(id: lastID, track: track, repeats: repeats)
  }

  /// The index in the line of the sound at a position; at the end, the index of the last sound on the `Tape`.
  func index(at position: Int) -> Int {
    let id = feed.read { $0.piece(at: position)?.id }
    return line.firstIndex { $0.id == id } ?? 0
  }

  /// Forgets the sounds of the line that are over at a position, and their pieces of the `Tape`.
  mutating func pass(_ position: Int, hasReader: Bool) {
    let index = index(at: position)
    guard index > 0 else { return }
    garbage += feed.pass(position, hasReader: hasReader)
    discard(..<index)
    // Another reader may be able to open the next sound.
    earliestReplacement = 0
  }

  /// The report of a pan without an effect on the current sound; `nil` if there is nothing to report, or if the report
  /// was made.
  mutating func reportPan() -> Diagnostic? {
    guard pan != 0, current.track.format.channelCount > 2, soundWithReportedPan != current.id else { return nil }
    soundWithReportedPan = current.id
    return .panIgnored(current.track.name, channels: current.track.format.channelCount)
  }

  /// Removes sounds from the line.
  private mutating func discard(_ range: some RangeExpression<Int>) {
    garbage += line[range].map(\.track)
    line.removeSubrange(range)
  }

  /// The sounds that were removed since the last call; `nil` for none.
  mutating func takeGarbage() -> [Track]? {
    guard !garbage.isEmpty else { return nil }
    defer { garbage = [] }
    return garbage
  }

  /// Forgets the sounds that have a moment.
  mutating func removeAppointments() {
    garbage += appointments.map(\.entry.track)
    appointments = []
  }

  /// Forgets the `Tape` that was to follow.
  mutating func removeFollowing() {
    if let entry = following?.entry { garbage.append(entry.track) }
    following = nil
  }
}

// MARK: - Changes of the playlist

extension Deck {
  /// Makes a new `Tape` that begins with the current sound, for a seek to a frame; the reader is to be replaced.
  ///
  /// Frames behind the loop play once, to the end. Returns the position of the frame.
  mutating func rewind(toFrame frame: Int) -> Int {
    let track = line[0].track
    let frame = min(max(frame, 0), track.frameCount ?? Frames.last, Frames.last)
    var pieces = line.prefix { $0.track.format == track.format }.map(\.piece)
    if frame >= pieces[0].loopRange.upperBound {
      pieces[0] = Tape.Piece(id: line[0].id, frameCount: pieces[0].frameCount, loopRange: nil, repeats: 0)
    }
    load(Tape(pieces))
    laps = 0
    return frame
  }

  /// Makes the `Tape` of the next format the present `Tape`.
  mutating func adopt(_ next: Following) {
    discard(..<min(tapeCount, line.count - 1))
    (feed, loaded, following) = (next.feed, next.loaded, nil)
    laps = 0
  }

  /// The next `Tape`: the entries behind the present `Tape` up to a change of the format.
  func nextTape() -> (feed: TapeFeed, loaded: LoadedSound)? {
    let rest = line.dropFirst(tapeCount)
    guard let format = rest.first?.track.format else { return nil }
    return Self.tape(of: Array(rest.prefix { $0.track.format == format }), format)
  }

  /// A `Tape` of entries of one format.
  static func tape(of entries: [Entry], _ format: PCMFormat) -> (feed: TapeFeed, loaded: LoadedSound) {
    var tracks: [Int: Track] = [:]
    for entry in entries { tracks[entry.id] = entry.track }
    let feed = TapeFeed(Tape(entries.map(\.piece)), tracks, format)
    return (feed, LoadedSound(feed))
  }

  /// Replaces the line by one sound, at its beginning.
  mutating func replaceLine(with entry: Entry) {
    discard(0...)
    line = [entry]
    load(Tape([entry.piece]))
    (position, laps) = (0, 0)
  }

  /// Replaces the line by a sound that another voice has begun.
  mutating func replaceLine(with entry: Entry, playing next: Following) {
    discard(0...)
    line = [entry]
    (feed, loaded, following) = (next.feed, next.loaded, nil)
    laps = 0
  }

  /// Appends a sound; returns whether it belongs on the present `Tape`.
  mutating func append(_ entry: Entry) -> Bool {
    let isOnTape = tapeCount == line.count && entry.track.format == feed.format
    line.append(entry)
    return isOnTape
  }

  /// Changes the `Tape` for a reader that replaces the present reader.
  mutating func reload(_ body: (inout Tape) -> Int?) {
    var tape = feed.tape
    _ = body(&tape)
    load(tape)
  }

  /// A copy of the present `Tape`, for another reader.
  func copiedTape() -> (feed: TapeFeed, loaded: LoadedSound) {
    let feed = TapeFeed(feed.tape, tracks(of: feed.tape), feed.format)
    return (feed, LoadedSound(feed))
  }

  /// Takes over the `Tape` of the other reader.
  mutating func adoptReplacement() {
    guard let replacement else { return }
    (feed, loaded, self.replacement) = (replacement.feed, replacement.loaded, nil)
  }

  /// Removes the sounds behind the current sound from the line, except for the sounds on the `Tape`.
  ///
  /// The sounds on the `Tape` keep at most the repetitions that it has.
  mutating func removeLater() {
    let tape = feed.tape
    let removed = line.dropFirst().filter { entry in !tape.pieces.contains { $0.id == entry.id } }
    let ids = Set(removed.map(\.id))
    line.removeAll { ids.contains($0.id) }
    garbage += removed.map(\.track) + feed.removeTracks(of: ids)
    // A seek makes a new `Tape` from the line.
    for piece in tape.pieces {
      guard let place = line.firstIndex(where: { $0.id == piece.id }) else { continue }
      if piece.allRepetitions < line[place].repeats.count { line[place].repeats = .times(piece.allRepetitions) }
    }
  }

  /// Stores the repetitions or the loop of the current sound.
  mutating func changeCurrent(_ body: (inout Entry) -> Void) { body(&line[0]) }

  private mutating func load(_ tape: Tape) {
    feed = TapeFeed(tape, tracks(of: tape), line[0].track.format)
    loaded = LoadedSound(feed)
  }

  private func tracks(of tape: Tape) -> [Int: Track] {
    var tracks: [Int: Track] = [:]
    for entry in line where tape.pieces.contains(where: { $0.id == entry.id }) { tracks[entry.id] = entry.track }
    return tracks
  }
}
