/// Properties of a source that the library is to be told, with their values.
struct SourceChange: Sendable {
  let id: UInt32
  let values: SourceValues
  let properties: SourceProperties
}
