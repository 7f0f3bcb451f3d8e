/// The subjects that were reported last, so that each is reported once for the same reason.
///
/// The list keeps numbers, and forgets the oldest subject beyond a limit: a game that meets ever new failures does not
/// grow. A subject that was forgotten is reported again.
struct RecentReports: Sendable {
  /// The most subjects.
  ///
  /// Chosen: the numbers take less than 100 KB, and few games have more files or values that fail.
  static let limit = 1_024

  /// The hash of the reason for which each subject was reported, by the hash of the subject.
  private var reasons: [Int: Int] = [:]
  /// The subjects in the order of their first reports.
  private var order: [Int] = []

  /// Notes a subject and a reason; returns whether the subject is to be reported.
  mutating func isNew(_ reason: String, about subject: some Hashable) -> Bool {
    let (subject, reason) = (subject.hashValue, reason.hashValue)
    if let known = reasons.updateValue(reason, forKey: subject) { return known != reason }
    order.append(subject)
    if order.count > Self.limit { reasons[order.removeFirst()] = nil }
    return true
  }

  /// Forgets a subject, which is reported again the next time.
  mutating func forget(_ subject: String) {
    let subject = subject.hashValue
    if reasons.removeValue(forKey: subject) != nil { order.removeAll { $0 == subject } }
  }

  /// The number of subjects in the list.
  var count: Int { reasons.count }
}
