import Foundation
import Spatial3D
import Spatial3DTesting
import Testing

/// Contexts with a mixer on a thread of its own, as with a sound card.
///
/// `make test` provides a driver that needs no card.
@Suite(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"))
struct LiveDeviceTests {
  @Test func `The default output is one of the outputs`() throws {
    let device = try AudioDevice()
    #expect(AudioDevice.outputNames.contains(device.name))
    #expect(try AudioDevice(named: device.name).name == device.name)
    #expect(AudioDevice.defaultOutputName != nil)
  }

  @Test func `Contexts on one device share its buffers`() throws {
    let device = try AudioDevice()
    let first = try AudioContext(device: device)
    let second = try AudioContext(device: device)
    let noise = TestSignal.noise(duration: .seconds(10), format: Scenes.mono)
    var buffer: SoundBuffer? = try SoundBuffer(noise, in: first)
    let source = try buffer.map { try SoundSource(playing: $0, in: second) }
    buffer = nil
    source?.play()
    #expect(source?.state == .playing)
    #expect(source?.buffers[0].frameCount == noise.frameCount)
  }

  @Test func `Eight contexts come and go on eight threads while their mixers run`() {
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      do {
        for _ in 0..<5 {
          let context = try AudioContext()
          let sources = try (0..<16).map { index in try Scenes.noise(in: context, at: [Float(index), 0, 0]) }
          for frame in 0..<200 {
            context.withDeferredUpdates {
              context.listener.position.x = Float(frame)
              for source in sources { source.position.z = Float(frame) }
            }
            sources[frame % 16].play()
          }
          for source in sources {
            #expect(source.state == .playing)
            #expect(source.position.z == 199)
          }
        }
      } catch {
        Issue.record(error)
      }
    }
  }
}
