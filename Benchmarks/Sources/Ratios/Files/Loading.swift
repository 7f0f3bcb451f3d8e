internal import SoundFileLoops
import FileDecode
import Foundation
import Synchronization

/// The gain of reading many files at once.
enum Loading {
  static func comparisons() throws -> [Comparison] {
    let files = try SoundFiles()
    let seconds = 5
    let paths = [String](repeating: try files.path("a.ogg", seconds: seconds), count: 8)
    func compare(
      _ what: String,
      atMost limit: Limit?,
      by clock: Turns.Clock,
      to reference: @escaping () -> Int
    ) -> Comparison {
      Comparison(what, atMost: limit) { effort in
        try withExtendedLifetime(files) {
          try ReadFrames.check(what, try readAtOnce(paths), reference(), ofAtLeast: 8 * seconds * 48_000)
          return try Turns.ratios(rounds: effort(full: 9, brief: 3), runs: 3, by: clock) {
            _ = try readAtOnce(paths)
          } to: {
            _ = reference()
          }
        }
      }
    }
    func oneByOne() -> Int { paths.map { unsafe Int(sound_file_floats($0, 4_096)) }.reduce(0, +) }
    func onAllProcessors() -> Int {
      let sum = Atomic(0)
      DispatchQueue.concurrentPerform(iterations: paths.count) { index in
        sum.add(unsafe Int(sound_file_floats(paths[index], 4_096)), ordering: .relaxed)
      }
      return sum.load(ordering: .relaxed)
    }
    return [
      compare("8 files of Vorbis at once, against C one by one: time", atMost: nil, by: .wall, to: oneByOne),
      // If the library read one by one, the ratio would be about 2 on two idle processors, and higher on more.
      compare("the same, against C on all processors: time", atMost: 1.6, by: .wall, to: onAllProcessors),
      compare("the same: processor time of all threads", atMost: 1.3, by: .process, to: oneByOne),
    ]
  }

  /// Reads all files at once, and returns the total number of frames.
  private static func readAtOnce(_ paths: [String]) throws -> Int {
    let done = DispatchSemaphore(value: 0)
    let sum = Mutex<Result<Int, any Error>>(.success(0))
    Task {
      let assets = await AudioFile.readAll(paths)
      sum.withLock { sum in sum = Result { try assets.reduce(0) { try $0 + $1.get().buffer.frameCount } } }
      done.signal()
    }
    done.wait()
    return try sum.withLock { try $0.get() }
  }
}
