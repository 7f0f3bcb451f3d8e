import Foundation
public import Spatial3D

/// The level at each ear, measured in equal steps of time.
public struct EarLevels: Sendable {
  /// The duration of a step, in seconds.
  private let step: Double

  /// The mean square of each step at the left ear.
  private var left: [Double] = []

  /// The mean square of each step at the right ear.
  private var right: [Double] = []

  /// Empty levels for steps of a number of seconds.
  public init(step: Double) {
    self.step = step
  }

  /// Appends the levels of the next step.
  public mutating func append(left: Decibels, right: Decibels) {
    self.left.append(pow(10, Double(left.rawValue) / 10))
    self.right.append(pow(10, Double(right.rawValue) / 10))
  }

  /// The levels around a time, in decibels: the mean energy in a window that fades towards both ends.
  ///
  /// `window` is the window's length in seconds; at the beginning and the end, only the steps that exist count. Minus
  /// infinity is silence.
  public func levels(at time: Double, window: Double) -> (left: Double, right: Double) {
    let reach = max(window / 2, step)
    let steps = left.indices.clamped(to: index(of: time - reach)..<index(of: time + reach) + 1)
    var (weights, left, right) = (0.0, 0.0, 0.0)
    for index in steps {
      let distance = (Double(index) + 0.5) * step - time
      guard abs(distance) < reach else { continue }
      let weight = 1 + cos(.pi * distance / reach)
      weights += weight
      left += weight * self.left[index]
      right += weight * self.right[index]
    }
    guard weights > 0 else { return (-.infinity, -.infinity) }
    return (10 * log10(left / weights), 10 * log10(right / weights))
  }

  /// The index of the step at a time.
  private func index(of time: Double) -> Int {
    Int((time / step).rounded(.down))
  }
}

extension EarLevels {
  /// The mean energy of the left and the right ear around a time, in decibels, in the window of ``levels(at:window:)``.
  public func bothEars(at time: Double, window: Double) -> Double {
    let (left, right) = levels(at: time, window: window)
    return 10 * log10((pow(10, left / 10) + pow(10, right / 10)) / 2)
  }
}
