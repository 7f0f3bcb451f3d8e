/// The type of one sample: `Int16` or `Float`, and no other.
///
/// Both stand for the same signal. A `Float` of 1 is full scale; an `Int16` is that times 32,768.
public protocol PCMSample: Hashable, Sendable, BitwiseCopyable {
  /// The sample for a signal value, full scale at ±1.
  ///
  /// An `Int16` is rounded to the nearest step and clipped at its ends, and takes a value that is not a number as
  /// silence. A `Float` keeps the value as it is.
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
