internal import Glibc
public import Spatial3D

extension Diagnostic.Code {
  /// A sound bank holds more bytes than its budget, because all of its sounds play.
  public static let soundBankOverBudget = Diagnostic.Code(name: "soundBankOverBudget")

  /// Sounds that a bank has loaded play at another rate than the mix: short sounds, or all sounds where
  /// ``AudioWorld/convertsSampleRates`` is `false`.
  public static let soundsResampled = Diagnostic.Code(name: "soundsResampled")

  /// A file that has changed could not be read; its keys keep their sound.
  public static let soundNotReloaded = Diagnostic.Code(name: "soundNotReloaded")

  /// A file holds fewer frames than its header says: it was cut, or is damaged.
  ///
  /// A streamed file whose header does not show it is reported when an emitter first plays the damaged part. A
  /// ``SoundPlayer`` posts ``PlayerEvent/decodeError(_:)`` instead.
  public static let soundIncomplete = Diagnostic.Code(name: "soundIncomplete")

  /// The system lets the program watch no more files.
  public static let filesNotWatched = Diagnostic.Code(name: "filesNotWatched")
}

extension Diagnostic {
  static func soundBankOverBudget(_ byteCount: Int, _ budget: Int) -> Diagnostic {
    Diagnostic(
      code: .soundBankOverBudget,
      message: "A sound bank holds \(byteCount) bytes, and its budget is \(budget): the sounds above it play, or were"
        + " loaded just now. It releases them when others are loaded. Give it a larger budget, or unload keys."
    )
  }

  static func soundsResampled(_ sounds: [(name: String, rate: Int)], _ rate: Int) -> Diagnostic {
    let names = sounds.prefix(8).map { "\($0.name) (\($0.rate) Hz)" }.joined(separator: ", ")
    return Diagnostic(
      code: .soundsResampled,
      message:
        "\(sounds.count) sounds have another rate than the mix, \(rate) Hz: \(names)\(sounds.count > 8 ? ", …" : "")."
        + " The mixer converts them while they play, which makes a voice up to twice as expensive. Convert the files:"
        + " a short sound keeps its rate if its length would change audibly, and all sounds keep it while"
        + " convertsSampleRates is false."
    )
  }

  static func soundNotReloaded(_ keys: [SoundKey], _ path: String, _ reason: GameAudioError) -> Diagnostic {
    let names = keys.map(\.name).joined(separator: ", ")
    return Diagnostic(
      code: .soundNotReloaded,
      message: "\(path) has changed and cannot be read again: the keys \(names) keep their sound. \(reason)"
    )
  }

  /// A sound could not be loaded for its emitters.
  static func soundUnavailable(_ content: SoundContent, _ keys: [SoundKey], _ reason: any Error) -> Diagnostic {
    let sentence = keys.isEmpty ? "" : "The sound of \(inWords(keys)) cannot be loaded. "
    return .soundUnavailable("\(sentence)\(reason)")
  }

  static func soundIncomplete(_ content: SoundContent, _ keys: [SoundKey], _ sound: LoadedSound) -> Diagnostic {
    let owner = keys.isEmpty ? "" : ", the sound of \(inWords(keys)),"
    let whole = sound.claimedFrameCount.flatMap { $0 > sound.stored.frameCount ? " of \($0)" : nil } ?? ""
    let count = !sound.isStream ? ": \(sound.stored.frameCount) frames\(whole) were read" : ""
    return Diagnostic(
      code: .soundIncomplete,
      message:
        "\(content.name)\(owner) holds less than its header says\(count). It was cut, or is damaged, and plays as far"
        + " as it can be read. Copy or convert it again."
    )
  }

  /// A read of a stream has shown that a part of its file is damaged.
  static func soundDamaged(_ path: String) -> Diagnostic {
    Diagnostic(
      code: .soundIncomplete,
      message: "A part of \(path) is damaged: its stream plays what can be read. Copy or convert the file again."
    )
  }

  private static func inWords(_ keys: [SoundKey]) -> String {
    let names = keys.prefix(8).map(\.name).joined(separator: ", ") + (keys.count > 8 ? ", …" : "")
    return keys.count == 1 ? "the key \(names)" : "the keys \(names)"
  }

  static var filesNotWatched: Diagnostic {
    Diagnostic(
      code: .filesNotWatched,
      message: "The system lets the program watch no more files, so that changes are not noticed. Raise"
        + " fs.inotify.max_user_instances, or call reload(_:)."
    )
  }

  /// A folder that exists cannot be watched, for an error number of the system.
  static func filesNotWatched(in folder: String, _ number: Int32) -> Diagnostic {
    let remedy = number == ENOSPC ? "Raise fs.inotify.max_user_watches" : "Check its path and its permissions"
    // The system's text ends with a zero, and is copied at once.
    let reason = unsafe String(cString: strerror(number))
    return Diagnostic(
      code: .filesNotWatched,
      message: "The folder \(folder) cannot be watched, so that changes of its files are not noticed: \(reason)."
        + " \(remedy), or call reload(_:)."
    )
  }
}
