internal import PCM
internal import Spatial3D

/// The playlist of a player, and the player's position in it.
///
/// The first entries have one format, and are on the timeline that the player's reader plays. A pure value.
struct Playlist: Sendable {
  /// A sound of the playlist.
  struct Entry: Sendable {
    let id: Int
    let sound: OpenedSound
    var repeats: Repeats
    /// The frames that repeat; `nil` for the loop range of the sound.
    var loopRange: Range<Int>?

    var piece: PlaybackTimeline.Piece {
      PlaybackTimeline.Piece(
        id: id,
        frameCount: sound.frameCount ?? .max,
        loopRange: loopRange ?? sound.loopRange,
        repeats: repeats
      )
    }
  }

  /// A sound that begins at a frame of the mix, whatever plays then.
  struct ScheduledSound: Sendable {
    let entry: Entry
    var begin: Int
  }

  /// The slot of the player's values.
  let slot: EmitterSlot
  private(set) var entries: [Entry]
  private(set) var lastID = 0
  private(set) var timeline: SharedTimeline {
    didSet { earliestReader = 0 }
  }
  private(set) var loaded: LoadedSound
  /// The position on the timeline at which the player begins, while it is stopped.
  var position = 0
  /// The laps that were reported.
  var laps = 0

  var pan: Float = 0
  private(set) var monoLaw: PanLaw
  private(set) var stereoLaw: PanLaw

  var upcoming: Upcoming?
  var scheduledSounds: [ScheduledSound] = []
  /// The voice that is to take over from the present voice.
  var replacement: Replacement?
  /// The timeline that has the levels of the present voice; `nil` for the player's own.
  var previous: Previous?
  /// The frame of the mix from which on another reader may play the present timeline; `nil` after a reader that has
  /// failed.
  var earliestReader: Int? = 0
  /// The frame of the mix at which the gain became zero for a pause.
  var silentSince: Int?
  var interruption = Interruption.none
  /// Whether a sound has failed since the player began.
  var hasFailed = false
  /// Whether the start has a moment: a late voice goes on where it would be.
  var isScheduled = false
  /// The sound whose pan was reported to have no effect.
  var soundWithReportedPan: Int?
  /// The number of sounds that are being opened for the playlist.
  var openingCount = 0
  var wait = Wait.none
  /// The objects to release without the world's lock: the closures of sounds may hold objects of the program.
  private var released: [any AnyObject & Sendable] = []

  init(_ opened: OpenedSound, slot: EmitterSlot, onTwoLoudspeakers isPair: Bool) {
    self.slot = slot
    entries = [Entry(id: 0, sound: opened, repeats: 0)]
    timeline = SharedTimeline(PlaybackTimeline([entries[0].piece]), TimelineSounds(entries), opened.format)
    loaded = LoadedSound(timeline)
    monoLaw = PanLaw(pan: 0, channelCount: 1, onTwoLoudspeakers: isPair)
    stereoLaw = PanLaw(pan: 0, channelCount: 2, onTwoLoudspeakers: isPair)
  }

  /// The sound that plays, or that will.
  var current: Entry { entries[0] }

  /// The number of entries on the timeline.
  private var timelineCount: Int {
    timeline.read { timeline in entries.prefix { entry in timeline.pieces.contains { $0.id == entry.id } }.count }
  }

  /// Whether a sound follows behind the end of the timeline: it needs a voice of its own.
  var hasNextTimeline: Bool { timelineCount < entries.count }

  /// The levels of the frames around a position of the timeline: their `SharedTimeline`, and the position on it.
  func metered(at position: Int) -> (timeline: SharedTimeline, position: Int) {
    previous.map { ($0.timeline, position + $0.offset) } ?? (timeline, position)
  }

  /// Runs a closure on the playlist.
  mutating func change<Value>(_ body: (inout Playlist) -> Value) -> Value { body(&self) }

  /// Counts in the frames of another rate of the mix.
  mutating func convertFrames(_ conversion: FrameConversion) {
    if let begin = upcoming?.begin { upcoming?.begin = conversion.converted(begin) }
    for index in scheduledSounds.indices { conversion.convert(&scheduledSounds[index].begin) }
    conversion.convert(&silentSince)
    conversion.convert(&earliestReader)
  }

