// MARK: - Processors and meters

extension Bus {
  /// The processors of the sum of the bus, in their order.
  ///
  /// The sum of the sounds of the bus and of the buses inside it passes the inserts, and then the fader: the ``gain``,
  /// a mute, the duckers and the silence beside other audio. A pause and a ``filter`` come before the inserts, so that
  /// the tail of a delay rings out behind a pause. The sum of the main bus is the mix of its device. The sources of
  /// Spatial3D pass its inserts and its fader, too. The sums are aligned: a sound on a bus without inserts is as late
  /// as a sound on a bus with a limiter.
  ///
  /// A new list with the same kinds at the same positions keeps the memory of the processors, and glides to its values.
  /// Between other lists the sound crosses over. Both begin at the next tick and take 10 ms, see ``setInserts(_:_:)``.
  /// A silent bus has another list at once. The first list of an offline world in the midst of
  /// sound moves the gain of the bus from its sounds to the fader, in 0.7 s.
  ///
  /// A bus has up to 16 inserts. It leaves further inserts out, and `AudioContext.onDiagnostic` reports that once.
  ///
  /// The buses of a world that processes its mix have inserts: see ``AudioWorld/init(processing:voiceLimit:)``, and
  /// worlds in an `OfflineRenderer`. Elsewhere the list has no effect, and `AudioContext.onDiagnostic` reports that. It
  /// reports once each number that an insert clamps, too.
  ///
  /// Beside the main bus, up to eight buses have a sum: a bus gets it with its first inserts, meter, tap or recording,
  /// and keeps it. `AudioContext.onDiagnostic` reports a further bus once. The call takes some milliseconds. The sum
  /// takes 3 MB, or 8 MB before OpenAL Soft 1.20, and its samples are copied. Sounds that play move within some ticks,
  /// and cross over in 10 ms. The stream of an emitter moves when the emitter begins again. Effects and zones are made
  /// once more for the sum, so that their tails pass the inserts.
  ///
  /// FMOD: `ChannelControl::addDSP`. Wwise: effect slots of a bus. Godot: `AudioServer.add_bus_effect`.
  public var inserts: [Insert] {
    get { read { $0.inserts ?? [] } }
    nonmutating set { setInserts(newValue, .declick) }
  }

  /// Exchanges the ``inserts``, over the duration of a fade; over 10 ms at least.
  ///
  /// The values of equal kinds glide: gains and thresholds in decibels, frequencies in octaves. Other lists cross over
  /// with linear gains, after the new list has warmed up for its latency and 10 ms. The curve of the fade is for gains
  /// alone. A list that comes during a crossfade waits for its end; of several lists, the newest waits.
  public func setInserts(_ inserts: [Insert], _ fade: Fade) {
    world.perform(.inserts(inserts, fade), ofBus: index)
    check(fade)
    check("inserts.count", inserts.count, in: 0...BusRecord.mostInserts)
    for fault in inserts.faults(sampleRate: world.processingRate) { report(fault) }
    if !inserts.isEmpty { world.reportUnprocessed(self) }
  }

  /// A meter of the bus, which measures while the object lives.
  ///
  /// A world that processes its mix has sums to measure: see ``inserts``. A meter of a bus without a sum has no levels,
  /// and `AudioContext.onDiagnostic` reports that once for each bus: see ``level`` for its predicted level.
  public func meter() -> BusMeter {
    let strip = world.stripToRead(self)
    return BusMeter(bus: self, strip, box: strip.map { MeterBox(format: $0.format) })
  }
}

extension Mixer {
  /// The limiter behind all buses; `nil` for none.
  ///
  /// It comes behind the fader of ``main``, and its look-ahead delays the mix by 1.7 ms.
  /// Default: a ceiling of -1 dB true peak in a world that plays a processed mix on an output, and none offline.
  /// Between a limiter and none, and between look-aheads, the mix crosses over in 10 ms.
  ///
  /// A plain world has none: it reports once that a limiter has no effect.
  public var limiter: Insert.Limiter? {
    get { world.withState { $0.playback.scene.mixer.strip.limiter } }
    nonmutating set {
      world.perform(.limiter(newValue))
      if let newValue { report(newValue, as: "mixer.limiter") }
    }
  }

  /// The loudness to which the level of the whole mix is led, slowly; `nil`, the default, for none.
  ///
  /// It comes behind the inserts of ``main``, and before its fader: it does not work against the gain of the bus.
  ///
  /// A plain world has none: it reports once that a loudness target has no effect.
  public var loudnessTarget: Insert.Leveler? {
    get { world.withState { $0.playback.scene.mixer.strip.loudnessTarget } }
    nonmutating set {
      world.perform(.loudnessTarget(newValue))
      if let newValue { report(newValue, as: "mixer.loudnessTarget") }
    }
  }

  /// The load, the underruns and the latency of a processed mix; zeros in a plain world.
  ///
  /// The peak of the load begins anew with each reading. It takes no lock that the mix waits for longer than some
  /// microseconds.
  public var statistics: MixStatistics {
    let (device, graph) = (world.context.device, world.graph)
    let load = device.takeMixLoad()
    return MixStatistics(
      load: load?.mean ?? 0,
      peakLoad: load?.peak ?? 0,
      underruns: load?.underruns ?? 0,
      addedLatency: device.addedLatency,
      stageLatency: graph.map { $0.main.format.duration(ofFrames: $0.main.delay) } ?? .zero
    )
  }

  /// Reports the numbers that a last stage clamps, and that a plain world has none.
  private func report(_ stage: some InsertSettings, as name: String) {
    for fault in stage.faults(named: { name }, sampleRate: world.processingRate) { main.report(fault) }
    world.reportUnprocessed(main)
  }
}
