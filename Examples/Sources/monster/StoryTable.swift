import Foundation
import Spatial3D
import Stage

/// The settings of each chapter and the level of the monster, as plain text.
struct StoryTable: CustomStringConvertible {
  let description: String

  init(of levels: Levels) {
    var table = TextTable(columns: [
      .init("s"), .init("chapter"), .init("room"), .init("send"), .init("occlusion"), .init("obstruction"),
      .init("direct"),
    ])
    for (index, chapter) in Story.chapters.enumerated() {
      let (start, end) = (chapter.start, Story.end(ofChapter: index))
      let middle = (start + end) / 2
      table.append([
        String(format: "%.0f", start), chapter.title,
        chapter.room.map { String(format: "%.1f s", $0.room.decayTime / .seconds(1)) } ?? "none",
        String(format: "%.2f", chapter.send),
        String(format: "%.0f dB", Story.occlusion(at: middle).rawValue),
        String(format: "%.0f dB", Story.obstruction(at: middle).rawValue),
        String(format: "%.1f dB", levels.levels(from: start, to: end).dry),
      ])
    }
    description = """
      What each chapter asks for, half way through it, and the level of the direct sound in dB re full scale.


      """ + table.description
  }
}