  /// Moves the sound to one side.
  mutating func setPan(_ value: Float, onTwoLoudspeakers isPair: Bool) {
    // A stereo sound has direct channels only without a pan: a change from or to 0 needs another reader.
    if (value == 0) != (pan == 0) { earliestReader = 0 }
    pan = value
    monoLaw = PanLaw(pan: value, channelCount: 1, onTwoLoudspeakers: isPair)
    stereoLaw = PanLaw(pan: value, channelCount: 2, onTwoLoudspeakers: isPair)
  }

  /// Sets whether the output is a pair of loudspeakers, which the laws of the pan depend on.
  mutating func setTwoLoudspeakers(_ isPair: Bool) {
    setPan(pan, onTwoLoudspeakers: isPair)
    earliestReader = 0
  }

  /// The law of the pan for a voice with one or two channels.
  func panLaw(channelCount: Int) -> PanLaw { channelCount == 1 ? monoLaw : stereoLaw }

  /// The frame of the current sound at a position of the timeline.
  func frame(at position: Int) -> Int {
    timeline.read { $0.location(at: position)?.frame ?? $0.pieces.last?.frameCount ?? 0 }
  }

  /// Whether a position is the end of the timeline, or of the timeline that follows.
  func isEnd(_ position: Int, ofUpcoming isUpcoming: Bool = false) -> Bool {
    guard isUpcoming else { return timeline.read { $0.location(at: position) == nil } }
    return upcoming?.timeline.read { $0.location(at: position) == nil } ?? true
  }

  mutating func makeEntry(_ opened: OpenedSound, repeats: Repeats) -> Entry {
    lastID += 1
    return Entry(id: lastID, sound: opened, repeats: repeats)
  }

  /// The index in the playlist of the sound at a position; at the end, the index of the last sound on the timeline.
  func index(at position: Int) -> Int {
    let id = timeline.read { $0.piece(at: position)?.id }
    return entries.firstIndex { $0.id == id } ?? 0
  }

  /// Forgets the sounds of the playlist that are over at a position, and their pieces of the timeline.
  mutating func pass(_ position: Int, hasReader: Bool) {
    let index = index(at: position)
    guard index > 0 else { return }
    for opened in timeline.pass(position, hasReader: hasReader) { release(opened) }
    discard(..<index)
    // Another reader may be able to open the next sound.
    earliestReader = 0
  }

  /// The report of a pan without an effect on the current sound; `nil` if there is nothing to report, or if the report
  /// was made.
  mutating func reportPan() -> Diagnostic? {
    guard pan != 0, current.sound.format.channelCount > 2, soundWithReportedPan != current.id else { return nil }
    soundWithReportedPan = current.id
    return .panIgnored(current.sound.name, channels: current.sound.format.channelCount)
  }

  /// Removes sounds from the playlist.
  private mutating func discard(_ range: some RangeExpression<Int>) {
    for entry in entries[range] { release(entry.sound) }
    entries.removeSubrange(range)
  }

  /// Releases an object without the world's lock.
  mutating func release(_ object: some AnyObject & Sendable) { released.append(object) }

  /// The objects that were released since the last call; `nil` for none.
  mutating func takeReleased() -> [any AnyObject & Sendable]? {
    guard !released.isEmpty else { return nil }
    defer { released = [] }
    return released
  }

  /// Forgets the sounds that are scheduled.
  mutating func removeScheduledSounds() {
    for sound in scheduledSounds { release(sound.entry.sound) }
    scheduledSounds = []
  }
}

// MARK: - Changes of the playlist

extension Playlist {
  /// Makes a new timeline that begins with the current sound, for a seek to a frame; the reader is to be replaced.
  ///
  /// Frames behind the loop play once, to the end. Returns the position of the frame.
  mutating func rewind(toFrame frame: Int) -> Int {
    let opened = entries[0].sound
    let frame = min(max(frame, 0), opened.frameCount ?? Frames.last, Frames.last)
    var pieces = entries.prefix { $0.sound.format == opened.format }.map(\.piece)
    if frame >= pieces[0].loopRange.upperBound {
      pieces[0] = PlaybackTimeline.Piece(
        id: entries[0].id,
        frameCount: pieces[0].frameCount,
        loopRange: nil,
        repeats: 0
      )
    }
    load(PlaybackTimeline(pieces))
    laps = 0
    return frame
  }

  /// Makes the timeline of the next format the present timeline.
  mutating func switchToNextTimeline(_ next: Upcoming) {
    discard(..<min(timelineCount, entries.count - 1))
    (timeline, loaded, upcoming) = (next.timeline, next.loaded, nil)
    laps = 0
  }

