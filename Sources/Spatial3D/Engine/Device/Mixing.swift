/// The mixer of the contexts of a device.
enum Mixing: Sendable {
  /// The library, for an output of the system.
  case byLibrary
  /// A thread of this package, by the clock; the mix is discarded.
  case byClock(ClockDrivenMixer)
  /// The thread that calls an offline renderer.
  case onRequest(PCMFormat)
  /// A thread of this package, for an output that plays the mix.
  case forOutput(OutputDrivenMixer)
}

extension Mixing {
  var isByLibrary: Bool { if case .byLibrary = self { true } else { false } }

  /// The name of a device without an output of the library.
  var deviceName: String? {
    switch self {
    case .byLibrary: nil
    case .byClock: "silent"
    case .onRequest: "offline"
    case .forOutput: "processed"
    }
  }
}

// Callers ask for one property of a device, and not for a case of `Mixing`. A processed device is rendered as an
// offline device, and its notifications are delivered as the notifications of an output.

extension AudioDevice {
  /// Whether the library mixes, for an output that may be lost, replaced and waited for.
  var isMixedByLibrary: Bool { mixing.isByLibrary }

  /// Whether this package renders the mix in pieces, which end at ticks, at starts and at the ends of fades.
  ///
  /// A piece finds all changes of sources, so that neither events of the library nor polls are needed.
  var isRendered: Bool { renderedFormat != nil }

  /// The format of a rendered mix; `nil` for any other.
  package var renderedFormat: PCMFormat? {
    switch mixing {
    case .byLibrary, .byClock: nil
    case .onRequest(let format): format
    case .forOutput(let mixer): mixer.format
    }
  }

  /// The mixing thread of a silent device; `nil` for any other.
  var clockMixer: ClockDrivenMixer? { if case .byClock(let mixer) = mixing { mixer } else { nil } }

  /// The mixing thread of a processed device; `nil` for any other.
  var outputMixer: OutputDrivenMixer? { if case .forOutput(let mixer) = mixing { mixer } else { nil } }

  /// Whether a thread of this package, or the caller, mixes: a tick then ends a mix exactly at its frame.
  package var mixesByFrames: Bool { !isMixedByLibrary }

  /// Whether the mix is played on an output of the system, whose policy may pause sources.
  package var playsOnOutput: Bool { isMixedByLibrary || outputMixer != nil }

  /// Whether the caller mixes: notifications are delivered before its call returns, and no thread takes part.
  package var mixesOnRequest: Bool { if case .onRequest = mixing { true } else { false } }
}
