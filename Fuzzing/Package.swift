// swift-tools-version: 6.3

import PackageDescription

/// The settings of every target: the settings of the libraries, and warnings as errors, since nothing depends on this
/// package.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "Fuzzing",
  // With all that decodes: `Scripts/bootstrap-traits` installs what the traits need.
  dependencies: [
    .package(name: "Spatial3D", path: "..", traits: ["LibAVCodec", "DesktopSession", "Resampling"]),
    .package(name: "Examples", path: "../Examples"),
  ],
  targets: [
    .target(name: "FuzzSupport", swiftSettings: settings),
    .executableTarget(
      name: "fuzz",
      dependencies: ["FuzzSupport", .product(name: "FileDecode", package: "Spatial3D")],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "fuzz-writer",
      dependencies: ["FuzzSupport", .product(name: "FileDecode", package: "Spatial3D")],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "fuzz-engine",
      dependencies: ["FuzzSupport", .product(name: "Spatial3D", package: "Spatial3D")],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "fuzz-world",
      dependencies: [
        "FuzzSupport", .product(name: "AudioSessions", package: "Spatial3D"),
        .product(name: "GameAudio", package: "Spatial3D"), .product(name: "Spatial3D", package: "Spatial3D"),
        .product(name: "Spatial3DTesting", package: "Spatial3D"), .product(name: "SoundServer", package: "Examples"),
      ],
      swiftSettings: settings
    ),
  ]
)
