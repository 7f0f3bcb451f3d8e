internal import Spatial3D

extension Diagnostic {
  /// A property was set to a value that it cannot take.
  static func unusable(_ property: String, of owner: String, value: String, _ result: String) -> Diagnostic {
    Diagnostic(
      code: .valueNotUsable,
      message: "The \(property) of \(owner) was set to \(value), which is not usable: \(result). This is reported once."
    )
  }

  static func unequalMove(_ emitters: Int, _ positions: Int) -> Diagnostic {
    Diagnostic(
      code: .valueNotUsable,
      message: "AudioWorld.move was called for \(emitters) emitters and \(positions) positions, and has moved the first"
        + " \(min(emitters, positions)). Pass a position for each emitter. This is reported once."
    )
  }

  static func voicesOutOfRange(_ asked: Int, used: Int) -> Diagnostic {
    Diagnostic(
      code: .valueNotUsable,
      message: "A world was made with \(asked) voices, and a world has 1 to 4096 of them: \(used) is used."
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
