import FileDecode
import Spatial3D
import Spatial3DTesting
import Testing

// This file imports products only, as a game does. Code that compiles here also compiles in a game.

@Suite struct ConcurrencyTests {
  private func requireSendable<Value: Sendable & ~Copyable>(_ type: Value.Type) {}

  @Test func `The public types of every module are Sendable`() {
    requireSendable(PCMFormat.self)
    requireSendable(PCMBuffer<Float>.self)
    requireSendable(PCMBuffer<Int16>.self)
    requireSendable(AudioDevice.self)
    requireSendable(AudioContext.self)
    requireSendable(SoundBuffer.self)
    requireSendable(SoundSource.self)
    requireSendable(Listener.self)
    requireSendable(OfflineRenderer.self)
    requireSendable(AudioError.self)
    requireSendable(Diagnostic.self)
    requireSendable(GoldenMix.self)
    requireSendable(GoldenComparison.self)
    requireSendable(MeasurementError.self)
    requireSendable(RendererFingerprint.self)
    requireSendable(Spectrum.self)
  }
}
