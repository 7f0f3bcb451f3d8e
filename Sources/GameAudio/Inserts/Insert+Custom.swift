public import PCM
internal import SignalProcessing

extension Insert {
  /// A processor of the program, by its name.
  ///
  /// ``Insert/processor(_:_:)`` and ``Insert/closure(_:_:)`` return inserts of this kind. Two processors are equal if
  /// they have the same name: a name stands for one processor in a program.
  public struct Custom: Sendable {
    /// The name, which reports and files have.
    public let name: String

    /// The processor; `nil` for an insert from a file, which has a name alone.
    let processor: CustomProcessor?

    init(_ name: String, _ processor: CustomProcessor?) { (self.name, self.processor) = (name, processor) }
  }

  /// A closure that overwrites the samples of a block, without a memory from block to block.
  ///
  /// The world keeps the first closure of a name until its own end: the closure captures the world weakly.
  ///
  /// The samples are whole frames, with the channels of a frame side by side. The closure has no latency, and returns
  /// silence for silence: it is not called while the bus is silent. The thread that mixes calls it, see
  /// ``BlockProcessor``.
  public static func closure(
    _ name: String,
    _ body: @escaping @Sendable (_ samples: inout MutableSpan<Float>, _ block: BlockDescription) -> Void
  ) -> Insert {
    .processor(name) { _ in ClosureProcessor(body: body) }
  }

  /// A processor with a memory.
  ///
  /// The closure makes a processor for each list with the insert. The thread of the call that sets the list calls it,
  /// and no lock is held. The world keeps the first closure of a name until its own end: the closure captures the world
  /// weakly.
  public static func processor<Processor: BlockProcessor & ~Copyable>(
    _ name: String,
    _ make: @escaping @Sendable (_ format: PCMFormat) -> Processor
  ) -> Insert {
    let processor = CustomProcessor(name) { format in BlockProcessorBox(make(format), format: format) }
    return Insert(.custom(Custom(name, processor)))
  }
}

extension Insert.Custom: Hashable {
  /// Whether two processors have the same name.
  public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Insert.Custom: Codable {
  /// Decodes the name; the world finds the processor that the program has set under this name before.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self), nil)
  }

  /// Encodes the name.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(name)
  }
}
