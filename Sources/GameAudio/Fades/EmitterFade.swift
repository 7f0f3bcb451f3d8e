internal import Spatial3D

/// The fades of emitters and players.
typealias EmitterFades = FadeTable<EmitterFade.Key, Gain, EmitterFade.Completion>

/// A gain of an emitter or a player that a fade moves.
enum EmitterFade {
  /// The kinds of gains.
  enum Kind: Hashable, Sendable { case gain, level, send(ObjectIdentifier) }

  /// A gain of one emitter has one fade.
  struct Key: Hashable, Sendable {
    let slot: EmitterSlot
    let kind: Kind
  }

  /// The change at the end.
  enum Completion: Sendable { case none, end, pause, removeSend }
}
