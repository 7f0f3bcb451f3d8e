internal import PCM
internal import Synchronization

/// Frames of a mix on their way from the thread that mixes to a reader, without a lock.
///
/// A slot has the frames up to the next multiple of 512 of the mix. Where no slot is free, the writer drops frames and
/// counts them.
///
/// Unchecked: `written` and `taken` divide the slots. The slots from `taken` on, up to `written`, belong to the reader.
/// All others belong to the writer, and so do `open` and `lostBefore`. The store of a count releases the slot that it
/// hands over, and the load of the other side acquires the slot. One thread at a time writes, and one reads.
@safe final class TapRing: @unchecked Sendable {
  private struct Slot {
    var frame = 0
    var frameCount = 0
    var lostFrames = 0
  }

  private static let slotFrames = MixTime.tick

  let format: PCMFormat
  private let channelCount: Int
  private let slotCount: Int
  private let slots: UnsafeMutablePointer<Slot>
  private let samples: UnsafeMutablePointer<Float>
  /// The number of slots that the writer has handed over so far.
  private let written = Atomic(0)
  /// The number of slots that the reader has returned so far.
  private let taken = Atomic(0)
  /// Whether a slot is handed over with each piece of the mix.
  private let endsWithPieces: Bool
  /// The slot that the writer fills; it has no frames before the first ones.
  private var open = Slot()
  /// The frames that were lost since the slot before.
  private var lostBefore = 0
  private let lost = Atomic(0)

  /// A ring for so many frames at least.
  init(format: PCMFormat, frameCount: Int, endsWithPieces: Bool) {
    self.format = format
    channelCount = format.channelCount
    // The slot that the reader copies is not free.
    slotCount = max(frameCount, 1) / Self.slotFrames + 2
    self.endsWithPieces = endsWithPieces
    unsafe slots = .allocate(capacity: slotCount)
    unsafe slots.initialize(repeating: Slot(), count: slotCount)
    unsafe samples = .allocate(capacity: slotCount * Self.slotFrames * channelCount)
    unsafe samples.initialize(repeating: 0, count: slotCount * Self.slotFrames * channelCount)
  }

  deinit {
    unsafe slots.deallocate()
    unsafe samples.deallocate()
  }

  /// The number of frames that were lost so far.
  var lostFrames: Int { lost.load(ordering: .relaxed) }

  // MARK: The writer

  /// Appends whole frames of the mix from a frame on; returns whether the reader has a new slot.
  func write(_ piece: Span<Float>, at frame: Int) -> Bool {
    // A strip that did not process for a while leaves a gap, which is no loss.
    var hasPublished = open.frame + open.frameCount == frame ? false : publish()
    let frameCount = piece.count / channelCount
    var first = 0
    while first < frameCount {
      let left = Self.slotFrames - (frame + first) % Self.slotFrames
      let count = min(frameCount - first, left)
      append(piece.extracting(first * channelCount..<(first + count) * channelCount), count, at: frame + first)
      first += count
      if count == left, publish() { hasPublished = true }
    }
    if endsWithPieces, publish() { hasPublished = true }
    return hasPublished
  }

  /// Hands over the frames that do not fill a slot; returns whether there are any.
  @discardableResult
  func publish() -> Bool {
    guard open.frameCount > 0 else { return false }
    let count = written.load(ordering: .relaxed)
    // The slot belongs to the writer until the store.
    unsafe slots[count % slotCount] = open
    open = Slot()
    written.store(count + 1, ordering: .releasing)
    return true
  }

  private func append(_ piece: Span<Float>, _ frameCount: Int, at frame: Int) {
    let count = written.load(ordering: .relaxed)
    if open.frameCount == 0 {
      guard count - taken.load(ordering: .acquiring) < slotCount else {
        lostBefore += frameCount
        lost.wrappingAdd(frameCount, ordering: .relaxed)
        return
      }
      open = Slot(frame: frame, lostFrames: lostBefore)
      lostBefore = 0
    }
    // A slot never has more than its frames: it is handed over at each multiple of their number.
    let start = (count % slotCount * Self.slotFrames + open.frameCount) * channelCount
    unsafe piece.withUnsafeBufferPointer { piece in
      guard let source = piece.baseAddress else { return }
      unsafe (samples + start).update(from: source, count: piece.count)
    }
    open.frameCount += frameCount
  }

  // MARK: The reader

  /// The oldest chunk; `nil` where there is none.
  func take() -> MixChunk? {
    let count = taken.load(ordering: .relaxed)
    guard count < written.load(ordering: .acquiring) else { return nil }
    // The slot belongs to the reader until the store.
    let slot = unsafe slots[count % slotCount]
    var chunk = PCMBuffer<Float>(format: format)
    let start = count % slotCount * Self.slotFrames * channelCount
    chunk.append(frames: slot.frameCount) { span in
      // The span has room for the frames that were asked for.
      unsafe span.withUnsafeMutableBufferPointer { buffer, count in
        count = slot.frameCount * channelCount
        unsafe buffer.baseAddress?.initialize(from: samples + start, count: count)
      }
    }
    taken.store(count + 1, ordering: .releasing)
    return MixChunk(frame: slot.frame, lostFrames: slot.lostFrames, samples: chunk)
  }
}
