@_spi(Drawing) import Spatial3DReports
import Spatial3D
import Stage

extension Scene {
  /// The moments of the table, the map and the levels: about twelve, on round seconds.
  var moments: Ticks { Ticks(inSeconds: 0...walk.seconds, about: 12) }

  /// The moments of one lap without its end, which is its beginning.
  var momentsOfLap: [Double] { moments.values.filter { $0 < walk.seconds * 0.999 } }

  /// The window of a level, in seconds: long enough to average a sound's own rhythm, short against the walk.
  var levelWindow: Double { walk.seconds / 24 }

  /// The azimuth of a sound from the listener's heading after a number of seconds, in degrees.
  func azimuth(of index: Int, at time: Double) -> Double {
    Double(walk.listener(at: time).polarPosition(of: placed[index].place).azimuth)
  }
}
