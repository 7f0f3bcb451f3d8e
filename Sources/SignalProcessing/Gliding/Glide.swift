/// A number that moves to its target linearly, over a number of frames.
///
/// Decibels glide as decibels, and frequencies as logarithms: the owner converts them.
package struct Glide: Hashable, Sendable {
  private var start: Double
  package private(set) var target: Double
  private var length = 0
  private var position = 0

  /// A number that rests.
  package init(_ value: Double) { (start, target) = (value, value) }

  /// The number now.
  package var value: Double {
    position >= length ? target : start + (target - start) * Double(position) / Double(length)
  }

  /// Whether the number rests at its target.
  package var isSettled: Bool { position >= length }

  /// The frames until the number rests.
  package var remaining: Int { max(length - position, 0) }

  /// Begins to move from the present value; at once for a length of 0.
  ///
  /// A move to the same target goes on as it was, unless it is to end earlier: a caller may repeat the call.
  package mutating func move(to target: Double, over frames: Int) {
    guard target != self.target || frames < remaining else { return }
    (start, self.target, length, position) = (value, target, max(frames, 0), 0)
  }

  /// Lets frames pass.
  package mutating func advance(_ frames: Int) { position = min(position + frames, length) }

  /// Ends the movement: the number rests at its target.
  package mutating func finish() { position = length }
}
