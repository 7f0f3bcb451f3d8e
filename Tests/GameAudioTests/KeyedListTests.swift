import TestSupport
import Testing

@testable import GameAudio

/// The list of values with keys.
@Suite struct KeyedListTests {
  @Test func `A list has the values of a dictionary after any changes`() {
    var random = SplitMix64(seed: 1)
    var (list, dictionary) = (KeyedList<Int, Int>(), [Int: Int]())
    for change in 0..<10_000 {
      let key = Int.random(in: 0..<50, using: &random)
      if Bool.random(using: &random) {
        list.set(change, for: key)
        dictionary[key] = change
      } else {
        #expect(list.remove(key) == dictionary.removeValue(forKey: key))
      }
      #expect(Dictionary(uniqueKeysWithValues: zip(list.keys, list.values)) == dictionary)
      #expect(list.isEmpty == dictionary.isEmpty && list.contains(key) == (dictionary[key] != nil))
    }
  }

  @Test func `The last value takes the place of a removed one`() {
    var list = SlotList()
    for slot in [1, 2, 3, 4] as [EmitterSlot] { list.insert(slot) }
    list.insert(2)
    list.remove(2)
    list.remove(9)
    #expect(list.keys == [1, 4, 3])
    list.remove(3)
    #expect(list.keys == [1, 4])
  }
}
