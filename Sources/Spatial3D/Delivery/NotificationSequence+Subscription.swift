extension NotificationSequence where Element: Coalescing {
  /// A sequence of the notifications of a subscription, until the token is released.
  package init(_ subscription: Subscription<Element>, token: NotificationToken) {
    self.init(token: token, takeNext: { await subscription.next() }, countLost: { subscription.lostCount })
  }
}
