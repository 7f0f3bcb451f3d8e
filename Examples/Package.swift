// swift-tools-version: 6.3

import PackageDescription

/// The settings of every target: those of the libraries, and warnings are errors, since nothing depends on this package.
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
  name: "Examples",
  // The benchmarks use them too.
  products: [
    .library(name: "Drawing", targets: ["Drawing"]),
    .library(name: "SoundServer", targets: ["SoundServer"]),
  ],
  traits: [
    .trait(name: "AAC", description: "Read AAC: needs libavcodec."),
    .trait(name: "Resampling", description: "Convert sample rates: needs libsoxr."),
  ],
  dependencies: [
    .package(
      name: "Spatial3D",
      path: "..",
      traits: [
        .trait(name: "AAC", condition: .when(traits: ["AAC"])),
        .trait(name: "Resampling", condition: .when(traits: ["Resampling"])),
      ]
    ),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
  ],
  targets: [
    // What the examples share: sounds, walks and the terminal; and drawing.
    .target(
      name: "Stage",
      dependencies: [
        .product(name: "FileDecode", package: "Spatial3D"),
        .product(name: "Spatial3D", package: "Spatial3D"),
      ],
      resources: [.copy("Resources")],
      swiftSettings: settings
    ),
    .target(name: "Drawing", swiftSettings: settings),
    // A sound server of one's own; the tests of the libraries play to it too.
    .target(
      name: "SoundServer",
      dependencies: [.product(name: "Spatial3D", package: "Spatial3D")],
      swiftSettings: settings
    ),

    // One program an idea.
    .executableTarget(
      name: "circle",
      dependencies: [
        "Drawing",
        "Stage",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "FileDecode", package: "Spatial3D"),
        .product(name: "Spatial3D", package: "Spatial3D"),
        .product(name: "Spatial3DTesting", package: "Spatial3D"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "growl",
      dependencies: [
        "Stage",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "FileDecode", package: "Spatial3D"),
        .product(name: "Spatial3D", package: "Spatial3D"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "longmusic",
      dependencies: [
        "Stage",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "FileDecode", package: "Spatial3D"),
        .product(name: "Spatial3D", package: "Spatial3D"),
      ],
      swiftSettings: settings
    ),

    .executableTarget(
      name: "monster",
      dependencies: [
        "Drawing",
        "Stage",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "FileDecode", package: "Spatial3D"),
        .product(name: "Spatial3D", package: "Spatial3D"),
      ],
      swiftSettings: settings
    ),

    // Tools.
    .executableTarget(
      name: "audioinfo",
      dependencies: [
        "Stage",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "FileDecode", package: "Spatial3D"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "audioconvert",
      dependencies: [
        "Stage",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "FileDecode", package: "Spatial3D"),
      ],
      swiftSettings: settings
    ),

    // Tests.
    .testTarget(
      name: "ToolTests",
      dependencies: [
        "audioconvert",
        "audioinfo",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "FileDecode", package: "Spatial3D"),
      ],
      swiftSettings: settings
    ),
    .testTarget(name: "DrawingTests", dependencies: ["Drawing"], swiftSettings: settings),
    .testTarget(
      name: "StageTests",
      dependencies: [
        "Stage",
        .product(name: "FileDecode", package: "Spatial3D"),
        .product(name: "Spatial3D", package: "Spatial3D"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "CircleTests",
      dependencies: [
        "Stage",
        "circle",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "FileDecode", package: "Spatial3D"),
        .product(name: "Spatial3D", package: "Spatial3D"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "MonsterTests",
      dependencies: ["monster", .product(name: "Spatial3D", package: "Spatial3D")],
      swiftSettings: settings
    ),
  ]
)
