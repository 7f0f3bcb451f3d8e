/// The type of one sample: `Int16` or `Float`, and no other.
///
/// Both represent the same signal. A `Float` of 1 is full scale; an `Int16` is the `Float` times 32,768.
public protocol PCMSample: Hashable, Sendable, BitwiseCopyable {
  /// The sample for a signal value, full scale at ±1.
  ///
  /// An `Int16` rounds to the nearest step, clips at the ends of its range, and turns a value that is not a number into
  /// silence. A `Float` keeps the value.
  init(signal: Float)

  /// The signal value, full scale at ±1.
  var signal: Float { get }
}

extension Float: PCMSample {
  /// The value itself.
  @inlinable
  public init(signal: Float) { self = signal }

  /// The value itself.
  @inlinable public var signal: Float { self }
}

extension Int16: PCMSample {
  /// The nearest step of 1/32,768, clipped at the ends of the range; silence for a value that is not a number.
  @inlinable
  public init(signal: Float) {
    guard !signal.isNaN else {
      self = 0
      return
    }
    self = Int16(Swift.min(Swift.max((signal * 32_768).rounded(), -32_768), 32_767))
  }

  /// The value divided by 32,768, so that full scale is -1 to just under 1.
  @inlinable public var signal: Float { Float(self) / 32_768 }
}
