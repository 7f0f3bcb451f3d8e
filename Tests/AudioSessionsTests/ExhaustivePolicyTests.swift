import Testing

@testable import AudioSessions

@Suite struct ExhaustivePolicyTests {
  /// The policy after a call with a combination in a situation, and the rule that the call broke.
  private func outcome(
    of combination: Combination,
    in policy: SessionPolicy
  ) -> (policy: SessionPolicy, brokenRule: SessionError.Code?) {
    var policy = policy
    do throws(SessionError) {
      let configuration = try SessionConfiguration(
        category: combination.category,
        mode: combination.mode,
        options: combination.options
      )
      _ = policy.setCategory(configuration)
      return (policy, nil)
    } catch {
      return (policy, error.code)
    }
  }

  @Test(arguments: SessionCategory.allCases)
  func `Each combination of category, mode and options follows the tables in each situation`(
    category: SessionCategory
  ) throws {
    let behavior = BackgroundBehavior()
    let combinations = Combination.all(of: category).map { ($0, $0.brokenRule) }
    var count = 0
    for situation in Situation.all {
      let policy = try situation.makePolicy(behavior)
      for (combination, expectedRule) in combinations {
        count += 1
        let (next, brokenRule) = outcome(of: combination, in: policy)
        let isRight =
          brokenRule == nil
          ? situation.agrees(with: next.directives, for: combination, behavior)
            && situation.agrees(with: next.requests, for: combination)
          : next == policy
        guard brokenRule == expectedRule, isRight else {
          Issue.record("\(combination) in \(situation): \(next), broke \(String(describing: brokenRule))")
          continue
        }
      }
    }
    #expect(count == 128 * 5 * 64)
  }

  @Test(arguments: [(true, false), (false, true), (true, true)])
  func `Declarations about the background change the directives as the tables ask`(
    plays: Bool,
    suspends: Bool
  ) throws {
    let behavior = BackgroundBehavior(plays: plays, suspends: suspends)
    let allowed = SessionCategory.allCases.flatMap { Combination.all(of: $0) }.filter { $0.brokenRule == nil }
    #expect(allowed.count == 112)
    for situation in Situation.all {
      let policy = try situation.makePolicy(behavior)
      for combination in allowed {
        let next = outcome(of: combination, in: policy).policy
        guard situation.agrees(with: next.directives, for: combination, behavior) else {
          Issue.record("\(combination) in \(situation): \(next.directives)")
          continue
        }
      }
    }
  }

  @Test(arguments: SessionCategory.allCases)
  func `The directives do not depend on the order of the reports`(category: SessionCategory) throws {
    let inputs: [SessionInput] = [
      .phoneCallBegan, .enteredBackground, .screenLocked, .ringSwitch(silent: true), .otherAudio(isPlaying: true),
    ]
    var found: Set<SessionDirectives> = []
    for order in permutations(inputs) {
      var policy = SessionPolicy()
      _ = policy.setCategory(try SessionConfiguration(category: category, mode: .default, options: []))
      _ = try policy.activate()
      for input in order { _ = policy.handle(input) }
      found.insert(policy.directives)
    }
    #expect(found.count == 1)
  }

  @Test(arguments: SessionCategory.allCases)
  func `Conditions that come and go leave the directives as they were`(category: SessionCategory) throws {
    let pairs: [(SessionInput, SessionInput)] = [
      (.enteredBackground, .enteredForeground), (.screenLocked, .screenUnlocked),
      (.ringSwitch(silent: true), .ringSwitch(silent: false)),
      (.otherAudio(isPlaying: true), .otherAudio(isPlaying: false)),
      (.otherSessionActivated(mixable: true), .otherSessionDeactivated(notifyingOthers: false)),
      (.spokenPromptBegan, .spokenPromptEnded(shouldResume: true)), (.outputPlugged("headphones"), .outputUnplugged),
    ]
    var policy = SessionPolicy()
    _ = policy.setCategory(try SessionConfiguration(category: category, mode: .default, options: []))
    _ = try policy.activate()
    let before = policy.directives
    for (begin, end) in pairs + pairs.map({ ($0.1, $0.0) }) {
      _ = policy.handle(begin)
      _ = policy.handle(end)
      if begin == pairs.last?.0 { #expect(policy.directives == before) }
    }
    for (_, end) in pairs { _ = policy.handle(end) }
    #expect(policy.directives == before)
  }

  private func permutations(_ inputs: [SessionInput]) -> [[SessionInput]] {
    guard let last = inputs.last else { return [[]] }
    return permutations(inputs.dropLast()).flatMap { shorter in
      (0...shorter.count).map { Array(shorter[..<$0]) + [last] + shorter[$0...] }
    }
  }
}
