// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "Spatial3D", path: "..")],
  targets: [
    .executableTarget(
      name: "Ratios",
      dependencies: [
        .product(name: "Spatial3D", package: "Spatial3D"),
        .product(name: "Spatial3DTesting", package: "Spatial3D"),
      ]
    )
  ]
)
