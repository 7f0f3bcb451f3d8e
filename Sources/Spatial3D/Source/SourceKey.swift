/// Where a scene has a source, and which of those that had the place over time.
struct SourceKey: Hashable, Sendable {
  let slot: Int
  let generation: UInt64
}
