import AudioSupport
import Spatial3DTesting
import Synchronization
import Testing

@testable import Spatial3D

/// The requests of a context to its library, at the limits of each argument.
@Suite struct LibraryHandleTests {
  @Test func `Effects are limited for the lower of the present and the coming rate`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let (handle, device) = (offline.context.handle, offline.context.device.handle)
    #expect(handle.effectRate == 48_000 && handle.effectLimits.rate == 48_000)
    device.pendingRate.store(11_025, ordering: .sequentiallyConsistent)
    #expect(handle.effectRate == 11_025 && handle.effectLimits.rate == 11_025)
    device.pendingRate.store(96_000, ordering: .sequentiallyConsistent)
    #expect(handle.effectRate == 48_000)
  }

  @Test func `A layout has its order up to the third, and only ambisonic ones have one`() {
    #expect((1...3).map { ChannelLayout.ambisonic(order: $0).ambisonicOrder } == [1, 2, 3])
    for layout in [ChannelLayout.mono, .stereo, .surround71, .discrete(4)] { #expect(layout.ambisonicOrder == nil) }
    #expect(ChannelLayout.loudspeakers == [.mono, .stereo, .quad, .surround51, .surround61, .surround71])
  }

  @Test func `A silent device has the loudspeakers of what was asked, or of stereo`() throws {
    let silent = try AudioContext(device: .silent)
    #expect(silent.handle.refreshRate == 50 && silent.output.refreshRate == 50)
    #expect(silent.handle.loudspeakers(ofSilentDevice: .quad) == Loudspeakers(of: .quad))
    let offline = try OfflineRenderer(format: Scenes.mono)
    #expect(offline.context.handle.loudspeakers(ofSilentDevice: .quad) == Loudspeakers(of: .mono))
    #expect(offline.context.output.layout == .mono && offline.context.output.sampleRate == 48_000)
  }

  @Test func `Each index of a resampler is one of the library's, and others are none`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let handle = offline.context.handle
    let all = handle.resamplers
    #expect(all == offline.context.resamplers)
    for (index, resampler) in all.enumerated() { #expect(handle.resampler(at: Int32(index)) == resampler) }
    #expect(Set(all.map(\.name)).count == all.count)
    for index in [-1, Int32(all.count), .max] { #expect(handle.resampler(at: index) == nil) }
    if !all.isEmpty { #expect((0..<Int32(all.count)).contains(handle.defaultResampler)) }
  }

  @Test func `A muted library has no gain, whatever is set meanwhile, and has all gains afterwards`() throws {
    let offline = try OfflineRenderer(format: Rooms.mono)
    let context = offline.context
    let unit = try EffectUnit(.equalizer(.init()), gain: 0.5, in: context)
    context.listener.gain = 0.25
    let slotGain = { context.handle.volume.withLock { $0.slotGains[unit.slot] } }
    #expect(context.libraryListener.gain == 0.25 && slotGain() == 0.5)
    context.suspend(.mute)
    #expect(context.libraryListener.gain == 0 && context.listener.gain == 0.25)
    context.listener = Listener(position: [1, 2, 3], gain: 2)
    unit.gain = 0.75
    #expect(context.libraryListener == Listener(position: [1, 2, 3], gain: 0))
    context.suspend(.mute, for: .background)
    context.resume()
    #expect(context.libraryListener.gain == 0)
    context.resume(from: .background)
    #expect(context.libraryListener == Listener(position: [1, 2, 3], gain: 2) && slotGain() == 0.75)
  }

  @Test func `A refusal of the library is an error with the operation and the library's code`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let handle = offline.context.handle
    let source = try SoundSource(in: offline.context)
    // The library has no buffer of this number.
    let queued = #expect(throws: AudioError.self) { try handle.queue([.max], on: source.id) }
    #expect(queued?.code == .refusedByLibrary && queued?.underlying?.code == 0xA001)
    #expect(queued?.operation == "queue buffers" && queued?.message == "the library would not take 1 buffers.")
    #expect(queued?.description == "Could not queue buffers: the library would not take 1 buffers.")
    #expect(source.buffers.isEmpty)
    // An offline device refuses a context without a format.
    let created = #expect(throws: AudioError.self) {
      try ContextHandle(
        on: offline.context.device.handle,
        named: "offline",
        settings: OutputSettings(),
        leastSendLimit: 0,
        presentRate: 0,
        offlineFormat: nil
      )
    }
    #expect(created?.code == .contextUnavailable && created?.operation == "create an audio context")
    #expect(created?.message == "the device \"offline\" refused. Drop other contexts of it.")
  }

  @Test func `A long name of an output is cut after 100 characters`() {
    for length in [99, 100, 101, 5_000] {
      let name = String(repeating: "é", count: length)
      do throws(AudioError) {
        _ = try AudioDevice(named: name)
        Issue.record("There is such an output")
      } catch {
        let shown = length > 100 ? "\(name.prefix(100))…" : name
        #expect("\(error)".hasPrefix("Could not open an audio device: there is no output named \"\(shown)\". "))
      }
    }
  }

  @Test func `A sample may be a million, and no more`() throws {
    for (samples, index) in [
      ([], nil), ([1e6, -1e6, 0], nil), ([0, 1_000_000.1], 1), ([0, 0, -1_000_000.1], 2), ([.nan, 0], 0),
      ([0, .infinity], 1),
      ([-.infinity, .nan], 0),
    ] as [([Float], Int?)] {
      #expect(SampleCheck.firstUnusable(in: samples)?.index == index)
    }
    #expect(SampleCheck.firstUnusable(in: [Int16.min, .max]) == nil)
  }

  @Test func `A sound has a rate, a length and a loop that the library can play`() throws {
    func sound(_ rate: Int, _ frames: Int, _ loop: Range<Int>?) throws -> SoundDescription<Int16> {
      try SoundDescription<Int16>(format: .stereo(sampleRate: rate), frameCount: frames, loopRange: loop)
    }
    func code(_ rate: Int, _ frames: Int, _ loop: Range<Int>?) -> AudioError.Code? {
      do { _ = try sound(rate, frames, loop) } catch { return (error as? AudioError)?.code }
      return nil
    }
    for rate in [1_000, 768_000] { #expect(code(rate, 5, nil) == nil) }
    for rate in [999, 768_001] { #expect(code(rate, 5, nil) == .formatUnsupported) }
    let limit = Int(Int32.max) / 4
    #expect(SoundDescription<Int16>.frameLimit(Scenes.stereo) == limit)
    #expect(SoundDescription<Float>.frameLimit(Scenes.stereo) == limit / 2)
    #expect(code(48_000, limit, nil) == nil && code(48_000, limit + 1, nil) == .bufferTooLarge)
    for loop in [0..<10, 3..<7, 9..<10, 0..<1] { #expect(code(48_000, 10, loop) == nil) }
    for loop in [0..<11, 10..<11, -1..<5, 3..<3, 0..<0, 10..<10] {
      #expect(code(48_000, 10, loop) == .invalidLoopRange)
    }
    let whole = try sound(48_000, 10, nil)
    #expect(whole.loopRange == 0..<10 && whole.isWholeLoop && whole.byteCount == 40 && whole.frameCount == 10)
    for loop in [1..<10, 0..<9] { #expect(try !sound(48_000, 10, loop).isWholeLoop) }
    #expect(try sound(48_000, 10, 0..<10).isWholeLoop && sound(48_000, 0, nil).loopRange == 0..<0)
  }
}
