/// The index of a key among the keys that a chain receives with each block.
package struct KeyIndex: Hashable, Sendable {
  package let value: Int

  package init(_ value: Int) { self.value = value }
}

/// The index of a step in a list of steps.
package struct StepIndex: Hashable, Sendable {
  package let value: Int

  package init(_ value: Int) { self.value = value }
}

/// A step of a chain: a processor, and its share in the sound.
package struct ProcessorStep: Hashable, Sendable {
  package var settings: ProcessorSettings
  /// The share of the processed sound, 0 to 1; the rest is the sound before the step, as late as the processed sound.
  ///
  /// A mix that is not a number is 1.
  package var mix: Double { didSet { mix = Self.limited(mix) } }
  /// Whether the sound passes the step unchanged, with its latency; the processor then does not run.
  package var isBypassed: Bool
  /// The key of a compressor or a gate; their own sound for `nil`, and for a key that the chain does not receive.
  package var key: KeyIndex?

  package init(_ settings: ProcessorSettings, mix: Double = 1, isBypassed: Bool = false, key: KeyIndex? = nil) {
    (self.settings, self.mix, self.isBypassed, self.key) = (settings, Self.limited(mix), isBypassed, key)
  }

  private static func limited(_ mix: Double) -> Double { mix.limited(to: 0...1, notANumber: 1) }
}
