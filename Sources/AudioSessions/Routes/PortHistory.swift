/// The route in use, and the outputs that return when its device is disconnected.
///
/// The last device that is connected is used. Pure: no call and no lock.
struct PortHistory: Hashable, Sendable {
  private(set) var route = SessionRoute()
  private var earlierOutputs: [[String]] = []

  mutating func plug(_ output: String) {
    earlierOutputs.append(route.outputs)
    route = SessionRoute(outputs: [output], inputs: route.inputs)
  }

  mutating func unplug() {
    route = SessionRoute(outputs: earlierOutputs.popLast() ?? [], inputs: route.inputs)
  }

  /// Takes over a route that the system has chosen, and forgets the earlier outputs.
  mutating func replace(with route: SessionRoute) {
    self.route = route
    earlierOutputs = []
  }
}
