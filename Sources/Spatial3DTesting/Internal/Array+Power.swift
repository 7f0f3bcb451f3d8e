import Glibc

extension [Float] {
  /// The mean square of a sine of a frequency in the signal; the frequency is in cycles per element, 0 to 0.5.
  ///
  /// One bin of a discrete Fourier transform under Hann's window, scaled so that a steady sine of the frequency gives
  /// half its squared amplitude.
  func power(atCyclesPerElement frequency: Double) -> Double {
    guard count > 0 else { return 0 }
    let (step, windowStep) = (2 * Double.pi * frequency, 2 * Double.pi / Double(count))
    let (turn, windowTurn) = ((cos(step), sin(step)), (cos(windowStep), sin(windowStep)))
    var (phase, windowPhase) = ((1.0, 0.0), (cos(windowStep / 2), sin(windowStep / 2)))
    var (real, imaginary) = (0.0, 0.0)
    // The index stays below the count.
    unsafe withUnsafeBufferPointer { buffer in
      guard let samples = buffer.baseAddress else { return }
      var index = 0
      while index < buffer.count {
        let value = unsafe Double(samples[index]) * (1 - windowPhase.0)
        real += value * phase.0
        imaginary += value * phase.1
        phase = (phase.0 * turn.0 - phase.1 * turn.1, phase.0 * turn.1 + phase.1 * turn.0)
        windowPhase = (
          windowPhase.0 * windowTurn.0 - windowPhase.1 * windowTurn.1,
          windowPhase.0 * windowTurn.1 + windowPhase.1 * windowTurn.0
        )
        index &+= 1
      }
    }
    // The window's elements add up to the count. At 0 and at 0.5, one bin has all of a sine's power instead of two.
    let isEdge = frequency == 0 || frequency == 0.5
    return (real * real + imaginary * imaginary) * (isEdge ? 1 : 2) / (Double(count) * Double(count))
  }
}
