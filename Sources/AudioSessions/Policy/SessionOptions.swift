/// The relation of a session to the sound of other programs, and wishes for its route.
public struct SessionOptions: OptionSet, Hashable, Sendable {
  /// A bit for each option.
  public let rawValue: UInt16

  /// Creates a set from its bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Mixes with others, with ``SessionCategory/playback`` or ``SessionCategory/playAndRecord``.
  public static let mixWithOthers = SessionOptions(rawValue: 1 << 0)

  /// Lowers others while the session is active, and implies ``mixWithOthers``.
  ///
  /// Allowed with ``SessionCategory/playback`` and ``SessionCategory/playAndRecord``.
  public static let duckOthers = SessionOptions(rawValue: 1 << 1)

  /// Pauses the speech of others while the session is active, and implies ``mixWithOthers``.
  ///
  /// The speech of others is a session of the mode ``SessionMode/spokenAudio``. Allowed with
  /// ``SessionCategory/playback`` and ``SessionCategory/playAndRecord``.
  public static let interruptSpokenAudioAndMixWithOthers = SessionOptions(rawValue: 1 << 2)

  /// Permits a Bluetooth headset, with ``SessionCategory/playAndRecord``; no effect on Linux.
  public static let allowBluetooth = SessionOptions(rawValue: 1 << 3)

  /// Permits Bluetooth loudspeakers, with ``SessionCategory/playAndRecord``; no effect on Linux.
  public static let allowBluetoothA2DP = SessionOptions(rawValue: 1 << 4)

  /// Plays on the loudspeaker instead of the ear piece, with ``SessionCategory/playAndRecord``; no effect on Linux.
  public static let defaultToSpeaker = SessionOptions(rawValue: 1 << 5)
}

extension SessionOptions: CustomStringConvertible {
  /// The names of the options, such as `[mixWithOthers, duckOthers]`.
  public var description: String { "[\(names.joined(separator: ", "))]" }
}

extension SessionOptions {
  static let all: [(option: SessionOptions, name: String)] = [
    (.mixWithOthers, "mixWithOthers"),
    (.duckOthers, "duckOthers"),
    (.interruptSpokenAudioAndMixWithOthers, "interruptSpokenAudioAndMixWithOthers"),
    (.allowBluetooth, "allowBluetooth"),
    (.allowBluetoothA2DP, "allowBluetoothA2DP"),
    (.defaultToSpeaker, "defaultToSpeaker"),
  ]

  var names: [String] {
    let known = Self.all.filter { contains($0.option) }.map(\.name)
    let others = subtracting(SessionOptions(Self.all.map(\.option))).rawValue
    return others == 0 ? known : known + ["0x\(String(others, radix: 16))"]
  }
}
