import FileDecode
import Foundation
import SoundServer
import Spatial3D
import Spatial3DTesting
import Stage

/// The recorded sound, second by second.
struct Diary {
  /// A second of silence.
  static let nothing = TestSignal.silence(duration: .seconds(1), format: Recording.format)

  private var seconds: [PCMBuffer<Float>] = []

  /// Prints a line about a recorded second.
  mutating func note(_ heard: PCMBuffer<Float>, of siren: Siren) throws {
    seconds.append(heard)
    let line: String
    if let place = Siren.place(in: heard) {
      line = String(format: "%5.1f s  %5.1f %5.1f dB", place, level(0, of: heard), level(1, of: heard))
    } else {
      line = "nothing"
    }
    let state = "\(siren.source.state)".padding(toLength: 7, withPad: " ", startingAt: 0)
    print("\(seconds.count)  \(state)  \(line)")
  }

  /// Writes all seconds to a sound file.
  func write(to file: OutputFile) throws {
    var writer = try AudioFileWriter(creating: file.path, format: Recording.format)
    for second in seconds { try writer.write(second) }
    try writer.close()
    print("Wrote \(file)")
  }

  private func level(_ channel: Int, of heard: PCMBuffer<Float>) -> Double {
    Double(heard.level(ofChannel: channel).rawValue)
  }
}
