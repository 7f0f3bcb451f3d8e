/// The owners of the listener of a context: layers above, such as a world, that set it from a listener of their own.
struct ListenerOwners: Sendable {
  /// The numbers of the owners, the oldest first.
  private var numbers: [Int] = []
  private var lastNumber = 0
  private var diagnostic: Diagnostic?
  private var hasReported = false

  /// Whether a listener that the program sets is to be reported.
  var awaitsReport: Bool { !numbers.isEmpty && !hasReported }

  /// Adds an owner, with the report about a program that sets the listener too; returns the owner's number.
  mutating func add(reporting diagnostic: Diagnostic) -> Int {
    self.diagnostic = diagnostic
    lastNumber += 1
    numbers.append(lastNumber)
    return lastNumber
  }

  mutating func remove(_ number: Int) { numbers.removeAll { $0 == number } }

  /// Whether an owner is left that was added before an owner.
  func hasOlder(than number: Int) -> Bool { numbers.contains { $0 < number } }

  /// Returns the report of the newest owner, once.
  mutating func takeReport() -> Diagnostic? {
    guard awaitsReport else { return nil }
    hasReported = true
    return diagnostic
  }
}
