/// The conversion of frames of the mix when the rate of the output changes.
///
/// Pure: no call and no lock. The time of the mix continues over the change, so each frame keeps its distance in time
/// to the present.
struct FrameConversion: Sendable {
  /// The present frame of the mix, in frames of the rate before the change.
  let oldPresent: Int
  /// The present frame of the mix, in frames of the rate after the change.
  let present: Int
  /// The frames after the change for each frame before it.
  let ratio: Double

  /// The frame that is as far in time from the present.
  func converted(_ frame: Int) -> Int { present + Int((Double(frame - oldPresent) * ratio).rounded()) }

  func convert(_ frame: inout Int) { frame = converted(frame) }
  func convert(_ frame: inout Int?) { frame = frame.map(converted) }
}

extension FrameConversion {
  /// The conversion at a present frame that is counted in the new rate.
  init(from oldRate: Int, to newRate: Int, at present: Int) {
    ratio = Double(newRate) / Double(max(oldRate, 1))
    oldPresent = Int((Double(present) / ratio).rounded())
    self.present = present
  }
}

/// A part of a world that stores frames of the mix.
///
/// `WorldScene.convertFrames(_:)` calls all parts of the scene. A stored frame that a part forgets is at another time
/// after a change of the rate.
protocol RateConvertible {
  /// Converts all stored frames.
  mutating func convertFrames(_ conversion: FrameConversion)
}
