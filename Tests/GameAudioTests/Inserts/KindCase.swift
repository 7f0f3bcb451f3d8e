import SignalProcessing
import Spatial3D

@testable import GameAudio

/// A kind of insert, and the settings of its processor.
struct KindCase<Root: Sendable, Settings: Hashable & Sendable>: Sendable {
  typealias Path<Value> = any WritableKeyPath<Root, Value> & Sendable
  typealias SettingPath<Value> = any WritableKeyPath<Settings, Value> & Sendable

  private let name: String
  private let standard: Root
  private let kind: @Sendable (Root) -> Insert.Kind
  private let settings: @Sendable (ProcessorSettings) -> Settings?
  /// The settings that a processor at 48 kHz has.
  private let limited: @Sendable (Settings) -> Settings
  private let defaultOfProcessor: Settings

  init(
    _ name: String,
    _ standard: Root,
    _ kind: @escaping @Sendable (Root) -> Insert.Kind,
    _ settings: @escaping @Sendable (ProcessorSettings) -> Settings?,
    _ limited: @escaping @Sendable (Settings) -> Settings,
    _ defaultOfProcessor: Settings
  ) {
    (self.name, self.standard, self.kind, self.settings) = (name, standard, kind, settings)
    (self.limited, self.defaultOfProcessor) = (limited, defaultOfProcessor)
  }

  /// The settings of an insert; the default of the processor for an insert without a step.
  private func settings(of root: Root) -> Settings {
    Insert(kind(root)).step().flatMap { settings($0.settings) } ?? defaultOfProcessor
  }

  private func root<Value>(_ path: Path<Value>, _ value: Value) -> Root {
    var root = standard
    root[keyPath: path] = value
    return root
  }

  private func number<Value: Sendable, Setting: Hashable & Sendable>(
    _ property: String,
    _ path: Path<Value>,
    _ setting: SettingPath<Setting>,
    canBeNaN: Bool,
    value: @escaping @Sendable (Double) -> Value,
    mapped: @escaping @Sendable (Double) -> Setting,
    number: @escaping @Sendable (Setting) -> Double
  ) -> NumberCase {
    let standardSettings = settings(of: standard)
    let defaults = (standardSettings[keyPath: setting], defaultOfProcessor[keyPath: setting])
    return NumberCase(
      name: "\(name).\(property)",
      insert: { Insert(kind(root(path, value($0)))) },
      used: { number(limited(settings(of: root(path, value($0))))[keyPath: setting]) },
      changesItsSettingAlone: {
        var expected = standardSettings
        expected[keyPath: setting] = mapped($0)
        return expected != standardSettings && settings(of: root(path, value($0))) == expected
      },
      hasDefaultOfProcessor: Float(number(defaults.0)) == Float(number(defaults.1)),
      canBeNaN: canBeNaN
    )
  }

  func number(_ property: String, _ path: Path<Float>, _ setting: SettingPath<Double>) -> NumberCase {
    number(
      property,
      path,
      setting,
      canBeNaN: true,
      value: { Float($0) },
      mapped: { Double(Float($0)) },
      number: { $0 }
    )
  }

  func level(_ property: String, _ path: Path<Decibels>, _ setting: SettingPath<Double>) -> NumberCase {
    number(
      property,
      path,
      setting,
      canBeNaN: true,
      value: { Decibels(Float($0)) },
      mapped: { Double(Float($0)) },
      number: { $0 }
    )
  }

  func time(_ property: String, _ path: Path<Duration>, _ setting: SettingPath<Double>) -> NumberCase {
    @Sendable func duration(_ seconds: Double) -> Duration {
      .nanoseconds(Int64((min(max(seconds, -1e9), 1e9) * 1e9).rounded()))
    }
    return number(
      property,
      path,
      setting,
      canBeNaN: false,
      value: duration,
      mapped: { duration($0) / .seconds(1) },
      number: { $0 }
    )
  }

  func count(_ property: String, _ path: Path<Int>, _ setting: SettingPath<Int>) -> NumberCase {
    @Sendable func count(_ number: Double) -> Int { Int(min(max(number, -1e18), 1e18)) }
    return number(
      property,
      path,
      setting,
      canBeNaN: false,
      value: count,
      mapped: count,
      number: { Double($0) }
    )
  }
}
