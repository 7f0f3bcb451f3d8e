internal import AudioSupport
internal import Spatial3D
internal import Synchronization

// Sounds in memory at the rate of the mix, after a change of the output's rate. Until their new samples are made, the
// mixer converts the old samples while they play.

extension AudioWorld {
  /// Makes samples anew for the present rate of the mix, on a thread.
  func renew(_ old: LoadedSound, _ job: SoundTable.Job) {
    let stemContext = self.context(of: job.key.stem)
    let work = LoadQueue.Work(lane: .renewals, name: job.content.name, fileUse: nil) { [weak self, context] in
      // The rate may have changed again since, a bank may have released the samples, and the world may be gone.
      guard old.isStale(at: context.physics.sampleRate),
        self?.withState({ $0.playback.scene.sounds.needsRenewal(old) }) == true
      else { return }
      // A file that is gone or has changed leaves the samples as they are: no game has asked for a reload.
      let sound = try? LoadedSound(job.content, job.key, convertsRate: job.convertsRate, in: stemContext)
      guard let sound, sound.hasSameSource(as: old) else { return }
      self?.act { $0.playback.renew(old, with: sound) }
    }
    loader.perform(work)
  }
}
