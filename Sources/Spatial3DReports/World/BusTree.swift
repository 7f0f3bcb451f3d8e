internal import GameAudio

extension [WorldSnapshot.Bus] {
  /// The buses with their depths: each one is followed by those that it contains, in their order.
  ///
  /// A decoded snapshot may have a bus whose parent is missing, or which contains itself: this bus is at the top.
  var tree: [(bus: WorldSnapshot.Bus, depth: Int)] {
    let names = Set(map(\.name))
    let children = Dictionary(grouping: self) { $0.parent ?? "" }
    var tree: [(bus: WorldSnapshot.Bus, depth: Int)] = []
    var placed: Set<String> = []
    func place(_ top: WorldSnapshot.Bus) {
      var stack = [(bus: top, depth: 0)]
      while let next = stack.popLast() {
        guard placed.insert(next.bus.name).inserted else { continue }
        tree.append(next)
        stack += (children[next.bus.name] ?? []).reversed().map { ($0, next.depth + 1) }
      }
    }
    for bus in self where bus.parent.map({ !names.contains($0) }) ?? true { place(bus) }
    for bus in self { place(bus) }
    return tree
  }
}
