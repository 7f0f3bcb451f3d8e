/// An emitter with a position, as the space reads it.
struct PlacedEmitter: Sendable {
  let slot: EmitterSlot
  let position: SIMD3<Float>
  /// The listener that the emitter belongs to.
  let listener: ListenerIndex
}
