/// The outputs and inputs that the session uses.
///
/// The ports have the names that the backend reports, such as `"headphones"`. Without outputs, the route is unknown or
/// there is no route.
public struct SessionRoute: Hashable, Sendable {
  /// The names of the outputs.
  public let outputs: [String]

  /// The names of the inputs.
  public let inputs: [String]

  /// Creates a route from the names of its ports.
  public init(outputs: [String] = [], inputs: [String] = []) {
    self.outputs = outputs
    self.inputs = inputs
  }
}
