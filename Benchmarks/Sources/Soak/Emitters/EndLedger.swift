import GameAudio
import Synchronization

/// The plays of all emitters and the ends that were reported for them, from several threads.
///
/// An account is closed as soon as its emitter is released and each play has ended once.
final class EndLedger: Sendable {
  private struct Account {
    var plays = 0
    /// The ends in the events of the world, and those that the emitter's own handler received.
    var ends = 0
    var observedEnds = 0
    var isReleased = false
    /// Keeps the handler of an emitter that has one.
    var token: NotificationToken?

    var isBalanced: Bool { plays == ends && (token == nil || plays == observedEnds) }
  }

  private struct Books {
    var accounts: [Emitter.ID: Account] = [:]
    var plays = 0

    /// Changes an account, and closes it if nothing is open; returns the token of a closed one.
    mutating func change(_ emitter: Emitter.ID, _ body: (inout Account) -> Void) -> NotificationToken? {
      var account = accounts[emitter] ?? Account()
      body(&account)
      let isClosed = account.isReleased && account.isBalanced
      accounts[emitter] = isClosed ? nil : account
      return isClosed ? account.token : nil
    }
  }

  private let books = Mutex(Books())

  /// The number of plays so far.
  var plays: Int { books.withLock { $0.plays } }

  /// The number of accounts whose plays and ends differ.
  var unbalanced: Int { books.withLock { $0.accounts.values.count { !$0.isBalanced } } }

  /// The first accounts whose plays and ends differ, in words.
  var differences: [String] {
    books.withLock { books in
      books.accounts.filter { !$0.value.isBalanced }.prefix(5).map { emitter, account in
        let observed = account.token == nil ? "" : ", \(account.observedEnds) of them observed"
        return "\(emitter): \(account.plays) plays, \(account.ends) ends\(observed)"
      }
    }
  }

  func observe(_ emitter: Emitter) {
    let id = emitter.id
    let token = emitter.observe { [weak self] event in
      if case .ended = event { self?.change(id) { $0.observedEnds += 1 } }
    }
    change(id) { $0.token = token }
  }

  func notePlay(of emitter: Emitter.ID, isReleased: Bool = false) {
    books.withLock { $0.plays += 1 }
    change(emitter) { account in
      account.plays += 1
      account.isReleased = account.isReleased || isReleased
    }
  }

  func noteRelease(of emitter: Emitter.ID) { change(emitter) { $0.isReleased = true } }

  func note(_ events: [EmitterNotification]) {
    for notification in events {
      if case .ended = notification.event { change(notification.emitter) { $0.ends += 1 } }
    }
  }

  private func change(_ emitter: Emitter.ID, _ body: (inout Account) -> Void) {
    // The token is released without the lock.
    let token = books.withLock { $0.change(emitter, body) }
    withExtendedLifetime(token) {}
  }
}
