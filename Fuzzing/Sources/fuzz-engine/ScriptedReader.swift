import Foundation
import FuzzSupport
import Spatial3D

/// A reader that delivers a sound in pieces, and fails as its script prescribes.
struct ScriptedReader: PCMReader, Sendable, CustomStringConvertible {
  struct Failure: Error, CustomStringConvertible {
    var description: String { "the script says so" }
  }

  /// The behavior of a reader.
  struct Script: Sendable {
    /// How many frames there are; `nil` is an endless sound.
    var length: Int?
    var tellsLength: Bool
    var level: Float
    /// A frame at which something goes wrong.
    var badFrame: Int?
    var fault: Fault
    /// How many milliseconds every eighth read takes.
    var delay: Int
  }

  enum Fault: CaseIterable, Sendable {
    case none, throwing, notANumber, otherFormat, tooMuch, wrongCount, badSeek, nothing
  }

  let format: PCMFormat
  let script: Script
  private var random: SplitMix64
  private var frame = 0

  init(format: PCMFormat, script: Script, random: SplitMix64) {
    (self.format, self.script, self.random) = (format, script, random)
  }

  var frameCount: Int? { script.tellsLength ? script.length : nil }

  var description: String {
    "\(script.length.map { "\($0)" } ?? "endless") frames of \(format), \(script.fault) at \(script.badFrame ?? -1)"
  }

  mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) throws(Failure) -> Int {
    if script.delay > 0, random.next() % 8 == 0 { Thread.sleep(forTimeInterval: Double(script.delay) / 1_000) }
    let left = script.length.map { max($0 - frame, 0) } ?? .max
    // Short reads are legal.
    let wanted = random.next() % 4 == 0 ? max(maxFrames / 3, 1) : maxFrames
    var count = min(wanted, left)
    let isBad = script.badFrame.map { (frame...frame + count).contains($0) } ?? false
    var sample = script.level
    if isBad {
      switch script.fault {
      case .throwing: throw Failure()
      case .notANumber: sample = .nan
      case .otherFormat:
        let other = PCMFormat.stereo(sampleRate: format.sampleRate == 8_000 ? 16_000 : 8_000)
        buffer.removeAll(adopting: other)
        buffer.append(frames: count) { room in for _ in 0..<2 * count { room.append(0) } }
        frame += count
        return count
      case .tooMuch: count += 100
      case .nothing: count = 0
      case .none, .wrongCount, .badSeek: break
      }
    }
    buffer.removeAll(adopting: format)
    let channels = format.channelCount
    let start = frame
    buffer.append(frames: count) { room in
      for index in 0..<count {
        let value = sample * Float((start + index) % 64) / 64
        for _ in 0..<channels { room.append(value) }
      }
    }
    frame += count
    return isBad && script.fault == .wrongCount ? -5 : count
  }

  mutating func seek(toFrame frame: Int) throws(Failure) {
    if script.fault == .badSeek, random.next() % 4 == 0 { throw Failure() }
    self.frame = min(max(frame, 0), script.length ?? 1 << 40)
  }
}

extension Values {
  /// A reader, mostly without a fault.
  mutating func reader(isTimed: Bool = false) -> ScriptedReader {
    let isEndless = chance(0.2)
    let length = isEndless ? nil : element(of: [0, 1, int(1...3_000), int(1...100_000)])
    let script = ScriptedReader.Script(
      length: length,
      tellsLength: chance(0.7),
      level: within(0...1),
      badFrame: chance(0.3) ? int(0...20_000) : nil,
      fault: element(of: ScriptedReader.Fault.allCases),
      delay: isTimed && chance(0.1) ? int(1...60) : 0
    )
    return ScriptedReader(format: soundFormat(), script: script, random: SplitMix64(state: random.next()))
  }
}
