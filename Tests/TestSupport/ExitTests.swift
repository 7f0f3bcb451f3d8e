package import Testing

/// Records an error that the body of an exit test throws, and throws it again.
///
/// Swift Testing 6.3 prints such an error to the standard error output of the child process, which nobody reads: the
/// test reports the signal SIGILL alone.
package func recordingErrors(
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async throws {
  do {
    try await body()
  } catch let error as ExpectationFailedError {
    // The expectation has recorded it.
    throw error
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
    throw error
  }
}
