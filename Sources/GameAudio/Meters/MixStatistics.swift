/// The cost and the health of a processed mix.
///
/// FMOD: `System::getCPUUsage`. Wwise: the profiler's performance monitor.
public struct MixStatistics: Hashable, Sendable, Codable {
  /// The share of the time of a block that its rendering takes: the average of about one second.
  ///
  /// It contains the closures of ticks, the processors of the game, and all waits. 0 offline, and in a plain world.
  public let load: Double

  /// The largest load of a block since the last reading; above 1 the block took longer than it plays.
  public let peakLoad: Double

  /// The number of gaps of the output so far, because the mix was late.
  public let underruns: Int

  /// The time that the mix is rendered ahead of the output, as `AudioDevice.addedLatency`.
  public let addedLatency: Duration

  /// The time by which the inserts of all buses, the limiter and other stages delay the sound.
  public let stageLatency: Duration
}
