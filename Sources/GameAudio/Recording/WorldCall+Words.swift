internal import Spatial3D

// The calls and events of a recording in words.

extension WorldCall {
  /// The number of the emitter or player that the call is about.
  var number: Int? {
    switch self {
    case .emitter(let subject, _), .player(let subject, _), .release(let subject): Int(subject.number)
    default: nil
    }
  }

  /// The call in words; `nil` for a call without words, such as a setting of an emitter.
  func words(buses: [String]) -> String? {
    switch self {
    case .emitter(_, let call): call.words
    case .player(_, let call): call.words
    case .bus(let index, let call):
      call.words(buses: buses).map { "bus \(index.position < buses.count ? buses[index.position] : "?") \($0)" }
    case .makeBus(_, let name, _, _): "bus \(name) is made"
    case .apply(_, let fade): "a snapshot of the mixer is applied\(fade.words)"
    case .seed(let seed): "the seed is \(seed)"
    case .streamLimit(let count): "the limit of streams is \(count)"
    case .rateConversion(true): "sounds in memory get the rate of the mix"
    case .rateConversion(false): "sounds in memory keep their rate"
    case .playTogether(let ids, _): "players \(ids.map { "\($0.number)" }.joined(separator: ", ")) play together"
    case .pausePlayers: "all players pause"
    case .beginInterruption: "an interruption begins"
    case .endInterruption: "an interruption ends"
    case .otherAudio(let isPlaying): isPlaying ? "other audio plays" : "other audio has ended"
    case .limiter(let limiter): limiter.map { "the limiter is at \($0.ceiling.rounded)" } ?? "the mix has no limiter"
    case .loudnessTarget(let leveler):
      leveler.map { "the loudness target is \($0.target.rounded)" } ?? "the mix has no loudness target"
    case .release: "is released"
    case .listeners, .zones, .portals, .wallOcclusion, .rays: nil
    case .move, .listener, .openUpdate, .closeUpdate, .keepSamples: nil
    }
  }
}

extension EmitterCall {
  fileprivate var words: String? {
    switch self {
    case .play(at: nil): "play"
    case .play: "play at a moment"
    case .stop(let fade): "stop\(fade.words)"
    case .pause(let fade): "pause\(fade.words)"
    case .fade(let gain, let fade): "fade to \(gain.decibels.rounded)\(fade.words)"
    case .seek(let time): "move to \((time / .seconds(1) * 1_000).rounded() / 1_000) s"
    default: nil
    }
  }
}

extension PlayerCall {
  fileprivate var words: String? {
    switch self {
    case .play(at: nil): "play"
    case .play: "play at a moment"
    case .pause: "pause"
    case .stop: "stop"
    case .prepare: "prepare"
    case .crossfade(let other, let fade): "crossfade to player \(other.number)\(fade.words)"
    case .fadeOut(let fade): "fade out\(fade.words)"
    case .fadeIn(let fade): "fade in\(fade.words)"
    case .fade(let volume, let fade): "fade to \(volume.decibels.rounded)\(fade.words)"
    case .seek(let time): "move to \((time / .seconds(1) * 1_000).rounded() / 1_000) s"
    case .schedule(let sound, _, _): "schedule \(sound.variations[0].name)"
    default: nil
    }
  }
}

extension BusCall {
  fileprivate func words(buses: [String]) -> String? {
    switch self {
    case .gain(let gain): "gain \(gain.decibels.rounded)"
    case .fade(let gain, let fade): "fades to \(gain.decibels.rounded)\(fade.words)"
    case .pitch(let pitch): "pitch \(pitch)"
    case .filter(let filter): "filter \(filter.low.rounded) low, \(filter.high.rounded) high"
    case .mute(let isMuted): isMuted ? "is muted" : "is not muted any more"
    case .solo(let isSoloed): isSoloed ? "is soloed" : "is not soloed any more"
    case .limit(let limit): limit.map { "is limited to \($0.count)" } ?? "has no limit"
    case .pause(let fade): "is paused\(fade.words)"
    case .resume(let fade): "is resumed\(fade.words)"
    case .send(_, let gain, let fade): "sends \(gain?.decibels.rounded ?? "nothing")\(fade.words)"
    case .duck(let other, let ducking):
      "\(ducking == nil ? "does not duck" : "ducks") under \(other.position < buses.count ? buses[other.position] : "?")"
    case .mutesWithOtherAudio(let mutes): mutes ? "gives way to other audio" : "stays with other audio"
    case .inserts(let inserts, let fade): "has \(inserts.count) inserts\(fade.words)"
    case .process: "has a sum"
    }
  }
}

extension EmitterEvent {
  /// The event in words.
  var words: String {
    switch self {
    case .ended(let reason): "ended: \(reason)"
    case .looped(let count): count == 1 ? "starts over" : "starts over \(count) times"
    case .becameReal: "has a voice"
    case .becameVirtual: "has no voice any more"
    }
  }
}

extension Fade {
  fileprivate var words: String {
    duration > .zero ? " in \((duration / .seconds(1) * 1_000).rounded() / 1_000) s" : " at once"
  }
}
