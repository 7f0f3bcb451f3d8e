internal import AudioSupport
internal import Spatial3D

extension WorldRecording {
  /// The names of the sounds with which the emitters and players began, by their numbers.
  var soundNames: [Int: String] {
    var names: [Int: String] = [:]
    for emitter in start.emitters { names[emitter.id] = emitter.key ?? emitter.sound }
    for player in start.players { names[player.id] = player.sound }
    log.withCopy { content in
      for entry in content.entries {
        switch entry.happening {
        case .call(.emitter(let subject, .make(let sound, _, _, _))), .call(.player(let subject, .make(let sound, _))):
          names[Int(subject.number)] = sound.key?.name ?? sound.variations[0].name
        default: break
        }
      }
    }
    return names
  }
}
