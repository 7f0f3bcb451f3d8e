import Foundation
import FuzzSupport
import Spatial3D
import Synchronization

/// A few hundred steps on fresh objects, which a seed repeats.
struct Round {
  let seed: UInt64
  let mode: Mode
  let output: Output
  let run: Run

  func play(number: Int) throws {
    var values = Values(random: SplitMix64(mixing: seed, 0xA0D10), options: run.options)
    let drawn = values.int(100...1_500)
    let stepCount = run.options.steps ?? drawn
    run.begin(
      round: "--rounds 1 --mode \(mode.rawValue) --output \(output.rawValue) --seed \(seed) --steps \(stepCount)",
      number: number
    )
    let operations = Lottery(Operation.all(for: run.options))
    let waits = Waits()
    weak var remembered: AudioContext?
    do {
      let renderer = output == .offline ? makeRenderer(&values) : nil
      let world = World(
        seed: seed,
        mode: mode,
        output: output,
        renderer: renderer,
        run: run,
        operations: operations,
        waits: waits
      )
      let context = try renderer?.context ?? makeContext(&values)
      remembered = context
      let stranger = try OfflineRenderer(format: .mono(sampleRate: 48_000)).context
      for context in [context, stranger] { context.onDiagnostic = { [run] in run.take($0) } }
      world.contexts.put(context, at: 0)
      world.strangers.put(stranger, at: 0)
      switch mode {
      case .model: perform(0..<stepCount, lane: 0, in: world)
      case .laws: performTogether(stepCount, in: world)
      }
      end(world)
    }
    wait("waits that do not end") { waits.pendingCount == 0 }
    waits.removeAll()
    // A thread of the engine, or a handler, may have the last reference.
    wait("the context's end") { remembered == nil }
  }

  /// A renderer of a random format, or in stereo where the library refuses that format.
  private func makeRenderer(_ values: inout Values) -> Renderer {
    let layouts: [ChannelLayout] = [
      .mono, .stereo, .stereo, .quad, .surround51, .surround61, .surround71, .ambisonic(order: 1),
      .ambisonic(order: 2), .ambisonic(order: 3),
    ]
    let format = PCMFormat(
      sampleRate: values.element(of: values.mixRates + [48_000, 48_000, 44_100, 48_001, 191_999]),
      layout: values.element(of: layouts)
    )
    var settings = values.settings()
    // OpenAL Soft 1.25 takes seconds to resample HRTF data to an unusual rate.
    settings.hrtf = Values.rates.contains(format.sampleRate) ? values.element(of: [.automatic, .off, .on]) : .off
    run.log.begin("renderer of \(format) with \(settings)", on: 0)
    defer { run.log.end(on: 0) }
    do throws(AudioError) {
      return Renderer(try OfflineRenderer(format: format, settings: settings))
    } catch {
      run.require(
        [.formatUnsupported, .contextUnavailable, .hrtfUnavailable].contains(error.code),
        "no renderer of \(format): \(error)"
      )
    }
    do throws(AudioError) {
      return Renderer(try OfflineRenderer(format: .stereo(sampleRate: 48_000)))
    } catch {
      run.fail("no renderer in stereo: \(error)")
    }
  }

  private func makeContext(_ values: inout Values) throws -> AudioContext {
    let device = output == .silent ? try AudioDevice.silent : try AudioDevice()
    var settings = values.chance(0.5) ? OutputSettings() : values.settings(for: device)
    if case .named = settings.hrtf { settings.hrtf = .on }
    run.log.begin("context on \(output.rawValue) with \(settings)", on: 0)
    defer { run.log.end(on: 0) }
    return try AudioContext(device: device, settings: settings)
  }

  /// Performs the steps of one thread.
  func perform(_ steps: Range<Int>, lane: Int, in world: World) {
    for step in steps where run.options.allows(step: step) {
      var caller = world.caller(lane: lane, step: step)
      caller.operate()
    }
  }
}
