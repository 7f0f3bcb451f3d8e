import Glibc
package import Testing

/// Waits until a condition holds.
///
/// Polls the condition about every millisecond, and returns as soon as it holds. After the limit, on the continuous
/// clock, it records one issue that names the condition, and ends the test. It polls at least a hundred times, because
/// a task may wait for minutes while other tests block the threads of all tasks.
///
/// The name is the condition in words, such as "a placeholder mixes". The default limit leaves room for a machine that
/// runs many tests at once. An interval of more than a millisecond is for a condition that does more than read a value.
package func eventually(
  _ name: String,
  within limit: Duration = .seconds(60),
  every interval: Duration = .milliseconds(1),
  sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () throws -> Bool
) async throws {
  let start = ContinuousClock.now
  var polls = 0
  while try !condition() {
    polls += 1
    try requireTime(for: name, since: start, limit, after: polls, sourceLocation)
    try await Task.sleep(for: interval)
  }
}

/// Waits until a condition holds, in code that is not asynchronous; blocks the thread meanwhile.
package func eventually(
  _ name: String,
  within limit: Duration = .seconds(60),
  every interval: Duration = .milliseconds(1),
  sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () throws -> Bool
) throws {
  let start = ContinuousClock.now
  var polls = 0
  while try !condition() {
    polls += 1
    try requireTime(for: name, since: start, limit, after: polls, sourceLocation)
    usleep(UInt32(interval / .microseconds(1)))
  }
}

private func requireTime(
  for name: String,
  since start: ContinuousClock.Instant,
  _ limit: Duration,
  after polls: Int,
  _ sourceLocation: SourceLocation
) throws {
  let isInTime = polls < 100 || ContinuousClock.now - start < limit
  try #require(isInTime, "Not within \(limit): \(name)", sourceLocation: sourceLocation)
}
