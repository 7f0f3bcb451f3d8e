package import Testing

extension Trait where Self == TimeLimitTrait {
  /// The time after which a test counts as hung.
  ///
  /// All tests start at once, so the time of a test includes the time of others. On a throttled machine, a test that
  /// needs a second has taken five minutes, and under the thread sanitizer twenty.
  package static var hangLimit: Self { .timeLimit(.minutes(60)) }
}