  /// The next timeline: the entries behind the present timeline up to a change of the format.
  func nextTimeline() -> (timeline: SharedTimeline, loaded: LoadedSound)? {
    let rest = entries.dropFirst(timelineCount)
    guard let format = rest.first?.sound.format else { return nil }
    return Self.timeline(of: Array(rest.prefix { $0.sound.format == format }), format)
  }

  /// The timeline of a sound that replaces the playlist, or the next timeline.
  func timeline(for entry: Entry?) -> (timeline: SharedTimeline, loaded: LoadedSound)? {
    entry.map { Self.timeline(of: [$0], $0.sound.format) } ?? nextTimeline()
  }

  /// Begins a timeline that another voice plays.
  mutating func begin(_ next: Upcoming) {
    isScheduled = true
    removePrevious()
    if let entry = next.entry {
      replaceEntries(with: entry, playing: next)
    } else {
      switchToNextTimeline(next)
    }
    position = 0
  }

  /// A timeline of entries of one format.
  static func timeline(of entries: [Entry], _ format: PCMFormat) -> (timeline: SharedTimeline, loaded: LoadedSound) {
    let timeline = SharedTimeline(PlaybackTimeline(entries.map(\.piece)), TimelineSounds(entries), format)
    return (timeline, LoadedSound(timeline))
  }

  /// Replaces the playlist by one sound, at its beginning.
  mutating func replaceEntries(with entry: Entry) {
    discard(0...)
    entries = [entry]
    load(PlaybackTimeline([entry.piece]))
    (position, laps) = (0, 0)
  }

  /// Replaces the playlist by a sound that another voice has begun.
  mutating func replaceEntries(with entry: Entry, playing next: Upcoming) {
    discard(0...)
    entries = [entry]
    (timeline, loaded, upcoming) = (next.timeline, next.loaded, nil)
    laps = 0
  }

  /// Appends a sound; returns whether it belongs on the present timeline.
  mutating func append(_ entry: Entry) -> Bool {
    let isOnTimeline = timelineCount == entries.count && entry.sound.format == timeline.format
    entries.append(entry)
    return isOnTimeline
  }

  /// Changes the timeline for a reader that replaces the present reader.
  mutating func reload(_ body: (inout PlaybackTimeline) -> Int?) {
    var changed = timeline.copy
    _ = body(&changed)
    load(changed)
  }

  /// A copy of the present timeline, for another reader.
  func copiedTimeline() -> (timeline: SharedTimeline, loaded: LoadedSound) {
    let timeline = SharedTimeline(timeline.copy, sounds(of: timeline.copy), timeline.format)
    return (timeline, LoadedSound(timeline))
  }

  /// Takes over the timeline of another reader.
  mutating func use(_ reader: ReplacementReader) {
    release(timeline)
    (timeline, loaded) = (reader.timeline, reader.loaded)
  }

  /// Removes the sounds behind the current sound from the playlist, except for the sounds on the timeline.
  ///
  /// The sounds on the timeline keep at most the repetitions that it has.
  mutating func removeLater() {
    let pieces = timeline.copy.pieces
    let removed = entries.dropFirst().filter { entry in !pieces.contains { $0.id == entry.id } }
    let ids = Set(removed.map(\.id))
    entries.removeAll { ids.contains($0.id) }
    for entry in removed { release(entry.sound) }
    for opened in timeline.removeSounds(of: ids) { release(opened) }
    // A seek makes a new timeline from the playlist.
    for piece in pieces {
      guard let index = entries.firstIndex(where: { $0.id == piece.id }) else { continue }
      if piece.allRepetitions < entries[index].repeats.count { entries[index].repeats = .times(piece.allRepetitions) }
    }
  }

  /// Stores the repetitions or the loop of the current sound.
  mutating func changeCurrent(_ body: (inout Entry) -> Void) { body(&entries[0]) }

  private mutating func load(_ changed: PlaybackTimeline) {
    timeline = SharedTimeline(changed, sounds(of: changed), entries[0].sound.format)
    loaded = LoadedSound(timeline)
  }

  private func sounds(of timeline: PlaybackTimeline) -> TimelineSounds {
    TimelineSounds(entries.lazy.filter { entry in timeline.pieces.contains { $0.id == entry.id } })
  }
}
