@_spi(Drawing) import Spatial3DReports
import Foundation
import Spatial3D

/// Draws the pictures of the guides from what the library renders, into a folder.
///
///     Pictures FOLDER [NAME…]
@main
struct Pictures {
  static func main() async throws {
    guard CommandLine.arguments.count > 1 else { throw PictureError(description: "Name the folder of the pictures.") }
    let folder = URL(filePath: CommandLine.arguments[1])
    let names = Set(CommandLine.arguments.dropFirst(2))
    let all: [(name: String, draw: () async throws -> Picture?)] = [
      // First, because the library chooses its driver once.
      ("device-loss", { try await LossPicture()?.picture }),
      ("scene", { try ScenePicture().picture }),
      ("coordinates", { try CoordinatesPicture().picture }),
      ("distance", { try DistancePicture().picture }),
      ("cone", { try ConePicture().picture }),
      ("rooms", { try RoomsPicture().picture }),
      ("notifications", { try NotificationsPicture().picture }),
      ("stream", { try StreamPicture().picture }),
      ("fades", { try FadesPicture().picture }),
    ]
    for entry in all where names.isEmpty || names.contains(entry.name) {
      guard let picture = try await entry.draw() else { continue }
      for appearance in Theme.Appearance.allCases {
        let file = picture.name + (appearance == .dark ? "~dark" : "") + ".svg"
        try Data(picture.markup(appearance, library: library).utf8).write(to: folder.appending(path: file))
      }
    }
  }

  private static var library: String {
    get throws {
      let renderer = try OfflineRenderer(format: .mono(sampleRate: 48_000))
      return renderer.context.library.version.split(separator: " ").last.map(String.init) ?? "?"
    }
  }
}
