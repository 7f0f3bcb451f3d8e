/// A report about a game's action whose result is not audible as intended.
///
/// Setters never throw. The context reports unusable values once, to ``AudioContext/onDiagnostic``.
public struct Diagnostic: Hashable, Sendable {
  /// The kind of diagnostic, to switch over.
  public let code: Code

  /// A sentence about the cause, with its values.
  public let message: String

  package init(code: Code, message: String) {
    (self.code, self.message) = (code, message)
  }

  /// The kinds of diagnostics; new kinds may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String

    package init(name: String) { self.name = name }

    /// The code's name, such as `valueNotUsable`.
    public var description: String { name }

    /// A property was set to a value that it cannot take.
    ///
    /// It keeps its value, unless the message names another value. The value is not finite, or is a direction without a
    /// length, a buffer of another device, an effect of another context, or a loop range outside the sound. A setter
    /// of this module clamps a value outside of its range, and reports nothing.
    public static let valueNotUsable = Code(name: "valueNotUsable")

    /// A source has a position, and its sound has several channels, which play unplaced.
    public static let soundNotPlaced = Code(name: "soundNotPlaced")

    /// A gain above 1 was set, which the source's ``SoundSource/gainLimits`` allow only to make up for distance.
    public static let gainLimited = Code(name: "gainLimited")

    /// A reverb was set, and the library has no room for it; the scene is dry.
    public static let reverbUnavailable = Code(name: "reverbUnavailable")

    /// An effect was set on a unit, and the library has no room for it; the unit keeps its effect.
    public static let effectUnavailable = Code(name: "effectUnavailable")

    /// An effect was set with values that the library cannot compute at the mix's rate; the unit has the nearest
    /// values.
    ///
    /// A rate that changes later limits the values without a report.
    public static let effectLimited = Code(name: "effectLimited")

    /// A source was set to feed more effects than the output grants, or one of another context.
    public static let sendLimitExceeded = Code(name: "sendLimitExceeded")

    /// A call for a group of sources left out the sources of another context.
    public static let sourceLeftOut = Code(name: "sourceLeftOut")

    /// A source was played and released before a mix; releasing a source stops it.
    ///
    /// Not reported for a stream, for a scheduled start, and for a source that was started before.
    public static let releasedUnplayed = Code(name: "releasedUnplayed")

    /// The output runs at a wrong rate, so that all sounds have a wrong pitch; the device opens it again.
    ///
    /// Reported once until the rate was right again.
    public static let outputRateWrong = Code(name: "outputRateWrong")

    /// The reader of a stream could not deliver; the message has the reader's reason.
    public static let streamFailed = Code(name: "streamFailed")
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The diagnostic's ``message``.
  public var description: String { message }
}

extension Diagnostic {
  /// A property was set to a value that it cannot take.
  static func unusable(_ property: String, of owner: String, value: String) -> Diagnostic {
    Diagnostic(
      code: .valueNotUsable,
      message: "The \(property) of \(owner) was set to \(value), which is not usable; it keeps its value."
        + " This is reported once."
    )
  }

  /// A sound of several channels is not audible from its source's position.
  static func notPlaced(_ sound: MultichannelWarning) -> Diagnostic {
    let name = sound.name.map { "\"\($0)\"" } ?? "A sound of \(sound.duration)"
    return Diagnostic(
      code: .soundNotPlaced,
      message: "\(name) is \(sound.format.layout), so that it does not come from the position of its source. Make it"
        + " mono, or set the source's spatialization: .always places it, .never states that this is meant. This is reported"
        + " once for each sound."
    )
  }

  /// A gain is limited close to the listener.
  static func gainLimited(_ gain: Float, of owner: String) -> Diagnostic {
    Diagnostic(
      code: .gainLimited,
      message:
        "The gain of \(owner) was set to \(gain), and its gainLimits end at 1: it carries farther, and is no louder"
        + " up close. To have it louder, set gainLimits to 0...\(gain) before. This is reported once for each context."
    )
  }

  /// A reverb could not be created.
  static func reverbUnavailable(_ error: AudioError) -> Diagnostic {
    Diagnostic(code: .reverbUnavailable, message: "The scene stays dry: \(error)")
  }

  /// An effect could not be created.
  static func effectUnavailable(_ error: AudioError) -> Diagnostic {
    Diagnostic(code: .effectUnavailable, message: "The unit keeps its effect: \(error)")
  }

  /// An effect has other values than the game has set.
  static func effectLimited(_ change: EffectLimits.Change, rate: Int) -> Diagnostic {
    let (asked, used) = ("\(change.asked)\(change.unit)", "\(change.used)\(change.unit)")
    return Diagnostic(
      code: .effectLimited,
      message:
        "The \(change.property) was set to \(asked), and \(used) is used: with the value that was set, the library's"
        + " filter is unstable or not a number in a mix of \(rate) Hz. This is reported once for each unit."
    )
  }

  /// A source does not feed some of its effects.
  static func sendLimitExceeded(_ count: Int, limit: Int, of owner: String) -> Diagnostic {
    Diagnostic(
      code: .sendLimitExceeded,
      message:
        "\(count) of the effect sends of \(owner) have no effect: the output grants \(limit), to each unit once and"
        + " in the source's own context. Ask for more with OutputSettings.auxiliarySendLimit. This is reported once for"
        + " each source."
    )
  }

  /// A group call was made for sources of another context.
  static func sourceLeftOut(_ count: Int, first: String) -> Diagnostic {
    let sources = count == 1 ? first : "\(count) sources, the first of them \(first),"
    let belongs = count == 1 ? "belongs" : "belong"
    return Diagnostic(
      code: .sourceLeftOut,
      message:
        "A call for a group of sources left out \(sources) which \(belongs) to another context. Call the context of"
        + " each source. This is reported once for each context."
    )
  }

  /// The clock of an output does not run as the system's clock does.
  static func wrongRate(_ rate: Double, of output: String, isOpened: Bool) -> Diagnostic {
    let percent = (abs(rate - 1) * 1_000).rounded() / 10
    let (speed, pitch) = rate < 1 ? ("slow", "low") : ("fast", "high")
    let result = isOpened ? "The device has opened it again." : "It does not open again: move the device elsewhere."
    return Diagnostic(
      code: .outputRateWrong,
      message: "\"\(output)\" ran \(percent) % too \(speed), so that all sounds were too \(pitch). \(result)"
    )
  }

  /// A source was released in the mix period in which it was played.
  static func releasedUnplayed(_ owner: String) -> Diagnostic {
    Diagnostic(
      code: .releasedUnplayed,
      message:
        "The last reference to \(owner) was dropped before the mixer played it, and that stopped it. Keep the source"
        + " in a property or a collection, or call AudioContext.playOnce. This is reported once for each context."
    )
  }
}
