import Glibc
public import PCM
import Spatial3D

extension PCMBuffer {
  /// The azimuth at which a listener of a stereo mix locates its sound, in degrees: 0 ahead, positive right, -90 to 90.
  ///
  /// An interaural difference cannot distinguish front from back, nor up from down. A source behind or above gives the
  /// azimuth ahead with the same interaural difference. The measurement is meant for one source, and with a time cue
  /// for noise or an impulse.
  ///
  /// - Throws: ``MeasurementError`` with the code `channels` unless the mix has two channels, and `silent` for a silent
  ///   mix. A time cue also throws `silent` if no sound reaches the left as well as the right ear.
  public func apparentAzimuth(by cue: AzimuthCue) throws(MeasurementError) -> Float {
    guard format.channelCount == 2 else {
      throw MeasurementError(
        code: .channels,
        message: "A mix that is \(format.layout) has no left and right ear. Render it in stereo."
      )
    }
    switch cue {
    case .levelDifference: return try panningAzimuth()
    case .timeDifference(let headRadius): return try lateralAngle(headRadius: headRadius)
    }
  }

  private func panningAzimuth() throws(MeasurementError) -> Float {
    let (left, right) = (Double(level(ofChannel: 0).factor), Double(level(ofChannel: 1).factor))
    guard left + right > 0 else { throw .silent("The mix is silent, and so comes from nowhere") }
    // With s and c for the sine and cosine of 1.5θ, the panning law is s - 2 * 0.0957 * balance * c = balance.
    let balance = (right - left) / (right + left)
    let ahead = 2 * 0.095_662 * balance
    let angle = atan(ahead) + asin(min(max(balance / (1 + ahead * ahead).squareRoot(), -1), 1))
    return Float(angle / 1.5 * 180 / .pi)
  }

  private func lateralAngle(headRadius: Double) throws(MeasurementError) -> Float {
    let ears = interauralDifference
    guard ears.coherence > 0 else {
      throw .silent("There is no sound that both ears hear, so that it is later at none")
    }
    let target = abs(ears.time / .seconds(1)) * 343.3 / headRadius
    // The formula is monotonic in the angle: bisect the range.
    var (low, high) = (0.0, Double.pi / 2)
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if middle + sin(middle) < target { low = middle } else { high = middle }
    }
    let degrees = Float((low + high) / 2 * 180 / .pi)
    return ears.time < .zero ? -degrees : degrees
  }
}

extension MeasurementError {
  static func silent(_ reason: String) -> MeasurementError {
    MeasurementError(
      code: .silent,
      message: "\(reason). Play a source before rendering, and check its gain and distance."
    )
  }
}
