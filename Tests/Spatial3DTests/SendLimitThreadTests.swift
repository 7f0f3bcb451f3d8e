import TestSupport
import Testing

@testable import Spatial3D

/// Threads that make calls on a device while a context of it raises the number of sends of every source.
@Suite(.hangLimit) struct SendLimitThreadTests {
  @Test func `Sources may be created, played and dropped while contexts request more sends`() throws {
    let device = try AudioDevice.silent
    let context = try AudioContext(device: device, settings: OutputSettings(auxiliarySendLimit: 1))
    let buffer = try Scenes.silence(frames: 480, in: context)
    let unit = try EffectUnit(.compressor, in: context)
    let isOver = Flag()
    let callers = Workers(count: 3) { _ in
      while !isOver.isRaised {
        let sources = (0..<20).compactMap { _ in try? SoundSource(playing: buffer, in: context) }
        for source in sources {
          source.effectSends = [EffectSend(to: unit)]
          source.play()
        }
      }
    }
    defer { isOver.raise() }
    var contexts: [AudioContext] = []
    for limit in 2...16 {
      contexts.append(try AudioContext(device: device, settings: OutputSettings(auxiliarySendLimit: limit)))
    }
    isOver.raise()
    try eventually("the callers have ended") { callers.areDone }
    let limits = contexts.map(\.output.auxiliarySendLimit)
    #expect(limits == limits.sorted())
    #expect(limits.last ?? 0 > 1)
  }
}
