internal import SignalProcessing

// An insert as a step of a chain of processors, and the numbers that the step does not take as they are.

extension Insert {
  /// The step of a chain; `nil` for a processor of the program whose name is unknown, and for an impulse response that
  /// is not in `objects`.
  ///
  /// A processor in `objects` goes before the processor of the insert itself: a chain keeps a processor while its
  /// description is the same object.
  func step(_ objects: InsertObjects = InsertObjects()) -> ProcessorStep? {
    guard let settings = kind.settings(objects) else { return nil }
    return ProcessorStep(settings, mix: Double(mix), isBypassed: isBypassed)
  }
}

/// The objects that inserts name.
struct InsertObjects: Sendable {
  /// The processors of the program, by their names: an insert from a file has a name alone.
  var processors: [String: CustomProcessor] = [:]
  /// The impulse responses that were loaded.
  var responses: [Insert.Convolution: ImpulseResponse] = [:]
}

extension Insert.Kind {
  /// The settings of the processor; `nil` where its object is unknown.
  fileprivate func settings(_ objects: InsertObjects) -> ProcessorSettings? {
    switch self {
    case .equalizer(let equalizer): .equalizer(equalizer.filterBands)
    case .compressor(let compressor): .compressor(compressor.settings)
    case .gate(let gate): .gate(gate.settings)
    case .limiter(let limiter): .limiter(limiter.settings)
    case .leveler(let leveler): .leveler(leveler.settings)
    case .convolution(let convolution): objects.responses[convolution].map { .convolution(.init($0)) }
    case .distortion(let distortion): .distortion(distortion.settings)
    case .bitCrusher(let bitCrusher): .bitCrusher(bitCrusher.settings)
    case .delay(let delay): .delay(delay.settings)
    case .chorus(let chorus): .modulatedDelay(chorus.settings)
    case .width(let width): .stereoWidth(width.settings)
    case .custom(let custom): (objects.processors[custom.name] ?? custom.processor).map { .custom($0) }
    }
  }

  /// The settings with a list of properties; `nil` for a processor of the program.
  fileprivate var listed: (any InsertSettings)? {
    switch self {
    case .equalizer(let settings): settings
    case .compressor(let settings): settings
    case .gate(let settings): settings
    case .limiter(let settings): settings
    case .leveler(let settings): settings
    case .convolution(let settings): settings
    case .distortion(let settings): settings
    case .bitCrusher(let settings): settings
    case .delay(let settings): settings
    case .chorus(let settings): settings
    case .width(let settings): settings
    case .custom: nil
    }
  }
}

extension Insert: CustomStringConvertible {
  /// The kind, and the properties that differ from their defaults, such as `compressor (ratio 4.0)`.
  public var description: String {
    var words = kind.listed?.words ?? []
    if case .custom(let custom) = kind { words.append(custom.name) }
    if mix != 1 { words.append("mix \(mix)") }
    if isBypassed { words.append("bypassed") }
    return words.isEmpty ? kind.name.rawValue : "\(kind.name.rawValue) (\(words.joined(separator: ", ")))"
  }
}

extension Insert {
  /// The numbers that the insert does not take as they are at a sample rate, by the name of the insert, such as
  /// `inserts[1].compressor.threshold`.
  ///
  /// Names are formed for faults alone: a program may set its inserts in each frame.
  func faults(named name: () -> String, sampleRate: Int) -> [ValueFault] {
    var faults: [ValueFault] = []
    faults.add(ValueFault(mix, in: 0...1, 1) { "\(name()).mix" })
    if let listed = kind.listed {
      faults += listed.faults(named: { "\(name()).\(kind.name.rawValue)" }, sampleRate: sampleRate)
    }
    return faults
  }
}

extension [Insert] {
  /// The numbers that the inserts do not take as they are at a sample rate; the insert `name[0]` is the first.
  func faults(named name: String = "inserts", sampleRate: Int) -> [ValueFault] {
    var faults: [ValueFault] = []
    for (index, insert) in enumerated() {
      faults += insert.faults(named: { "\(name)[\(index)]" }, sampleRate: sampleRate)
    }
    return faults
  }
}
