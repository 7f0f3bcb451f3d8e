internal import AudioSessions
internal import Spatial3D

extension WorldState {
  /// Fades the buses with ``Bus/mutesWithOtherAudio`` out, or in again.
  mutating func setOtherAudio(_ isPlaying: Bool) {
    guard isPlaying != mixer.isOtherAudioPlaying else { return }
    mixer.isOtherAudioPlaying = isPlaying
    for index in mixer.buses.indices where mixer.buses[index].mutesWithOtherAudio { fadeOtherAudio(ofBus: index) }
  }

  mutating func setMutesWithOtherAudio(_ mutes: Bool, ofBus index: BusIndex) {
    guard mutes != mixer.buses[index].mutesWithOtherAudio else { return }
    mixer.buses[index].mutesWithOtherAudio = mutes
    if mixer.isOtherAudioPlaying { fadeOtherAudio(ofBus: index) }
  }

  private mutating func fadeOtherAudio(ofBus index: BusIndex) {
    let isSilent = mixer.isOtherAudioPlaying && mixer.buses[index].mutesWithOtherAudio
    beginFade(ofBus: index, .otherAudio, to: .gain(isSilent ? .silence : .unity), Fade(SessionDirectives.busFade))
  }
}
