public import Spatial3D

/// The measured levels of a bus, for as long as the object lives.
///
/// A meter measures what is heard: the sum of the bus, behind its inserts and its fader. The meter of the main bus
/// measures behind the limiter of the mixer too. Each meter measures on its own from its making on, and takes about
/// 0.5 % of a processor core.
///
/// A world that does not process its mix measures nothing: see ``AudioWorld/init(processing:voiceLimit:)``.
///
/// ```swift
/// let meter = mixer.main.meter()
/// if let integrated = meter.loudness.integrated {
///   print("\(integrated) LUFS, peak \(meter.loudness.truePeak)")
/// }
/// ```
///
/// FMOD: `DSP::setMeteringEnabled`. Wwise: Meter effect. AVAudioEngine: a tap and a sum of one's own.
public final class BusMeter: Sendable {
  /// The bus that is measured.
  public let bus: Bus

  private let strip: BusStrip?
  private let box: MeterBox?

  init(bus: Bus, _ strip: BusStrip?, box: MeterBox?) {
    (self.bus, self.strip, self.box) = (bus, strip, box)
    if let box { strip?.add(box) }
  }

  deinit {
    // A forked child lacks the thread that may hold the lock of the strip.
    guard let box, !bus.world.context.isInherited else { return }
    strip?.remove(box)
  }

  /// The levels of each channel of the mix; empty where nothing is measured.
  public var channels: [ChannelLevel] { box?.channels ?? [] }

  /// The loudness and the peaks.
  ///
  /// The integrated loudness and the range take 0.1 ms.
  public var loudness: LoudnessReading {
    box?.loudness
      ?? LoudnessReading(
        momentary: nil,
        shortTerm: nil,
        integrated: nil,
        range: nil,
        samplePeak: .silence,
        truePeak: .silence
      )
  }

  /// The present change of the level by each of the ``Bus/inserts``; 0 dB for an insert without dynamics.
  ///
  /// During a crossfade to another list they are the changes by the former list.
  public var reductions: [Decibels] {
    let count = bus.inserts.count
    return box == nil ? Array(repeating: 0, count: count) : strip?.reductions(ofFirst: count) ?? []
  }

  /// Begins the integrated loudness, its range and the highest peaks anew.
  public func reset() { box?.resetIntegration() }
}
