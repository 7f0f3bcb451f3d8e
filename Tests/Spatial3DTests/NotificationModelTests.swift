import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Thousands of random operations on a source, and on a model that is independent of the library.
@Suite struct NotificationModelTests {
  /// A source by the OpenAL 1.1 specification, which plays frame for frame.
  struct Model {
    var lengths: [Int]
    let loopRange: Range<Int>?
    var state = SourceState.initial
    var position = 0.0
    var isLooping = false
    var pitch = 1.0
    /// The frame of the next start; `nil` if no call has set it.
    var start: Double?
    /// The number of buffers at the head that were reported as played.
    var reported = 0
    var notes: [Note] = []
    var mixed = 0

    struct Note: Hashable {
      var kind: SourceNotification.Kind
      var state: SourceState
      var cause: SourceNotification.Cause
      var frame: Int
    }

    var isQueue: Bool { loopRange == nil }
    var total: Int { lengths.reduce(0, +) }
    var loop: Range<Int> { loopRange ?? 0..<total }

    func played(at position: Double) -> Int {
      var end = 0
      return lengths.count { length in
        end += length
        return position >= Double(end)
      }
    }

    private mutating func note(_ kind: SourceNotification.Kind, _ cause: SourceNotification.Cause, at frame: Int) {
      notes.append(Note(kind: kind, state: state, cause: cause, frame: frame))
    }

    private mutating func move(to next: SourceState, by cause: SourceNotification.Cause, at frame: Int) {
      guard next != state else { return }
      state = next
      note(.stateChanged(next), cause, at: frame)
    }

    private mutating func report(_ count: Int, by cause: SourceNotification.Cause, at frame: Int) {
      guard isQueue else { return }
      let more = count - reported
      reported = count
      if more > 0 { note(.buffersProcessed(more), cause, at: frame) }
    }

    mutating func play() {
      if state != .paused {
        position = start ?? 0
        start = nil
        reported = 0
      }
      move(to: .playing, by: .call, at: mixed)
      if isQueue, !isLooping { report(played(at: position), by: .call, at: mixed) }
    }

    mutating func pause() { if state == .playing { move(to: .paused, by: .call, at: mixed) } }

    mutating func stop() {
      start = nil
      guard state != .initial else { return }
      if state != .stopped, isQueue, !isLooping {
        report(lengths.count, by: .call, at: mixed)
        if var last = notes.last, last.kind != .stateChanged(state) {
          last.state = .stopped
          notes[notes.count - 1] = last
        }
      }
      move(to: .stopped, by: .call, at: mixed)
    }

    mutating func rewind() {
      if isQueue, !isLooping { reported = 0 }
      start = nil
      move(to: .initial, by: .call, at: mixed)
    }

    mutating func seek(to frame: Int) {
      guard state == .playing || state == .paused else {
        start = Double(frame)
        return
      }
      position = Double(frame)
      guard isQueue, !isLooping else { return }
      report(played(at: position), by: .call, at: mixed)
    }

    mutating func append(_ length: Int) {
      lengths.append(length)
      // A stopped source has played all of its buffers.
      if state == .stopped { report(lengths.count, by: .call, at: mixed) }
    }

    mutating func render(_ frames: Int) {
      var left = frames
      while left > 0 {
        let piece = min(left, 1_024)
        if state == .playing { advance(piece) }
        mixed += piece
        left -= piece
      }
    }

    private mutating func advance(_ frames: Int) {
      let begin = position
      func arrival(_ frame: Int) -> Int { mixed + max(Int(((Double(frame) - begin) / pitch).rounded(.up)), 1) }
      position += Double(frames) * pitch
      if isLooping, begin < Double(loop.upperBound) {
        var loops = 0
        while position >= Double(loop.upperBound) {
          position -= Double(loop.count)
          loops += 1
        }
        if loops > 0 { note(.looped(loops), .mix, at: arrival(loop.upperBound + (loops - 1) * loop.count)) }
        return
      }
      let isOver = position >= Double(total)
      let count = isOver ? lengths.count : played(at: position)
      if isQueue, count > reported {
        let end = lengths.prefix(count).reduce(0, +)
        let before = state
        if isOver { state = .stopped }
        report(count, by: .mix, at: arrival(end))
        state = before
      }
      if isOver { move(to: .stopped, by: .mix, at: arrival(total)) }
    }
  }

