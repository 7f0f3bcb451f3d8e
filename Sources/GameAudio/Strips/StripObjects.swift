internal import SignalProcessing

/// The objects that the inserts of a strip name: processors of the program, and impulse responses from files.
///
/// A chain keeps a step while its object is the same: each name stands for one object. Pure: no call and no lock.
struct StripObjects: Sendable {
  /// The objects that a list of inserts names for the first time, and that the strip does not have.
  struct Missing: Hashable, Sendable {
    /// The names of processors of the program: their inserts leave the sound as it is.
    var processors: [String] = []
    /// The files of impulse responses, to be loaded.
    var responses: [Insert.Convolution] = []
  }

  private enum Response: Sendable {
    /// The processed sound is silent until the file is loaded.
    case loading
    case loaded(ImpulseResponse)
    /// The insert leaves the sound as it is.
    case unusable
  }

  private var processors: [String: CustomProcessor] = [:]
  /// The responses of the newest list.
  private var responses: [Insert.Convolution: Response] = [:]

  /// Adopts a list of inserts, and releases the responses that it does not name.
  mutating func adopt(_ inserts: [Insert]) -> Missing {
    var (missing, kept) = (Missing(), [Insert.Convolution: Response]())
    for kind in inserts.lazy.map(\.kind) {
      switch kind {
      case .custom(let custom) where processors[custom.name] == nil:
        processors[custom.name] = custom.processor
        if custom.processor == nil { missing.processors.append(custom.name) }
      case .convolution(let convolution) where kept[convolution] == nil:
        if responses[convolution] == nil { missing.responses.append(convolution) }
        kept[convolution] = responses[convolution] ?? .loading
      default: break
      }
    }
    responses = kept
    return missing
  }

  /// Adds the response of a file that the newest list names; `nil` for a file that cannot be used.
  mutating func add(_ response: ImpulseResponse?, for convolution: Insert.Convolution) {
    guard responses[convolution] != nil else { return }
    responses[convolution] = response.map { .loaded($0) } ?? .unusable
  }

  /// The objects for the steps of the newest list.
  var known: InsertObjects {
    let responses = responses.compactMapValues { response in
      switch response {
      case .loading: Self.silence
      case .loaded(let response): response
      case .unusable: nil as ImpulseResponse?
      }
    }
    return InsertObjects(processors: processors, responses: responses)
  }

  private static let silence = ImpulseResponse([])
}
