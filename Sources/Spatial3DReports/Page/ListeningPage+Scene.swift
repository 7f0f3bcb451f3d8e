extension ListeningPage {
  /// The scene, for the script of the page.
  var scene: JSON {
    .object([
      "title": .text(title),
      "seconds": .number(seconds),
      "gain": .number((Double(sound.levelChange.rawValue) * 10).rounded() / 10),
      "rate": .number(rate),
      "loudness": .number(Double(sound.loudness.rawValue).rounded()),
      "map": .object([
        "x": .list([.number(map.x.lowerBound), .number(map.x.upperBound)]),
        "z": .list([.number(map.z.lowerBound), .number(map.z.upperBound)]),
      ]),
      "listener": .object(["x": listener.x.json, "z": listener.z.json, "turn": listener.turn.json]),
      "sources": .list(sources.map(\.json)),
      "things": .list(things.map(\.json)),
      "ears": .object(["left": ears.left.json, "right": ears.right.json]),
      "levels": .object(["lowest": .number(ears.scale.lowerBound), "highest": .number(ears.scale.upperBound)]),
      "readings": .list(readings.map(\.json)),
      "chapters": .list(
        chapters.map { .object(["time": .number($0.time), "title": .text($0.title), "text": .text($0.text)]) }
      ),
      "events": .list(
        events.map {
          .object(["time": .number($0.time), "source": .number(Double($0.source)), "text": .text($0.text)])
        }
      ),
    ])
  }
}

extension ListeningPage.Track {
  fileprivate var json: JSON { .list(values.map(JSON.number)) }
}

extension ListeningPage.Source {
  fileprivate var json: JSON {
    .object([
      "name": .text(name), "x": x.json, "z": z.json, "level": level?.json ?? .list([]), "opacity": opacity.json,
    ])
  }
}

extension ListeningPage.Thing {
  fileprivate var json: JSON {
    .object([
      "points": .list(points.map { .list([.number($0.x), .number($0.y)]) }),
      "radius": .number(radius ?? 0),
      "color": .text(color),
      "width": .number(width),
      "x": place.x.json,
      "z": place.z.json,
      "turn": place.turn.json,
      "opacity": opacity.json,
    ])
  }
}

extension ListeningPage.Reading {
  fileprivate var json: JSON {
    .object(["name": .text(name), "unit": .text(unit), "decimals": .number(Double(decimals)), "values": values.json])
  }
}
