// swift-tools-version: 6.3

import PackageDescription

/// Whether continuous integration builds the package: warnings are errors, and each module is compiled whole.
///
/// A game that depends on a path builds the package with warnings: a newer compiler does not end its build. Whole
/// modules take three quarters of the time from nothing. They take longer after a change.
let isContinuousIntegration = Context.environment["SPATIAL3D_CI"] != nil

/// The settings of every Swift target, tests included.
let settings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
  ] + (isContinuousIntegration ? [.treatAllWarnings(as: .error), .unsafeFlags(["-wmo", "-num-threads", "2"])] : [])

/// The settings of a library: each public type also states whether it is Sendable.
///
/// The test runner of SwiftPM has public classes that do not.
let librarySettings = settings + (isContinuousIntegration ? [.treatWarning("ExplicitSendable", as: .error)] : [])

/// The settings of every C target.
let cSettings: [CSetting] =
  isContinuousIntegration ? [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)] : []

let package = Package(
  name: "Spatial3D",
  products: [
    .library(name: "Spatial3D", targets: ["Spatial3D"]),
    .library(name: "FileDecode", targets: ["FileDecode"]),
    .library(name: "Spatial3DTesting", targets: ["Spatial3DTesting"]),
    .library(name: "Spatial3DReports", targets: ["Spatial3DReports"]),
    .library(name: "OpenALMigration", targets: ["OpenALMigration"]),
    .library(name: "AudioSessions", targets: ["AudioSessions"]),
    .library(name: "GameAudio", targets: ["GameAudio"]),
  ],
  traits: [
    .trait(
      name: "LibAVCodec",
      description: "Decode AAC, and Vorbis faster, with libavcodec, of which Debian's build is under the GPL."
    ),
    .trait(
      name: "DesktopSession",
      description:
        "Receive calls, routes, sleep and the locked screen from a Linux desktop, with libpulse and libsystemd."
    ),
    .trait(name: "Resampling", description: "Convert sample rates with libsoxr, faster than the package's own filter."),
  ],
  targets: [
    // The system's C libraries, and the shim that owns every OpenAL call.
    .systemLibrary(
      name: "CSpatial3DOpenAL",
      pkgConfig: "openal",
      providers: [.apt(["libopenal-dev"]), .brew(["openal-soft"])]
    ),
    .systemLibrary(
      name: "CSpatial3DSndFile",
      pkgConfig: "sndfile",
      providers: [.apt(["libsndfile1-dev"]), .brew(["libsndfile"])]
    ),
    // The library is named here, because the link line of a module map does not reach C sources: a build must not
    // depend on pkg-config being installed.
    .target(
      name: "CSpatial3DShim",
      dependencies: ["CSpatial3DOpenAL", "CSpatial3DSupport"],
      cSettings: cSettings,
      linkerSettings: [.linkedLibrary("openal")]
    ),

    // Locks, semaphores and threads for the libraries below.
    .target(name: "CSpatial3DSupport", cSettings: cSettings),
    .target(name: "AudioSupport", dependencies: ["CSpatial3DSupport"], swiftSettings: librarySettings),

    // Libraries that only the traits need.
    .systemLibrary(
      name: "CSpatial3DSoxr",
      pkgConfig: "soxr",
      providers: [.apt(["libsoxr-dev"]), .brew(["libsoxr"])]
    ),
    .systemLibrary(
      name: "CSpatial3DAVCodec",
      pkgConfig: "libavcodec",
      providers: [.apt(["libavcodec-dev"]), .brew(["ffmpeg"])]
    ),
    .systemLibrary(
      // Without pkg-config, whose flags for it SwiftPM refuses with a warning.
      name: "CSpatial3DPulse",
      providers: [.apt(["libpulse-dev"])]
    ),
    .systemLibrary(
      name: "CSpatial3DSystemd",
      pkgConfig: "libsystemd",
      providers: [.apt(["libsystemd-dev"])]
    ),
    .target(
      name: "CSpatial3DDesktop",
      dependencies: [
        .target(name: "CSpatial3DPulse", condition: .when(traits: ["DesktopSession"])),
        .target(name: "CSpatial3DSystemd", condition: .when(traits: ["DesktopSession"])),
      ],
      cSettings: cSettings + [.define("DESKTOP_SESSION", .when(traits: ["DesktopSession"]))],
      linkerSettings: [
        .linkedLibrary("pulse", .when(traits: ["DesktopSession"])),
        .linkedLibrary("systemd", .when(traits: ["DesktopSession"])),
      ]
    ),
    .target(
      name: "CSpatial3DLibAVCodec",
      dependencies: [.target(name: "CSpatial3DAVCodec", condition: .when(traits: ["LibAVCodec"]))],
      cSettings: cSettings + [.define("LIBAVCODEC", .when(traits: ["LibAVCodec"]))],
      linkerSettings: [
        .linkedLibrary("avcodec", .when(traits: ["LibAVCodec"])),
        .linkedLibrary("avutil", .when(traits: ["LibAVCodec"])),
      ]
    ),

    // The libraries.
    .target(name: "PCM", swiftSettings: librarySettings),
    .target(name: "AudioNotifications", dependencies: ["AudioSupport"], swiftSettings: librarySettings),
    .target(name: "MusicalTime", swiftSettings: librarySettings),
    .target(name: "SignalProcessing", dependencies: ["PCM"], swiftSettings: librarySettings),
    .target(
      name: "Spatial3D",
      dependencies: ["AudioNotifications", "AudioSupport", "CSpatial3DShim", "PCM"],
      swiftSettings: librarySettings
    ),
    .target(
      name: "FileDecode",
      dependencies: [
        "AudioSupport", "CSpatial3DSndFile", "PCM",
        .target(name: "CSpatial3DSoxr", condition: .when(traits: ["Resampling"])),
        .target(name: "CSpatial3DLibAVCodec", condition: .when(traits: ["LibAVCodec"])),
      ],
      swiftSettings: librarySettings
    ),
    .target(
      name: "Spatial3DTesting",
      dependencies: ["AudioSupport", "PCM", "SignalProcessing", "Spatial3D"],
      swiftSettings: librarySettings
    ),
    .target(
      name: "Spatial3DReports",
      dependencies: ["AudioSupport", "FileDecode", "GameAudio", "PCM", "Spatial3D", "Spatial3DTesting"],
      resources: [
        .embedInCode("Page/Resources/frame.css"), .embedInCode("Page/Resources/frame.html"),
        .embedInCode("Page/Resources/frame.js"),
        .embedInCode("Page/Resources/page.css"), .embedInCode("Page/Resources/page.html"),
        .embedInCode("Page/Resources/page.js"), .embedInCode("World/Resources/world.css"),
        .embedInCode("World/Resources/world.html"), .embedInCode("World/Resources/world.js"),
        .embedInCode("World/Resources/worldlists.js"), .embedInCode("World/Resources/worldmap.js"),
      ],
      swiftSettings: librarySettings
    ),
    .target(name: "OpenALMigration", dependencies: ["Spatial3D"], swiftSettings: librarySettings),
    .target(
      name: "AudioSessions",
      dependencies: [
        "AudioNotifications", "AudioSupport",
        .target(name: "CSpatial3DDesktop", condition: .when(traits: ["DesktopSession"])),
      ],
      swiftSettings: librarySettings
    ),
    .target(
      name: "GameAudio",
      dependencies: [
        "AudioSessions", "AudioSupport", "FileDecode", "MusicalTime", "PCM", "SignalProcessing", "Spatial3D",
      ],
      swiftSettings: librarySettings
    ),

    // Tests.
    .target(name: "TestSupport", dependencies: ["PCM"], path: "Tests/TestSupport", swiftSettings: settings),
    // The module has another name in the package of the examples. Under one name, each of both packages would compile
    // it again after the other, and all tests with it.
    .target(
      name: "TestServer",
      dependencies: ["Spatial3D"],
      path: "Examples/Sources/SoundServer",
      swiftSettings: settings
    ),
    // The values that the library holds, read through the shim's own structures.
    .target(
      name: "CLibraryReadback",
      dependencies: ["CSpatial3DShim"],
      path: "Tests/LibraryReadback",
      cSettings: cSettings + [.headerSearchPath("../../Sources/CSpatial3DShim")]
    ),
    .testTarget(
      name: "AudioNotificationsTests",
      dependencies: ["AudioNotifications", "AudioSupport", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AudioSessionsTests",
      dependencies: ["AudioSessions", "Spatial3DTesting", "TestServer", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(name: "MusicalTimeTests", dependencies: ["MusicalTime", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "GameAudioTests",
      dependencies: [
        "AudioSessions", "GameAudio", "SignalProcessing", "Spatial3DTesting", "TestServer", "TestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(name: "PCMTests", dependencies: ["PCM", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "SignalProcessingTests",
      dependencies: ["PCM", "SignalProcessing", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "Spatial3DTests",
      dependencies: [
        "AudioSupport", "CLibraryReadback", "CSpatial3DShim", "Spatial3D", "Spatial3DTesting", "TestServer",
        "TestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "Spatial3DTestingTests",
      dependencies: ["Spatial3DTesting", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "Spatial3DReportsTests",
      dependencies: ["FileDecode", "GameAudio", "Spatial3D", "Spatial3DReports", "Spatial3DTesting"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "FileDecodeTests",
      dependencies: ["AudioSupport", "FileDecode", "TestSupport"],
      resources: [.copy("Fixtures")],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ConsumerTests",
      dependencies: [
        "AudioSessions", "FileDecode", "GameAudio", "OpenALMigration", "Spatial3D", "Spatial3DReports",
        "Spatial3DTesting",
      ],
      resources: [.copy("Fixtures")],
      swiftSettings: settings
    ),
  ],
  cLanguageStandard: .c11
)
