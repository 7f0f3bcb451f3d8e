internal import Spatial3D

/// A player of a world: the sounds in its line, and those who wait for its events.
struct DeckRecord: Sendable {
  /// The `Deck` with the line of sounds; `nil` for a record that is free.
  var deck: Deck?
  /// The key under which the table of sounds has `Deck.loaded` of the player.
  let key: LoadKey
  var observers = Observers<PlayerEvent>()
  /// The tasks that wait for the end, with its reason: a stop posts no event of the player.
  var ends = Observers<EmitterEvent>()
  /// The tasks that wait for the player to be prepared.
  var waiting: [CheckedContinuation<Void, Never>] = []
}
