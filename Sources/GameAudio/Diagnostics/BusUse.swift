/// A call or a property that takes a bus of its own world.
enum BusUse: String, Sendable {
  case emitter = "Emitter(playing:in:on:)"
  case playOnce = "AudioWorld.playOnce(_:at:gain:on:)"
  case bank = "SoundBank.play(_:at:gain:repeats:on:)"
  case player = "SoundPlayer(playing:in:on:)"
  case busOfEmitter = "Emitter.bus"
  case busOfPlayer = "SoundPlayer.bus"
  case parent = "Mixer.makeBus(_:in:kind:)"
  case duck = "Bus.duck(under:_:)"

  /// The result with a bus of another world, in words.
  var result: String {
    switch self {
    case .emitter, .playOnce, .bank, .player: "the sound plays on the main bus"
    case .busOfEmitter, .busOfPlayer: "the bus stays as it was"
    case .parent: "the parent is left out"
    case .duck: "nothing is lowered"
    }
  }
}
