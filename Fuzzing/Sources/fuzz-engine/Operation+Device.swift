import FuzzSupport
import Spatial3D
import Synchronization

/// Devices, and the contexts on them.
extension Operation {
  static let device = [
    Operation("context.make", 2) { caller in
      guard let first = caller.world.contexts[0] else { return }
      let place = caller.values.int(1...caller.world.contexts.count - 1)
      let settings = caller.values.chance(0.5) ? OutputSettings() : caller.values.settings(for: first.device)
      if settings != OutputSettings() { caller.world.mayChangeRate.store(true, ordering: .relaxed) }
      let device = caller.values.chance(0.7) ? first.device : caller.pick(caller.world.devices)?.object ?? first.device
      let context = caller.attempt(
        "context \(place) on \(device.name) with \(settings)",
        mayThrow: .hrtfUnavailable,
        .contextUnavailable
      ) { () throws(AudioError) in
        try AudioContext(device: device, settings: settings)
      }
      let run = caller.run
      context?.onDiagnostic = { run.take($0) }
      if let context { caller.drop("old context \(place)", in: caller.world.contexts, at: place, for: context) }
    },
    Operation("device.reset", 1) { caller in
      guard let first = caller.world.contexts[0] else { return }
      let settings = caller.values.settings(for: first.device)
      caller.world.mayChangeRate.store(true, ordering: .relaxed)
      _ = caller.attempt(
        "reset \(first.device.name) to \(settings)",
        mayThrow: .hrtfUnavailable,
        .contextUnavailable,
        .deviceUnavailable,
        .notInLibrary
      ) { () throws(AudioError) in
        try first.device.reset(settings)
      }
    },
    Operation("context.drop", 2) { caller in
      let place = caller.values.int(1...caller.world.contexts.count - 1)
      caller.drop("drop context \(place)", in: caller.world.contexts, at: place)
    },
    Operation("device.make", 1) { caller in
      let place = caller.place(in: caller.world.devices)
      let output = caller.world.output
      let device = caller.attempt("device \(place), \(output.rawValue)", mayThrow: .deviceUnavailable) {
        () throws(AudioError) in
        switch output {
        // The renderer of this device is gone, so that no thread mixes it.
        case .offline: try OfflineRenderer(format: .mono(sampleRate: 44_100)).context.device
        case .silent: try AudioDevice.silent
        case .null: try AudioDevice()
        }
      }
      if let device { caller.drop("old device \(place)", in: caller.world.devices, at: place, for: device) }
    },
    Operation("device.drop", 1) { caller in
      let place = caller.place(in: caller.world.devices)
      caller.drop("drop device \(place)", in: caller.world.devices, at: place)
    },
    Operation("device.policy", 1) { caller in
      guard let device = caller.context()?.device else { return }
      let (policy, keepsTime) = (caller.values.element(of: DevicePolicy.allCases), caller.values.chance(0.5))
      caller.call("policy = \(policy), keepsTimeWithoutOutput = \(keepsTime)") {
        device.policy = policy
        device.keepsTimeWithoutOutput = keepsTime
      }
      if caller.isExact {
        caller.require(device.policy == policy && device.keepsTimeWithoutOutput == keepsTime, "another policy")
      }
    },
    Operation("device.move", 1) { caller in
      guard let device = caller.context()?.device else { return }
      let name = caller.values.element(of: [nil, "No Output", "nobody's output"])
      caller.attempt("move to \(name ?? "nil")", mayThrow: .deviceUnavailable) { () throws(AudioError) in
        try device.move(to: name)
      }
    },
    Operation("device.read", 1) { caller in
      guard let device = caller.context()?.device else { return }
      caller.call("names of outputs and inputs") {
        _ = (device.name, device.hrtfNames, AudioDevice.outputNames, AudioDevice.defaultOutputName)
        _ = (AudioCapture.inputNames, AudioCapture.defaultInputName)
      }
    },
  ]
}

extension Values {
  /// Settings of an output, some of them left to the device.
  mutating func settings(for device: AudioDevice? = nil) -> OutputSettings {
    var settings = OutputSettings()
    // A rate below the range becomes its lowest.
    let clamped = mixRates.contains(Self.rates[0]) ? [0, -1, 8_000, .max] : [.max]
    if chance(0.5) { settings.sampleRate = element(of: mixRates + clamped) }
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
