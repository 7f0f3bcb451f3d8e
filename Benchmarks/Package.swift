// swift-tools-version: 6.3

import PackageDescription

/// The settings of every target: the libraries' settings, plus warnings as errors, since nothing depends on this
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
  name: "Benchmarks",
  traits: [.trait(name: "LibAVCodec", description: "Measure Vorbis with libavcodec.")],
  dependencies: [
    .package(
      name: "Spatial3D",
      path: "..",
      traits: [.trait(name: "LibAVCodec", condition: .when(traits: ["LibAVCodec"]))]
    ),
    .package(name: "Examples", path: "../Examples"),
  ],
  targets: [
    // The references of the benchmarks: plain C calls.
    .target(name: "OpenALLoops", linkerSettings: [.linkedLibrary("openal")]),
    .target(name: "SoundFileLoops", linkerSettings: [.linkedLibrary("sndfile")]),
    .target(name: "AllocationCounter"),
    .executableTarget(
      name: "Ratios",
      dependencies: [
        "AllocationCounter",
        "OpenALLoops",
        "SoundFileLoops",
        .product(name: "FileDecode", package: "Spatial3D"),
        .product(name: "GameAudio", package: "Spatial3D"),
        .product(name: "Spatial3D", package: "Spatial3D"),
        .product(name: "Spatial3DTesting", package: "Spatial3D"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "Pictures",
      dependencies: [
        .product(name: "Spatial3DReports", package: "Spatial3D"),
        .product(name: "SoundServer", package: "Examples"),
        .product(name: "Spatial3D", package: "Spatial3D"),
        .product(name: "Spatial3DTesting", package: "Spatial3D"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "Rooms",
      dependencies: [
        .product(name: "Spatial3D", package: "Spatial3D"),
        .product(name: "Spatial3DReports", package: "Spatial3D"),
        .product(name: "Spatial3DTesting", package: "Spatial3D"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "Silence",
      dependencies: [
        .product(name: "Spatial3D", package: "Spatial3D"),
        .product(name: "Spatial3DTesting", package: "Spatial3D"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "Soak",
      dependencies: [
        .product(name: "SoundServer", package: "Examples"),
        .product(name: "GameAudio", package: "Spatial3D"),
        .product(name: "Spatial3D", package: "Spatial3D"),
        .product(name: "Spatial3DTesting", package: "Spatial3D"),
      ],
      swiftSettings: settings
    ),
  ],
  cLanguageStandard: .c11
)
