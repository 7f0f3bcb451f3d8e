internal import SoundFileLoops
import FileDecode
import Foundation

/// What is gained where many files are read at once.
enum Loading {
  static func comparisons() throws -> [Comparison] {
    let files = try SoundFiles()
    let paths = [String](repeating: try files.path("a.ogg"), count: 8)
    func compare(_ what: String, atMost limit: Double, by clock: Turns.Clock) -> Comparison {
      Comparison(what, atMost: limit) { effort in
        withExtendedLifetime(files) {
          Turns.ratios(rounds: effort(full: 9, brief: 3), runs: 2, by: clock) {
            readAtOnce(paths)
          } to: {
            for path in paths { _ = unsafe sound_file_floats(path, 4_096) }
          }
        }
      }
    }
    return [
      compare("8 files of Vorbis at once, against C one by one: time", atMost: 1.5, by: .wall),
      compare("the same: processor time of all threads", atMost: 1.3, by: .process),
    ]
  }

  private static func readAtOnce(_ paths: [String]) {
    let done = DispatchSemaphore(value: 0)
    Task {
      _ = await AudioFile.readAll(paths)
      done.signal()
    }
    done.wait()
  }
}
