internal import AllocationCounter
import GameAudio
import Spatial3DTesting

/// The cost of players, and the memory of a long stream.
enum PlayerRows {
  static func comparisons() -> [Comparison] { [second(), hour()] }

  /// A second of players, against one of sources that stream the same samples.
  ///
  /// The reader costs next to nothing, so that the players' meters, ticks and laps show: a decoder costs more than all
  /// of them. A world renders each tick as a piece of its own offline.
  private static func second() -> Comparison {
    let what = "a second of 16 players, against one of 16 sources that stream: processor time of all threads"
    return Comparison(what, atMost: 2.4) { effort in
      let format = PCMFormat.stereo(sampleRate: 48_000)
      var own = try OfflineRenderer(format: format)
      var other = try OfflineRenderer(format: format)
      let world = AudioWorld(in: own.context)
      let players = try (0..<16).map { _ in
        let ramps = Sound(streaming: "ramps") { Ramps(format: format, seconds: 60) }
        let player = try SoundPlayer(playing: ramps, in: world)
        player.repeats = .forever
        player.play()
        return player
      }
      let sources = try (0..<16).map { _ in
        let source = try SoundSource(streaming: Ramps(format: format, seconds: 60), in: other.context)
        source.isLooping = true
        source.play()
        return source
      }
      var mix = PCMBuffer<Float>(format: format)
      return withExtendedLifetime((players, sources)) {
        Turns.ratios(rounds: effort(full: 15, brief: 5), runs: 5, by: .process) {
          for _ in 0..<50 { own.render(into: &mix, frameCount: 960) }
        } to: {
          for _ in 0..<50 { other.render(into: &mix, frameCount: 960) }
        }
      }
    }
  }

  /// The memory that a player of an hour takes at most, from its creation on, against the samples of a second.
  private static func hour() -> Comparison {
    Comparison("bytes of a player that streams an hour, against a second of its samples", atMost: 3) { effort in
      let format = PCMFormat.mono(sampleRate: 11_025)
      var offline = try OfflineRenderer(format: format)
      var mix = PCMBuffer<Float>(format: format)
      offline.render(into: &mix, frameCount: 11_025)
      let world = AudioWorld(in: offline.context)
      let before = bytes_in_use()
      let ramps = Sound(streaming: "an hour of ramps") { Ramps(format: format, seconds: 3_600) }
      let player = try SoundPlayer(playing: ramps, in: world)
      player.play()
      var most: Int64 = 0
      for _ in 0..<effort(full: 3_599, brief: 600) {
        offline.render(into: &mix, frameCount: 11_025)
        most = max(most, bytes_in_use() - before)
      }
      precondition(player.isPlaying && !mix.isSilent())
      return [Double(most) / (11_025 * 4)]
    }
  }
}

/// A sound that costs nothing to read.
private struct Ramps: PCMReader, Sendable {
  let format: PCMFormat
  let frameCount: Int?
  private var position = 0

  init(format: PCMFormat, seconds: Int) { (self.format, frameCount) = (format, seconds * Int(format.sampleRate)) }

  mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) -> Int {
    let count = min(maxFrames, (frameCount ?? 0) - position)
    position += count
    buffer.removeAll(adopting: format)
    buffer.append(frames: count) { samples in
      for index in 0..<samples.capacity { samples.append(Float(index & 63) / 64 - 0.5) }
    }
    return count
  }

  mutating func seek(toFrame frame: Int) { position = min(max(frame, 0), frameCount ?? 0) }
}
