import Foundation
import Spatial3D
import Spatial3DTesting

/// Measures the processor time of a silent device, in per cent of one core.
///
/// It is the time of this process over seconds without any call.
@main
struct Silence {
  static func main() async throws {
    let nothing = try await share()
    print(String(format: "no context:                  %5.2f %%", nothing))
    let context = try AudioContext(device: .silent)
    print(String(format: "a context without a source:  %5.2f %%", try await share()))
    let pcm = TestSignal.noise(duration: .seconds(2), format: .mono(sampleRate: 48_000))
    let buffer = try SoundBuffer(pcm, in: context)
    let sources = try (0..<64).map { index in
      let source = try SoundSource(playing: buffer, in: context)
      source.position = [Float(index) - 32, 0, -5]
      source.isLooping = true
      return source
    }
    context.play(sources)
    print(String(format: "64 sources play:             %5.2f %%", try await share()))
    let tokens = sources.map { $0.observe(.all) { _ in } }
    print(String(format: "and all of them observed:    %5.2f %%", try await share()))
    context.suspend()
    print(String(format: "the same, frozen:            %5.2f %%", try await share()))
    withExtendedLifetime(tokens) {}
  }

  private static func share() async throws -> Double {
    try await Task.sleep(for: .milliseconds(500))
    let (clock, before) = (ContinuousClock.now, try processorTime())
    try await Task.sleep(for: .seconds(5))
    return (try processorTime() - before) / ((ContinuousClock.now - clock) / .seconds(1)) * 100
  }

  /// The processor time of all threads of this process, in seconds.
  private static func processorTime() throws -> Double {
    var used = timespec()
    // The structure is local, and filled in before the call returns.
    guard unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0 else { throw CocoaError(.featureUnsupported) }
    return Double(used.tv_sec) + Double(used.tv_nsec) / 1e9
  }
}
