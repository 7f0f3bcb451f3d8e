// The calls that begin and end fades.

extension ContextState {
  /// Fades a source out, and then performs a verb on it; at once where it does not play.
  mutating func fade(_ source: SoundSource, over duration: Int64, then verb: ContextHandle.Verb) {
    guard duration > 0, records[source.key].isSounding(in: scene, by: handle) else {
      return performExactly(verb, source)
    }
    let from = records[source.key].scene.fadeGain
    let fade = SourceFade(from: from, to: 0, begin: handle.clock, duration: duration, then: verb)
    fades.begin(fade, of: source, in: &records, scene, of: device, by: handle)
  }

  /// Plays a source, and fades it in.
  ///
  /// A source that fades out ahead of a pause goes on.
  mutating func play(_ source: SoundSource, fadingInOver duration: Int64) {
    guard duration > 0 else { return performExactly(.play, source) }
    let key = source.key
    let goesOn = fades[key]?.call == .pause && records[key].isSounding(in: scene, by: handle)
    if !goesOn {
      if let fade = fades[key], fade.call != nil { end(fade, of: source) }
      fades.remove(key)
      records.setFadeGain(0, of: [key], in: scene, by: handle)
      perform(.play, source)
    }
    let start = records[key].start.time?.inNanoseconds ?? 0
    let from = records[key].scene.fadeGain
    let fade = SourceFade(from: from, to: 1, begin: max(handle.clock, start), duration: duration)
    fades.begin(fade, of: source, in: &records, scene, of: device, by: handle)
  }

  /// Performs a verb without the short fade of a library that cuts: exact to the sample there.
  private mutating func performExactly(_ verb: ContextHandle.Verb, _ source: SoundSource) {
    shortFades.endings.isOff = true
    perform(verb, source)
    shortFades.endings.isOff = false
  }

  /// Ends the fades of sources and performs another call for them: a source that fades out stops or pauses at once.
  ///
  /// A source that fades in has its full gain after the call. Before it, a mix in between would play it that loud.
  mutating func endingFades(of sources: [SoundSource], _ body: (inout ContextState) -> Void) {
    var fadingIn: [SourceKey] = []
    if !fades.isEmpty {
      for source in sources {
        guard let fade = fades[source.key] else { continue }
        if fade.call == nil {
          fadingIn.append(source.key)
          fades.remove(source.key)
        } else {
          end(fade, of: source)
        }
      }
    }
    body(&self)
    if !fadingIn.isEmpty { records.setFadeGain(1, of: fadingIn, in: scene, by: handle) }
  }

  /// Ends a fade that a source still has, with its call.
  mutating func end(_ fade: SourceFade, of source: SoundSource) {
    guard fades[source.key] == fade else { return }
    fades.remove(source.key)
    if let verb = fade.call { perform(verb, source) }
    records.setFadeGain(1, of: [source.key], in: scene, by: handle)
  }
}
