import Foundation
import Spatial3DTesting
import Testing

@testable import Spatial3D

@Suite struct TogetherTests {
  @Test(arguments: [[], DisabledFeatures(stopFades: true)])
  func `Sources that are played together start at the same frame, whatever the mixer does`(
    disabled: DisabledFeatures
  ) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let context = offline.context
    let noise = TestSignal.noise(duration: .milliseconds(20), format: Scenes.mono, amplitude: 0.5)
    let opposite = try PCMBuffer(samples: noise.samples.map { -$0 }, format: Scenes.mono)
    let buffers = try [SoundBuffer(noise, in: context), SoundBuffer(opposite, in: context)]
    let pair = try buffers.map { try SoundSource(playing: $0, in: context) }
    for source in pair { source.isListenerRelative = true }

    let (isDone, isApart) = (Flag(), Flag())
    let thread = Thread {
      for _ in 0..<2_000 {
        context.play(pair)
        context.stop(pair)
        context.play(pair)
        context.pause(pair)
        if pair[0].playbackFrame != pair[1].playbackFrame { isApart.raise() }
        context.play(pair)
        context.rewind(pair)
      }
      isDone.raise()
    }
    thread.start()
    // The two sounds are opposites: together they are silent as long as neither is a frame ahead.
    var (mixes, loud) = (0, 0)
    var mix = PCMBuffer<Float>(format: offline.format)
    while !isDone.isRaised {
      offline.render(into: &mix, frameCount: 16)
      mixes += 1
      if mix.peak > -60 { loud += 1 }
    }
    #expect(mixes > 10)
    #expect(loud == 0 && !isApart.isRaised)
  }

  @Test func `Sixty-four sources that are played together are 64 times as loud as one, sample for sample`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let noise = TestSignal.noise(duration: .milliseconds(50), format: Scenes.mono, amplitude: 0.01)
    let buffer = try SoundBuffer(noise, in: offline.context)
    let sources = try (0..<64).map { _ in try SoundSource(playing: buffer, in: offline.context) }
    offline.context.play([sources[0]])
    let one = offline.render(frameCount: 2_048).samples
    offline.context.rewind(sources)
    _ = offline.render(frameCount: 2_048)
    offline.context.play(sources)
    for (single, all) in zip(one, offline.render(frameCount: 2_048).samples) {
      #expect(abs(all - 64 * single) < 1e-4)
    }
    #expect(sources.allSatisfy { $0.state == .playing })
    offline.context.pause(sources)
    #expect(sources.allSatisfy { $0.state == .paused })
    offline.context.stop(sources)
    #expect(sources.allSatisfy { $0.state == .stopped })
    offline.context.rewind(sources)
    #expect(sources.allSatisfy { $0.state == .initial })
  }

  @Test func `A group call leaves out sources of another context and reports that once`() throws {
    let here = try OfflineRenderer(format: Scenes.mono)
    let there = try OfflineRenderer(format: Scenes.mono)
    let diagnostics = DiagnosticLog()
    here.context.onDiagnostic = { diagnostics.add($0) }
    there.context.onDiagnostic = { _ in Issue.record("the other context reports") }
    let other = try SoundSource(playing: Scenes.silence(frames: 100, in: there.context), in: there.context)
    other.position = [0, 5, 0]
    let own = try SoundSource(playing: Scenes.silence(frames: 100, in: here.context), in: here.context)
    here.context.play([])
    here.context.play([own])
    #expect(diagnostics.codes.isEmpty)
    here.context.play([other, own, other])
    #expect(other.state == .initial)
    #expect(own.state == .playing)
    other.play()
    here.context.pause([other])
    here.context.stop([other])
    here.context.rewind([other])
    here.context.play([other], at: .seconds(1))
    #expect(other.state == .playing)
    #expect(diagnostics.codes == [.sourceLeftOut])
    #expect(diagnostics.messages[0].contains("left out 2 sources, the first of them a source of mono at 48000 Hz"))
    #expect(diagnostics.messages[0].contains("at [0.0, 5.0, 0.0]"))
  }
}
