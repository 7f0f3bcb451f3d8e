public import Spatial3D

extension Diagnostic.Code {
  /// A property of this module was set to a value outside of its range, and has the nearest value in the range.
  ///
  /// The message names the property, its owner, the value, the range and the value in force. A world reports each
  /// property once for its emitters, once for its players, and once for each bus and each name of a sound. All sounds
  /// of samples have one name. `valueNotUsable` is the code of a value without a nearest one, such as NaN.
  public static let valueClamped = Diagnostic.Code(name: "valueClamped")
}

extension Diagnostic {
  /// A property was set to a value that it does not take as it is.
  static func notTaken(_ fault: ValueFault, of owner: String) -> Diagnostic {
    let beginning = "The \(fault.property) of \(owner) was set to \(fault.value)"
    return switch fault.cause {
    case .unusable(let remedy):
      Diagnostic(
        code: .valueNotUsable,
        message: "\(beginning), which is not usable: \(remedy). This is reported once."
      )
    case .outside(let lower, let upper, let used):
      Diagnostic(
        code: .valueClamped,
        message: "\(beginning), outside of its range \(lower) \(upper.map { "to \($0)" } ?? "and up")"
          + "\(fault.value.isVector ? " in each component" : ""): \(used) is used. This is reported once."
      )
    }
  }

  static func unequalMove(_ emitterCount: Int, _ positionCount: Int) -> Diagnostic {
    Diagnostic(
      code: .valueNotUsable,
      message: "AudioWorld.move was called for \(emitterCount) emitters and \(positionCount) positions, and has moved"
        + " the first \(min(emitterCount, positionCount)). Pass a position for each emitter. This is reported once."
    )
  }

  /// An emitter was released in the tick in which it was played.
  static func releasedUnplayed(emitter owner: String) -> Diagnostic {
    Diagnostic(
      code: .releasedUnplayed,
      message:
        "The last reference to \(owner) was dropped before it was mixed, and that stopped it. Keep the emitter in a"
        + " property or a collection, or call AudioWorld.playOnce. This is reported once for each world."
    )
  }
}
