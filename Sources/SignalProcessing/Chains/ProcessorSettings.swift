internal import PCM

/// The settings of a processor of any kind.
///
/// All of them are cheap to compare: an impulse response and a processor of the program are objects that are prepared
/// elsewhere, and are equal to themselves alone.
package enum ProcessorSettings: Hashable, Sendable {
  case equalizer(FilterCascade.Settings)
  case compressor(Compressor.Settings)
  case gate(Gate.Settings)
  case limiter(LookAheadLimiter.Settings)
  case leveler(Leveler.Settings)
  case convolution(PartitionedConvolver.Settings)
  case distortion(Distortion.Settings)
  case bitCrusher(BitCrusher.Settings)
  case delay(FeedbackDelay.Settings)
  case modulatedDelay(ModulatedDelay.Settings)
  case stereoWidth(StereoWidth.Settings)
  case custom(CustomProcessor)

  /// Whether the processor uses a key.
  var hasKey: Bool {
    switch self {
    case .compressor, .gate: true
    default: false
    }
  }

  /// A processor with the settings; a key has `keyChannelCount` channels.
  func makeProcessor(format: PCMFormat, keyChannelCount: Int) -> any RunningProcessor {
    let (count, rate) = (format.channelCount, format.sampleRate)
    switch self {
    case .equalizer(let settings):
      return ProcessorBox(FilterCascade(settings, channelCount: count, sampleRate: rate), self) { $0.equalizer }
    case .compressor(let settings):
      let compressor = Compressor(
        settings,
        channelCount: count,
        keyChannelCount: keyChannelCount,
        sampleRate: rate
      )
      return ProcessorBox(compressor, self) { $0.compressor }
    case .gate(let settings):
      let gate = Gate(settings, channelCount: count, keyChannelCount: keyChannelCount, sampleRate: rate)
      return ProcessorBox(gate, self) { $0.gate }
    case .limiter(let settings):
      return ProcessorBox(LookAheadLimiter(settings, channelCount: count, sampleRate: rate), self) { $0.limiter }
    case .leveler(let settings): return ProcessorBox(Leveler(settings, format: format), self) { $0.leveler }
    case .convolution(let settings):
      return ProcessorBox(PartitionedConvolver(settings, channelCount: count), self) { $0.convolution }
    case .distortion(let settings):
      return ProcessorBox(Distortion(settings, channelCount: count, sampleRate: rate), self) { $0.distortion }
    case .bitCrusher(let settings):
      return ProcessorBox(BitCrusher(settings, channelCount: count, sampleRate: rate), self) { $0.bitCrusher }
    case .delay(let settings):
      let longest = max(settings.limited().time, 2)
      let delay = FeedbackDelay(settings, longest: longest, channelCount: count, sampleRate: rate)
      return ProcessorBox(delay, self) { $0.delay }
    case .modulatedDelay(let settings):
      return ProcessorBox(ModulatedDelay(settings, channelCount: count, sampleRate: rate), self) { $0.modulatedDelay }
    case .stereoWidth(let settings):
      return ProcessorBox(StereoWidth(settings, channelCount: count), self) { $0.stereoWidth }
    case .custom(let processor): return CustomBox(processor, format: format)
    }
  }
}

/// The settings of one kind; `nil` for another kind.
extension ProcessorSettings {
  fileprivate var equalizer: FilterCascade.Settings? { if case .equalizer(let value) = self { value } else { nil } }
  fileprivate var compressor: Compressor.Settings? { if case .compressor(let value) = self { value } else { nil } }
  fileprivate var gate: Gate.Settings? { if case .gate(let value) = self { value } else { nil } }
  fileprivate var limiter: LookAheadLimiter.Settings? { if case .limiter(let value) = self { value } else { nil } }
  fileprivate var leveler: Leveler.Settings? { if case .leveler(let value) = self { value } else { nil } }
  fileprivate var convolution: PartitionedConvolver.Settings? {
    if case .convolution(let value) = self { value } else { nil }
  }
  fileprivate var distortion: Distortion.Settings? { if case .distortion(let value) = self { value } else { nil } }
  fileprivate var bitCrusher: BitCrusher.Settings? { if case .bitCrusher(let value) = self { value } else { nil } }
  fileprivate var delay: FeedbackDelay.Settings? { if case .delay(let value) = self { value } else { nil } }
  fileprivate var modulatedDelay: ModulatedDelay.Settings? {
    if case .modulatedDelay(let value) = self { value } else { nil }
  }
  fileprivate var stereoWidth: StereoWidth.Settings? { if case .stereoWidth(let value) = self { value } else { nil } }
}