  @Test(arguments: 0..<100)
  func `A source posts the notifications of the model in order over random calls`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    var offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    for life in 0..<6 {
      let isQueue = life % 2 == 0
      var lengths = (0..<(isQueue ? 1 + Int.random(in: 0..<4, using: &random) : 1)).map { _ in
        1 + Int.random(in: 0..<3_000, using: &random)
      }
      if !isQueue { lengths = [lengths[0] + 200] }
      let range =
        isQueue ? nil : Int.random(in: 0..<50, using: &random)..<lengths[0] - Int.random(in: 0..<100, using: &random)
      let buffers = try lengths.map { length in
        let samples = [Int16](repeating: 0, count: length)
        return try SoundBuffer(PCMBuffer(samples: samples, format: Scenes.mono), loopRange: range, in: context)
      }
      let source = try isQueue ? SoundSource(in: context) : SoundSource(playing: buffers[0], in: context)
      if isQueue { try source.queue(buffers) }
      source.isListenerRelative = true
      source.position = [0, 0, -1]
      let log = NotificationLog()
      let token = source.record(in: log)
      // An observer of fewer kinds gets only these, and numbers them for itself.
      let filteredLog = NotificationLog()
      let less = SourceNotification.Kinds(rawValue: UInt8.random(in: 1...15, using: &random))
      let filteredToken = source.record(in: filteredLog, of: less)
      var model = Model(lengths: lengths, loopRange: range)
      var trace: [String] = []
      // The model uses the context's count of frames.
      model.mixed = context.inspector.renderedFrameCount
      for step in 0..<60 {
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1:
          trace.append("play")
          source.play()
          model.play()
        case 2:
          trace.append("pause")
          source.pause()
          model.pause()
        case 3:
          trace.append("stop")
          source.stop()
          model.stop()
        case 4:
          trace.append("rewind")
          source.rewind()
          model.rewind()
        case 5 where !isQueue:
          let isOn = Bool.random(using: &random)
          trace.append("looping \(isOn)")
          source.isLooping = isOn
          model.isLooping = isOn
        case 6:
          let pitch = [0.5, 1, 2, 4][Int.random(in: 0..<4, using: &random)]
          // The source moves towards the listener at half the speed of sound, or away at the speed of sound: an octave.
          let shift = [0.5, 1, 2][Int.random(in: 0..<3, using: &random)]
          model.pitch = pitch * shift
          trace.append("pitch \(model.pitch)")
          source.pitch = Float(pitch)
          source.velocity = [0, 0, context.speedOfSound * (shift == 1 ? 0 : shift == 2 ? 0.5 : -1)]
        case 7:
          let frame = Int.random(in: 0..<model.loop.upperBound, using: &random)
          trace.append("seek \(frame)")
          source.playbackFrame = frame
          model.seek(to: frame)
        case 9 where isQueue:
          let length = 1 + Int.random(in: 0..<3_000, using: &random)
          trace.append("queue \(length)")
          try source.queue([Scenes.silence(frames: length, in: context)])
          model.append(length)
        case 8 where isQueue:
          trace.append("unqueue")
          let count = source.unqueueProcessed().count
          #expect(
            count
              == (model.state == .stopped
                ? model.lengths.count : model.state == .initial ? 0 : model.played(at: model.position))
          )
          model.position -= Double(model.lengths.prefix(count).reduce(0, +))
          model.lengths.removeFirst(count)
          model.reported -= count
          if model.state == .stopped { model.position = 0 }
          // Buffers that are appended to an empty queue start from its beginning.
          if model.lengths.isEmpty { break }
        default:
          let frames = Int.random(in: 1..<2_500, using: &random)
          trace.append("render \(frames)")
          _ = offline.render(frameCount: frames)
          model.render(frames)
        }
        if isQueue, model.lengths.isEmpty { break }
        // Some versions fade a pause out, and consume more of the sound.
        if model.state == .paused { model.position = max(model.position, Double(source.playbackFrame)) }
        let notes = log.all.map {
          Model.Note(kind: $0.kind, state: $0.state, cause: $0.cause, frame: $0.framePosition)
        }
        #expect(notes == model.notes, "step \(step), \(lengths) \(model.loop): \(trace.suffix(8))")
        #expect(source.state == model.state)
        guard notes == model.notes else { return }
      }
      #expect(log.all.map(\.sequence) == log.all.indices.map { UInt64($0 + 1) })
      let expected = log.all.filter { less.contains($0.kind.choice) }
      #expect(filteredLog.all.map(\.kind) == expected.map(\.kind))
      #expect(filteredLog.all.map(\.framePosition) == expected.map(\.framePosition))
      #expect(filteredLog.all.map(\.sequence) == expected.indices.map { UInt64($0 + 1) })
      withExtendedLifetime((token, filteredToken)) {}
    }
  }
}
