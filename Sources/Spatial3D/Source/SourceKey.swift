/// The slot of a source in a scene, and a generation that distinguishes the sources which used the slot over time.
struct SourceKey: Hashable, Sendable {
  let slot: Int
  let generation: UInt64
}
