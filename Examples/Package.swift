// swift-tools-version: 6.3

import PackageDescription

/// The settings of every target: the libraries' settings, plus warnings as errors, since nothing depends on this
/// package.
///
/// Continuous integration compiles each module whole, as the modules of the libraries.
let settings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ] + (Context.environment["SPATIAL3D_CI"] == nil ? [] : [.unsafeFlags(["-wmo", "-num-threads", "2"])])

let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let games = Target.Dependency.product(name: "GameAudio", package: "Spatial3D")
let decoding = Target.Dependency.product(name: "FileDecode", package: "Spatial3D")
let scenes = Target.Dependency.product(name: "Spatial3D", package: "Spatial3D")
let reports = Target.Dependency.product(name: "Spatial3DReports", package: "Spatial3D")
let measures = Target.Dependency.product(name: "Spatial3DTesting", package: "Spatial3D")

/// The target of a program, which shows one idea in a folder with its guide.
func program(_ name: String, _ further: Target.Dependency...) -> Target {
  .executableTarget(
    name: name,
    dependencies: ["Stage", arguments, decoding] + further,
    exclude: ["README.md"],
    swiftSettings: settings
  )
}

func tests(_ name: String, of tested: Target.Dependency..., with further: [Target.Dependency] = []) -> Target {
  .testTarget(name: name, dependencies: tested + further, swiftSettings: settings)
}

let package = Package(
  name: "Examples",
  // The benchmarks use this library too.
  products: [.library(name: "SoundServer", targets: ["SoundServer"])],
  traits: [
    .trait(name: "LibAVCodec", description: "Read AAC, and Vorbis faster: needs libavcodec."),
    .trait(name: "DesktopSession", description: "Follow the calls of a Linux desktop: needs libpulse and libsystemd."),
    .trait(name: "Resampling", description: "Convert sample rates with libsoxr."),
  ],
  dependencies: [
    .package(
      name: "Spatial3D",
      path: "..",
      traits: [
        .trait(name: "LibAVCodec", condition: .when(traits: ["LibAVCodec"])),
        .trait(name: "DesktopSession", condition: .when(traits: ["DesktopSession"])),
        .trait(name: "Resampling", condition: .when(traits: ["Resampling"])),
      ]
    ),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
  ],
  targets: [
    // The library that the examples share: options, sounds, walks, tables and the terminal.
    .target(
      name: "Stage",
      dependencies: [arguments, decoding, reports, scenes],
      resources: [.copy("Resources")],
      swiftSettings: settings
    ),
    // A private sound server; the tests of the libraries play to it too.
    .target(
      name: "SoundServer",
      dependencies: [.product(name: "Spatial3D", package: "Spatial3D")],
      swiftSettings: settings
    ),

    program("beatbox", games),
    program("broadcast", games),
    program("circle", reports, scenes, measures),
    program("column", reports, scenes, measures),
    program("dungeon", games, reports, measures),
    program("explore", games, reports, scenes, measures),
    program("growl", scenes),
    program("gunshots", scenes, measures),
    program("house", games, reports, measures),
    program("jukebox", games, measures),
    program("keyed", games),
    program("longmusic", scenes),
    program("monster", reports, scenes, measures),
    program("phonecall", games, reports, measures),
    program("torches", games, reports, measures),
    program("unplug", "SoundServer", scenes, measures),

    // Tools.
    program("audioconvert"),
    program("audioinfo", reports, measures),

    tests("StageTests", of: "Stage", with: [arguments, decoding, reports, scenes]),
    tests("BeatboxTests", of: "beatbox", with: ["Stage", games]),
    tests("BroadcastTests", of: "broadcast", with: ["Stage", decoding, games]),
    tests("CircleTests", of: "circle", with: ["Stage", arguments, decoding, scenes]),
    tests("ColumnTests", of: "column", with: ["Stage", arguments, decoding, scenes]),
    tests("DungeonTests", of: "dungeon", with: ["Stage", games]),
    tests("ExploreTests", of: "explore", with: ["Stage", arguments, decoding, games, scenes]),
    tests("GrowlTests", of: "growl", with: ["Stage", arguments, decoding, scenes]),
    tests("GunshotsTests", of: "gunshots", with: ["Stage", arguments, decoding, scenes]),
    tests("HouseTests", of: "house", with: ["Stage", games, reports]),
    tests("JukeboxTests", of: "jukebox", with: ["Stage", games]),
    tests("KeyedTests", of: "keyed", with: ["Stage", arguments, games]),
    tests("MonsterTests", of: "monster", with: ["Stage", scenes]),
    tests("PhoneCallTests", of: "phonecall", with: [games]),
    tests("TorchesTests", of: "torches", with: ["Stage", games]),
    tests("ToolTests", of: "audioconvert", "audioinfo", with: ["Stage", arguments, decoding]),
  ]
)
