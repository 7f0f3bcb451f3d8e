import GameAudio
@_spi(Drawing) import Spatial3DReports

extension HousePlot {
  private static let left = SVGDrawing.margin + 40
  private static let right = width - SVGDrawing.margin
  private static let x = LinearScale(0...Route.seconds, from: left, to: right)
  private static let y = LinearScale(-70 ... -10, from: laneHeight - 20, to: 0)
  private static let stripTop = laneHeight - 14
  private static let stripHeight = 16.0

  /// Neighbouring moments at which a monster is heard by the same path.
  struct Stretch {
    let way: Way
    var moments: [(time: Double, level: Double)]
  }

  /// The stretches of a monster in the order of time; each begins where the stretch before ends.
  func stretches(of monster: Int) -> [Stretch] {
    var stretches: [Stretch] = []
    for moment in recording.moments {
      let hearing = moment.hearings[monster]
      let next = (moment.time, Double((hearing.gain + recording.loudness[monster]).rawValue))
      if let last = stretches.indices.last, stretches[last].way == hearing.way {
        stretches[last].moments.append(next)
      } else {
        // The line of the path before leads up to the change.
        if let last = stretches.indices.last, let level = stretches[last].moments.last?.level {
          stretches[last].moments.append((next.0, level))
        }
        stretches.append(Stretch(way: hearing.way, moments: [next]))
      }
    }
    return stretches
  }

  /// The level of a monster over time, and below it the paths.
  func lane(of monster: Int) -> [SVGElement] {
    let own = Monster.all[monster]
    let stretches = stretches(of: monster)
    let curves = stretches.map { stretch in
      SVGElement.path(
        SVGPath(through: stretch.moments.map { SVGPoint(Self.x($0.time), Self.y($0.level)) }),
        "\(Self.color(stretch.way)) line",
        width: 2.5
      )
    }
    return [.text("\(own.name) in the \(own.room)", at: SVGPoint(SVGDrawing.margin, -24), "ink heading")]
      + legs + SVGElement.levels(stride(from: -70, through: -10, by: 20), on: Self.y, from: Self.left, to: Self.right)
      + curves + stretches.flatMap(strip) + (monster == Monster.all.count - 1 ? times : [])
  }

  /// The path of a stretch as a bar with its name.
  private func strip(_ stretch: Stretch) -> [SVGElement] {
    guard let first = stretch.moments.first?.time, let last = stretch.moments.last?.time else { return [] }
    let (start, end) = (Self.x(first), Self.x(last))
    var bar = SVGPath(
      through: [SVGPoint(start + 1, Self.stripTop), SVGPoint(end - 1, Self.stripTop)]
        + [SVGPoint(end - 1, Self.stripTop + 4), SVGPoint(start + 1, Self.stripTop + 4)]
    )
    bar.close()
    let style = Self.color(stretch.way)
    let words = stretch.way.words
    // A name that does not fit into its stretch would run into the next one.
    let fits = end - start > 6.5 * Double(words.count)
    let name = SVGElement.text(words, at: SVGPoint(start + 2, Self.stripTop + 18), "\(style) small")
    return [.path(bar, "\(style) fill")] + (fits ? [name] : [])
  }

  /// A panel for each second leg, and the number of each.
  private var legs: [SVGElement] {
    Route.times.enumerated().flatMap { index, times -> [SVGElement] in
      let (start, end) = (Self.x(times.lowerBound), Self.x(times.upperBound))
      let panel = SVGElement.panel(
        at: SVGPoint(start, -2),
        width: end - start,
        height: Self.laneHeight - 18,
        "panel fill"
      )
      return (index % 2 == 0 ? [panel] : [])
        + [.text("\(index + 1)", at: SVGPoint((start + end) / 2, -8), "quiet small middle")]
    }
  }

  private var times: [SVGElement] {
    stride(from: 0, through: Route.seconds, by: 5).map { second in
      .text("\(Int(second)) s", at: SVGPoint(Self.x(second), Self.laneHeight + 26), "quiet small middle")
    }
  }
}
