import GameAudio
import Spatial3DTesting

extension Sound {
  /// A tone of 400 Hz, with one channel at 48 kHz.
  static func tone(_ length: Duration) -> Sound {
    Sound(TestSignal.sine(frequency: 400, duration: length, format: .mono(sampleRate: 48_000)))
  }
}
