import Testing

/// Expects the result of a mutating call, which `#expect` cannot make.
func check<Value: Equatable>(
  _ found: Value,
  _ expected: Value,
  _ comment: Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(found == expected, comment, sourceLocation: sourceLocation)
}
