/// Values with keys: a key is found, added and removed in constant time.
///
/// A removal moves the last value to the index of the removed value, so that the same calls give the same order.
struct KeyedList<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private(set) var keys: [Key] = []
  private(set) var values: [Value] = []
  private var places: [Key: Int] = [:]

  var isEmpty: Bool { keys.isEmpty }

  func contains(_ key: Key) -> Bool { places[key] != nil }

  /// Appends a value, or replaces the value of its key.
  mutating func set(_ value: Value, for key: Key) {
    if let place = places[key] {
      values[place] = value
      return
    }
    places[key] = keys.count
    keys.append(key)
    values.append(value)
  }

  /// Removes a value; returns `nil` for a key that is not in the list.
  @discardableResult
  mutating func remove(_ key: Key) -> Value? {
    guard let place = places.removeValue(forKey: key) else { return nil }
    let (lastKey, last) = (keys.removeLast(), values.removeLast())
    guard place < keys.count else { return last }
    let value = values[place]
    (keys[place], values[place], places[lastKey]) = (lastKey, last, place)
    return value
  }

  /// Changes all values.
  mutating func update(_ body: (inout Value) -> Void) {
    for index in values.indices { body(&values[index]) }
  }
}

/// The slots of the emitters that have something in common.
typealias SlotList = KeyedList<EmitterSlot, Void>

extension KeyedList where Value == Void {
  mutating func insert(_ key: Key) { set((), for: key) }

  mutating func set(_ key: Key, _ isMember: Bool) {
    if isMember { insert(key) } else { remove(key) }
  }
}
