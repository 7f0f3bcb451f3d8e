package import Testing

/// Runs the steps of a test before those of other tests.
///
/// All tests share a few threads. After each `await`, a test waits for a thread until all tests that are ready have run,
/// which takes as long as the whole suite. A test that mostly waits for another process would end long after all others.
package struct PriorityTrait: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withoutActuallyEscaping(function) { function in
      try await Task(priority: .high) { try await function() }.value
    }
  }
}

extension Trait where Self == PriorityTrait {
  /// The priority of a test that mostly waits.
  package static var highPriority: Self { Self() }
}
