import GameAudio
@_spi(Drawing) import Spatial3DReports
import Stage

/// The hearing of each monster at each stop, as plain text.
struct LegTable: CustomStringConvertible {
  let description: String

  init(of recording: Recording) {
    var table = TextTable(
      columns: [
        .init("s", group: "listener"), .init("in", group: "listener"), .init("at", group: "listener"),
        .init("name", group: "monster"), .init("in", group: "monster"),
        .init("by", group: "heard"), .init("m", group: "heard"), .init("muffled dB", group: "heard"),
        .init("level dB", group: "heard"),
      ]
    )
    for (leg, stop) in zip(Route.legs, recording.stops) {
      for (index, (monster, hearing)) in zip(Monster.all, stop.hearings).enumerated() {
        let isFirst = index == 0
        let room = Plan.room(at: stop.moment.place)?.name ?? "outdoors"
        table.append([
          isFirst ? Double(stop.moment.time).text(decimals: 0) : "", isFirst ? room : "", isFirst ? leg.name : "",
          monster.name, monster.room, hearing.way.words,
          Double(hearing.distance).text(decimals: 0),
          (Double(hearing.muffling.rawValue) + 0).text(decimals: 0),
          Double((hearing.gain + recording.loudness[index]).rawValue).text(decimals: 0),
        ])
      }
    }
    description = table.description
  }
}
