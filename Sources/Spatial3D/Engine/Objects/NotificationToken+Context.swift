extension NotificationToken {
  /// A token of an observation of a context, or of an object that belongs to one.
  ///
  /// The closure runs once, when the token is cancelled or released. It receives the context, `nil` after its end.
  /// While the context lives, it does not run in a forked child, which lacks the threads that may hold the context's
  /// lock.
  package convenience init(in context: AudioContext, onCancel end: @escaping @Sendable (AudioContext?) -> Void) {
    self.init { [weak context] in
      // One read: the context may end between two.
      let living = context
      if let living, living.handle.isInherited { return }
      end(living)
    }
  }
}
