/// The identity of an emitter or of a player among all that its world has ever had.
///
/// ``Emitter/ID`` is its public form, which has no form in a file.
struct EmitterKey: Hashable, Sendable, Codable {
  let slot: EmitterSlot
  /// The position in the order in which the emitters and players of the world were made, from 1.
  let number: UInt32
}
