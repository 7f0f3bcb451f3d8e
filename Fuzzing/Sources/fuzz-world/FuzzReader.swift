import Foundation
import FuzzSupport
import GameAudio
import Spatial3D

/// A reader of the game that delivers one of the tones in pieces, and fails or blocks as its script prescribes.
struct FuzzReader: PCMReader, Sendable {
  struct Failure: Error {}

  enum Fault: CaseIterable, Sendable {
    case none, opening, reading, seeking, notANumber, tooMuch, wrongCount, nothing, otherFormat
  }

  /// The behavior of a reader; each reader of one script behaves alike, so that a replay finds the same sound.
  struct Script: Sendable {
    let tone: PCMBuffer<Float>
    let statesLength: Bool
    let fault: Fault
    /// The frame at which the fault occurs.
    let badFrame: Int
    /// The most frames of a read.
    let most: Int
    /// The milliseconds that a read takes.
    let delay: Int
    /// The gate at which a read waits; `nil` for a reader that does not block.
    let gate: Gate?
    let loopRange: Range<Int>?
  }

  private let script: Script
  private var frame = 0

  init(_ script: Script) throws(Failure) {
    guard script.fault != .opening else { throw Failure() }
    self.script = script
  }

  var format: PCMFormat { script.tone.format }
  var frameCount: Int? { script.statesLength ? script.tone.frameCount : nil }
  var loopRange: Range<Int>? { script.loopRange }

  mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) throws(Failure) -> Int {
    if script.delay > 0 { Thread.sleep(forTimeInterval: Double(script.delay) / 1_000) }
    script.gate?.pass()
    var count = min(maxFrames, script.most, script.tone.frameCount - frame)
    let isBad = (frame...frame + count).contains(script.badFrame)
    if isBad {
      switch script.fault {
      case .reading: throw Failure()
      case .tooMuch: count = min(count + 100, script.tone.frameCount - frame)
      case .nothing: count = 0
      case .none, .opening, .seeking, .notANumber, .wrongCount, .otherFormat: break
      }
    }
    let isOther = isBad && script.fault == .otherFormat
    let other = PCMFormat.mono(sampleRate: format.sampleRate == 8_000 ? 16_000 : 8_000)
    buffer.removeAll(adopting: isOther ? other : format)
    let channels = isOther ? 1 : format.channelCount
    let (first, samples) = (frame * format.channelCount, script.tone.samples)
    let isNumber = !(isBad && script.fault == .notANumber)
    buffer.append(frames: count) { span in
      for index in 0..<count * channels { span.append(isNumber ? samples[first + index] : .nan) }
    }
    frame += count
    return isBad && script.fault == .wrongCount ? -5 : count
  }

  mutating func seek(toFrame frame: Int) throws(Failure) {
    guard script.fault != .seeking else { throw Failure() }
    self.frame = min(max(frame, 0), script.tone.frameCount)
  }
}

/// A gate at which readers block until the end of their round.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func pass() {
    semaphore.wait()
    semaphore.signal()
  }

  func open() { semaphore.signal() }
}

extension Values {
  /// A sound by a reader, mostly without a fault; a gate blocks one in ten of them.
  mutating func streamedSound(of tones: [PCMBuffer<Float>], gate: Gate?, mayDelay: Bool = true) -> Sound {
    let tone = element(of: tones)
    let isFaulty = hasExtremes && chance(0.5)
    let delay = mayDelay && chance(0.05) ? int(1...20) : 0
    let script = FuzzReader.Script(
      tone: tone,
      statesLength: chance(0.7),
      fault: isFaulty ? element(of: FuzzReader.Fault.allCases) : .none,
      badFrame: int(0...tone.frameCount),
      // A render waits for each read: a slow reader of a few frames at a time would take minutes.
      most: delay > 0 || chance(0.5) ? 100_000 : int(1...4_000),
      delay: delay,
      gate: chance(0.1) ? gate : nil,
      loopRange: hasExtremes && chance(0.3) ? frames() : nil
    )
    return Sound(streaming: "reader") { try FuzzReader(script) }
  }
}
