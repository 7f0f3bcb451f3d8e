/// A number that moves to its target linearly, over a number of frames.
///
/// Decibels glide as decibels, and frequencies as logarithms: the owner converts them.
struct Glide: Hashable, Sendable {
  private var start: Double
  private(set) var target: Double
  private var length = 0
  private var position = 0

  /// A number that rests.
  init(_ value: Double) { (start, target) = (value, value) }

  /// The number now.
  var value: Double {
    position >= length ? target : start + (target - start) * Double(position) / Double(length)
  }

  /// Whether the number rests at its target.
  var isSettled: Bool { position >= length }

  /// The frames until the number rests.
  var remaining: Int { max(length - position, 0) }

  /// Begins to move from the present value; at once for a length of 0.
  ///
  /// A move to the same target goes on as it was, unless it is to end earlier: a caller may repeat the call.
  mutating func move(to target: Double, over frames: Int) {
    guard target != self.target || frames < remaining else { return }
    (start, self.target, length, position) = (value, target, max(frames, 0), 0)
  }

  /// Lets frames pass.
  mutating func advance(_ frames: Int) { position = min(position + frames, length) }

  /// Ends the movement: the number rests at its target.
  mutating func finish() { position = length }
}
