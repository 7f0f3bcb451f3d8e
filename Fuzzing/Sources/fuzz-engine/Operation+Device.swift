import Spatial3D
import Synchronization

/// Devices, and the contexts on them.
extension Operation {
  static let device = [
    Operation("context.make", 2) { hand in
      guard let first = hand.world.contexts[0] else { return }
      let place = hand.values.int(1...hand.world.contexts.count - 1)
      let settings = hand.values.chance(0.5) ? OutputSettings() : hand.values.settings(for: first.device)
      if settings != OutputSettings() { hand.world.mayChangeRate.store(true, ordering: .relaxed) }
      let device = hand.values.chance(0.7) ? first.device : hand.pick(hand.world.devices)?.object ?? first.device
      let context = hand.attempt(
        "context \(place) on \(device.name) with \(settings)",
        mayThrow: .hrtfUnavailable,
        .contextUnavailable
      ) { () throws(AudioError) in
        try AudioContext(device: device, settings: settings)
      }
      let run = hand.run
      context?.onDiagnostic = { run.take($0) }
      if let context { hand.drop("old context \(place)", in: hand.world.contexts, at: place, for: context) }
    },
    Operation("context.drop", 2) { hand in
      let place = hand.values.int(1...hand.world.contexts.count - 1)
      hand.drop("drop context \(place)", in: hand.world.contexts, at: place)
    },
    Operation("device.make", 1) { hand in
      let place = hand.place(in: hand.world.devices)
      let output = hand.world.output
      let device = hand.attempt("device \(place), \(output.rawValue)", mayThrow: .deviceUnavailable) {
        () throws(AudioError) in
        switch output {
        // One whose renderer is gone, so that nothing mixes it.
        case .offline: try OfflineRenderer(format: .mono(sampleRate: 44_100)).context.device
        case .silent: try AudioDevice.silent
        case .null: try AudioDevice()
        }
      }
      if let device { hand.drop("old device \(place)", in: hand.world.devices, at: place, for: device) }
    },
    Operation("device.drop", 1) { hand in
      let place = hand.place(in: hand.world.devices)
      hand.drop("drop device \(place)", in: hand.world.devices, at: place)
    },
    Operation("device.policy", 1) { hand in
      guard let device = hand.context()?.device else { return }
      let (policy, keepsTime) = (hand.values.element(of: DevicePolicy.allCases), hand.values.chance(0.5))
      hand.call("policy = \(policy), keepsTimeWithoutOutput = \(keepsTime)") {
        device.policy = policy
        device.keepsTimeWithoutOutput = keepsTime
      }
      if hand.isExact {
        hand.require(device.policy == policy && device.keepsTimeWithoutOutput == keepsTime, "another policy")
      }
    },
    Operation("device.move", 1) { hand in
      guard let device = hand.context()?.device else { return }
      let name = hand.values.element(of: [nil, "No Output", "nobody's output"])
      hand.attempt("move to \(name ?? "nil")", mayThrow: .deviceUnavailable) { () throws(AudioError) in
        try device.move(to: name)
      }
    },
    Operation("device.read", 1) { hand in
      guard let device = hand.context()?.device else { return }
      hand.call("names of outputs and inputs") {
        _ = (device.name, device.hrtfNames, AudioDevice.outputNames, AudioDevice.defaultOutputName)
        _ = (AudioCapture.inputNames, AudioCapture.defaultInputName)
      }
    },
  ]
}

extension Values {
  /// Settings of an output that ask for some things.
  mutating func settings(for device: AudioDevice? = nil) -> OutputSettings {
    var settings = OutputSettings()
    if chance(0.5) {
      settings.sampleRate = element(of: mixRates + [.max] + (mixRates.contains(11_025) ? [0, -1, 8_000] : []))
    }
    if chance(0.3) { settings.layout = element(of: [.mono, .stereo, .quad, .surround51, .surround61, .surround71]) }
    settings.hrtf = hrtf(device?.hrtfNames ?? [])
    settings.limiter = element(of: [.automatic, .off, .on])
    if chance(0.4) { settings.sourceLimit = element(of: [0, 1, 16, 256, 300, .min]) }
    if chance(0.5) { settings.auxiliarySendLimit = element(of: [0, 1, 2, 3, 4, 6, 16, 100, -1]) }
    return settings
  }

  mutating func hrtf(_ names: [String]) -> OutputSettings.HRTF {
    switch int(0...5) {
    case 0: .on
    case 1 where !names.isEmpty: .named(element(of: names))
    case 2: chance(0.2) ? .named("nobody's head") : .off
    default: .automatic
    }
  }

  static let rates = [11_025, 16_000, 22_050, 44_100, 48_000, 96_000, 192_000]
}
