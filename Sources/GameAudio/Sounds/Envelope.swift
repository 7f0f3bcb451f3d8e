internal import PCM

/// The loudness of a sound over its time: the power of each window of 20 ms.
///
/// Pure: no call and no lock.
struct Envelope: Hashable, Sendable {
  /// The frames of one window.
  let windowFrames: Int
  /// The root mean square of each window, re full scale.
  let levels: [Float]
  /// The highest level in the look-ahead of each window.
  private let highestLevels: [Float]
  /// The largest of the levels.
  let peak: Float

  /// The least of the highest levels of 250 ms, from any frame of the sound on.
  let floor: Float

  /// The windows that the look-ahead covers: 250 ms, and the present window.
  ///
  /// Chosen: a pause between two words or steps does not cost a voice, and a sound with a long silence ahead gives its
  /// voice up.
  private static let ahead = 13
  /// The windows of a second.
  ///
  /// Chosen: a window of 20 ms has a whole period of a tone of 50 Hz, and the levels of a second take 200 bytes.
  private static let windowsPerSecond = 50

  /// The envelope of samples.
  ///
  /// The channels of a window share their mean power. A sample that is not a number counts as silence.
  init(_ sound: PCMBuffer<Float>) {
    let channels = max(sound.format.channelCount, 1)
    let windowFrames = max(sound.format.sampleRate / Self.windowsPerSecond, 1)
    self.windowFrames = windowFrames
    let samples = sound.samples
    let step = windowFrames * channels
    levels = stride(from: 0, to: samples.count, by: step).map { start in
      let window = samples[start..<min(start + step, samples.count)]
      let power = window.reduce(into: Float(0)) { sum, sample in sum += sample.isFinite ? sample * sample : 0 }
      // No source is louder: the mixer's own limit is 24 dB, a factor of 16.
      return min((power / Float(window.count)).squareRoot(), 16)
    }
    peak = levels.max() ?? 0
    highestLevels = Self.highestLevels(of: levels)
    floor = highestLevels.min() ?? 0
  }

  /// The highest level in the look-ahead of each window.
  private static func highestLevels(of levels: [Float]) -> [Float] {
    var highest = levels
    var (largest, age) = (Float.zero, 0)
    // Backwards: a level stays the largest for as long as the look-ahead covers its window.
    for index in levels.indices.reversed() {
      age += 1
      if levels[index] >= largest {
        (largest, age) = (levels[index], 0)
      } else if age >= ahead {
        largest = 0
        for next in index..<min(index + ahead, levels.count) where levels[next] > largest {
          (largest, age) = (levels[next], next - index)
        }
      }
      highest[index] = largest
    }
    return highest
  }

  /// The envelope of a sound whose samples are not in memory: it is as loud as a full-scale sine throughout.
  ///
  /// Chosen: about as loud as the loudest 20 ms of music at full scale. A stream is not virtual because of a guess.
  init(unknownAt sampleRate: Int) {
    windowFrames = max(sampleRate / Self.windowsPerSecond, 1)
    (levels, highestLevels) = ([], [])
    peak = Float(0.5).squareRoot()
    floor = peak
  }

  /// The level of the window at a frame of the sound.
  func level(at frame: Double) -> Float {
    guard !levels.isEmpty else { return peak }
    let index = Int(min(max(frame, 0) / Double(windowFrames), Double(levels.count)))
    return index < levels.count ? levels[index] : 0
  }

  /// The highest level from a frame of the sound on, for 250 ms.
  func highestLevel(from frame: Double) -> Float {
    guard !levels.isEmpty else { return peak }
    let index = Int(min(max(frame, 0) / Double(windowFrames), Double(levels.count)))
    return index < levels.count ? highestLevels[index] : 0
  }

  /// The highest level in the next 250 ms of a course through the sound, its repetitions included.
  func highestLevel(at position: Double, of course: LogicalClock.Course) -> Float {
    guard !levels.isEmpty else { return peak }
    let place = course.place(of: position)
    let highest = highestLevel(from: place)
    let reach = Double(Self.ahead * windowFrames)
    // A repetition within the look-ahead counts with its beginning.
    let isRepeating = course.place(of: position + reach) < place + reach - 1
    return isRepeating ? max(highest, highestLevel(from: Double(course.loopRange.lowerBound))) : highest
  }
}
