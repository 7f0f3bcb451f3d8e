import Stage

extension Walker {
  /// Walks and turns for a number of seconds on a plan, whose walls stop the walk.
  mutating func advance(by seconds: Double, on plan: Plan) {
    advance(by: seconds) { plan.hasRoom(at: $0, radius: Self.radius) }
  }
}
