import Drawing
import Stage

extension Scene {
  /// The moments that the table, the map and the levels share: about twelve, on a clock's round seconds.
  var moments: Ticks { Ticks(inSeconds: 0...walk.seconds, about: 12) }

  /// The moments of one lap; its end is its beginning.
  var momentsOfLap: [Double] { moments.values.filter { $0 < walk.seconds * 0.999 } }

  /// How long a level is averaged, in seconds: long enough to even out a sound's own rhythm, short against the walk.
  var levelWindow: Double { walk.seconds / 24 }

  /// Where a sound is from the listener's heading after a number of seconds, in degrees.
  func azimuth(of index: Int, at time: Double) -> Double {
    walk.listener(at: time).azimuth(of: placed[index].place)
  }
}
