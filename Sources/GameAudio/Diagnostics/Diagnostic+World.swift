public import Spatial3D

extension Diagnostic.Code {
  /// A sound could not be loaded or opened; its emitters end with the reason ``EmitterEvent/Reason/failed``.
  ///
  /// A player plays on if a sound that plays could not be opened again, for a change of its pan or its bus.
  public static let soundUnavailable = Diagnostic.Code(name: "soundUnavailable")

  /// A file is not open, or not decoded, after five seconds; its emitters and players wait.
  ///
  /// Each file is reported once in a world.
  public static let soundNotReady = Diagnostic.Code(name: "soundNotReady")

  /// A stream has waited for five seconds, because 16 readers of the game are being opened.
  ///
  /// A world reports it once.
  public static let streamWaits = Diagnostic.Code(name: "streamWaits")

  /// A sound of several channels was mixed down to one for its emitters with a position.
  public static let soundMixedDown = Diagnostic.Code(name: "soundMixedDown")

  /// More emitters have the priority ``Priority/mustBeHeard`` than there are voices.
  public static let tooManyEssentialSounds = Diagnostic.Code(name: "tooManyEssentialSounds")

  /// A context had too few sources left for the voices of a world.
  public static let fewerVoices = Diagnostic.Code(name: "fewerVoices")

  /// A player cannot move a sound of more than two channels to one side.
  public static let panIgnored = Diagnostic.Code(name: "panIgnored")

  /// A sequence of events that nobody reads is full, and loses its oldest events: see `NotificationSequence`.
  public static let eventsLost = Diagnostic.Code(name: "eventsLost")

  /// A loop range lies outside its sound, and is cut to it, or ignored.
  public static let loopRangeIgnored = Diagnostic.Code(name: "loopRangeIgnored")
}

extension Diagnostic.Code {
  /// A sound began while an interruption of the audio session holds, and is not heard before its end.
  public static let playedInInterruption = Diagnostic.Code(name: "playedInInterruption")

  /// A world could not activate its audio session after an interruption.
  public static let sessionNotResumed = Diagnostic.Code(name: "sessionNotResumed")

  /// A bus was to duck under a bus that depends on it.
  public static let duckingRefused = Diagnostic.Code(name: "duckingRefused")

  /// A bus was asked for with another kind or parent than it has.
  public static let busExists = Diagnostic.Code(name: "busExists")

  /// A snapshot has settings of buses that its mixer does not have.
  public static let unknownBus = Diagnostic.Code(name: "unknownBus")
}

extension Diagnostic {
  static var playedInInterruption: Diagnostic {
    Diagnostic(
      code: .playedInInterruption,
      message: "A sound began during an interruption of the audio session. It is audible only after its end:"
        + " begin sounds when interruptionEnded is reported. Further ones in this interruption are not reported."
    )
  }

  static func tooManyEssentialSounds(voices count: Int) -> Diagnostic {
    Diagnostic(
      code: .tooManyEssentialSounds,
      message:
        "More than \(count) emitters have the priority .mustBeHeard, and the quietest of them have no voice."
        + " Give some of them a lower priority, or the world more voices. This is reported once."
    )
  }

  static func sessionNotResumed(_ reason: String) -> Diagnostic {
    Diagnostic(code: .sessionNotResumed, message: "The world stays silent. \(reason)")
  }

  static func duckingCycle(_ bus: String, under other: String) -> Diagnostic {
    Diagnostic(
      code: .duckingRefused,
      message: "The bus \(bus) cannot duck under \(other): its own level would decide about that of \(other)."
        + " Choose a bus whose sounds it does not contain, is not part of, and does not lower."
    )
  }

  static func busExists(_ name: String, _ mismatch: String) -> Diagnostic {
    Diagnostic(
      code: .busExists,
      message:
        "The bus \(name) exists, and \(mismatch). Make it with its kind and its parent before the first other use"
        + " of its name. This is reported once."
    )
  }

  static func unknownBuses(_ names: [String]) -> Diagnostic {
    Diagnostic(
      code: .unknownBus,
      message: "A snapshot was applied to a mixer without the buses \(names.joined(separator: ", "))."
        + " Check their names, or make them with Mixer.bus first."
    )
  }

  static func panIgnored(_ name: String, channels: Int) -> Diagnostic {
    Diagnostic(
      code: .panIgnored,
      message: "\(name) has \(channels) channels, and only sounds of one or two have a pan. It plays as it is."
    )
  }

  static func loopRangeIgnored(_ range: Range<Int>, _ name: String, frameCount: Int) -> Diagnostic {
    Diagnostic(
      code: .loopRangeIgnored,
      message: "The loop range \(range) has no frame of \(name), which has \(frameCount). The old one stays."
    )
  }

  static func loopRangeCut(_ range: Range<Int>, _ name: String, to part: Range<Int>, frameCount: Int) -> Diagnostic {
    Diagnostic(
      code: .loopRangeIgnored,
      message:
        "The loop range \(range) is not inside of \(name), which has \(frameCount) frames: \(part) repeats. Set a range"
        + " of its frames. This is reported once."
    )
  }

  static func eventsLost(of owner: String) -> Diagnostic {
    Diagnostic(
      code: .eventsLost,
      message: "16,384 events of \(owner) wait in a sequence that is not read, and each further one drops the oldest."
        + " Read the sequence in a loop or release it, or observe with a closure, which loses none. lostCount of the"
        + " sequence counts the dropped ones. This is reported once for each sequence."
    )
  }

  static func soundUnavailable(_ reason: String) -> Diagnostic {
    Diagnostic(code: .soundUnavailable, message: "\(reason) Its emitters end.")
  }

  static func soundNotOpenedAgain(_ reason: String) -> Diagnostic {
    Diagnostic(code: .soundUnavailable, message: "\(reason) Its player goes on with the reader that is open.")
  }

  static func soundNotReady(_ name: String, _ use: LoadQueue.FileUse) -> Diagnostic {
    // A player reads its file while it plays, and so does an emitter with a stream.
    let remedy = use == .decoded ? " Stream a long file, or load it with a SoundBank before it plays." : ""
    return Diagnostic(
      code: .soundNotReady,
      message:
        "\(name) is not ready after \(patience) seconds, and its emitters and players wait. Check the disk or the"
        + " network that it is on.\(remedy) This is reported once."
    )
  }

  static func streamWaits(_ name: String) -> Diagnostic {
    Diagnostic(
      code: .streamWaits,
      message:
        "The stream \(name) has waited for \(patience) seconds: \(LoadQueue.Lane.readers.mostThreads) readers of the"
        + " game are being opened, and block. Let the closures of Sound(streaming:) and the first reads return sooner, or"
        + " play fewer such streams. This is reported once."
    )
  }

  private static var patience: Int64 { LoadQueue.patience / 1_000_000_000 }

  static func soundMixedDown(_ name: String, from channels: Int) -> Diagnostic {
    Diagnostic(
      code: .soundMixedDown,
      message: "\(name) has \(channels) channels, and was mixed down to one for its emitters with a place."
        + " Use a mono file, or play it without a place."
    )
  }

  static func fewerVoices(_ granted: Int, than wanted: Int) -> Diagnostic {
    Diagnostic(
      code: .fewerVoices,
      message: "A world has \(granted) voices instead of \(wanted), because its context has no more sources."
        + " Request more with OutputSettings, or fewer voices."
    )
  }
}
