/// A time with one tempo, up to the start of the next.
struct TempoSegment: Hashable, Sendable {
  /// The first position, in pulses.
  let start: Int128
  /// The moment of the first position, in attoseconds.
  var moment: Int128
  var tempo: Tempo

  /// The duration of a beat in attoseconds.
  private var beat: Int128 { tempo.beatDuration.attoseconds }

  func moment(of pulse: Int128) -> Int128 { moment + (pulse - start).scaled(by: beat, over: Pulses.perBeat) }

  func pulse(at moment: Int128) -> Int128 { start + (moment - self.moment).scaled(by: Pulses.perBeat, over: beat) }
}

/// The segments of a map in the order of their starts; the first counts before its start too.
///
/// A new tempo moves the moments of all later tempos by the same time. The segments are in chunks for that reason: the
/// later segments of its chunk move one by one, and each later chunk as a whole. Maps with the same tempos are equal,
/// whatever their chunks are.
struct TempoSegments: Sendable {
  private struct Chunk: Sendable {
    /// The moment of the first segment; the moments of the segments count from it.
    var moment: Int128
    /// At least one.
    var segments: [TempoSegment]

    /// A segment with its own moment.
    subscript(index: Int) -> TempoSegment {
      var segment = segments[index]
      segment.moment += moment
      return segment
    }

    mutating func set(_ tempo: Tempo, from start: Int128) {
      var index = segments.lastStarted { $0.start <= start }
      if segments[index].start == start {
        segments[index].tempo = tempo
      } else {
        index += 1
        segments.insert(
          TempoSegment(start: start, moment: segments[index - 1].moment(of: start), tempo: tempo),
          at: index
        )
      }
      for later in segments.indices.dropFirst(index + 1) {
        segments[later].moment = segments[later - 1].moment(of: segments[later].start)
      }
    }

    mutating func removeFirst(_ count: Int) {
      segments.removeFirst(count)
      let shift = segments[0].moment
      moment += shift
      for index in segments.indices { segments[index].moment -= shift }
    }

    /// Removes the second half, and returns it.
    mutating func removeHalf() -> Self {
      var half = self
      half.removeFirst(segments.count / 2)
      segments.removeLast(half.segments.count)
      return half
    }
  }

  /// The number of segments beyond which a chunk is divided.
  private static let mostSegments = 128

  /// In their order; at least one.
  private var chunks: [Chunk]

  init(_ tempo: Tempo) {
    chunks = [Chunk(moment: 0, segments: [TempoSegment(start: 0, moment: 0, tempo: tempo)])]
  }

  var first: TempoSegment { chunks[0][0] }

  /// The last segment that starts before or at a position; the first, if none does.
  func segment(atPulse pulse: Int128) -> TempoSegment {
    let chunk = chunks[chunks.lastStarted { $0.segments[0].start <= pulse }]
    return chunk[chunk.segments.lastStarted { $0.start <= pulse }]
  }

  /// The last segment that starts before or at a moment; the first, if none does.
  func segment(at moment: Int128) -> TempoSegment {
    let (chunk, index) = place(at: moment)
    return chunks[chunk][index]
  }

  /// Sets the tempo from a position to the next segment; the later tempos keep their positions.
  mutating func set(_ tempo: Tempo, atPulse pulse: Int128) {
    let start = max(pulse, first.start)
    let chunk = chunks.lastStarted { $0.segments[0].start <= start }
    chunks[chunk].set(tempo, from: start)
    if chunk + 1 < chunks.count {
      let last = chunks[chunk][chunks[chunk].segments.count - 1]
      let shift = last.moment(of: chunks[chunk + 1].segments[0].start) - chunks[chunk + 1].moment
      for later in chunk + 1..<chunks.count { chunks[later].moment += shift }
    }
    guard chunks[chunk].segments.count > Self.mostSegments else { return }
    let half = chunks[chunk].removeHalf()
    chunks.insert(half, at: chunk + 1)
  }

  /// Drops the segments that end before or at a moment, except for the last one.
  mutating func drop(before moment: Int128) {
    let (chunk, index) = place(at: moment)
    if chunk > 0 { chunks.removeFirst(chunk) }
    if index > 0 { chunks[0].removeFirst(index) }
  }

  private func place(at moment: Int128) -> (chunk: Int, index: Int) {
    let index = chunks.lastStarted { $0.moment <= moment }
    let chunk = chunks[index]
    return (index, chunk.segments.lastStarted { $0.moment <= moment - chunk.moment })
  }
}

extension TempoSegments: Hashable {
  /// All segments, with their own moments.
  private var all: some Sequence<TempoSegment> {
    chunks.lazy.flatMap { chunk in chunk.segments.indices.lazy.map { chunk[$0] } }
  }

  static func == (first: TempoSegments, second: TempoSegments) -> Bool { first.all.elementsEqual(second.all) }

  func hash(into hasher: inout Hasher) {
    for segment in all { hasher.combine(segment) }
  }
}

extension Array {
  /// The last element of a sorted array that has started; the first, if none has.
  fileprivate func lastStarted(_ hasStarted: (Element) -> Bool) -> Int {
    var (first, end) = (0, count)
    while end - first > 1 {
      let middle = (first + end) / 2
      if hasStarted(self[middle]) { first = middle } else { end = middle }
    }
    return first
  }
}
