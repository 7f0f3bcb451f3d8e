internal import Spatial3D

/// A player of a world: its playlist, and the observers and tasks that wait for it.
struct PlayerRecord: Sendable {
  /// The playlist; `nil` for a record that is free.
  var playlist: Playlist?
  var observers = Observers<PlayerEvent>()
  /// The tasks that wait for the end, with its reason: a stop posts no event of the player.
  var ends = Observers<EmitterEvent>()
  /// The tasks that wait for the player to be prepared.
  var waiting: [CheckedContinuation<Void, Never>] = []
}
