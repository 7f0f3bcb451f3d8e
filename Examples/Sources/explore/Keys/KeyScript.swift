import Stage

/// Keys with their times, instead of a keyboard.
///
/// The text consists of words: `up`, `down`, `left`, `right`, or a single letter or digit is a key, and `2s` or `0.5s`
/// is a pause in seconds. `*` and a number repeats a word: `up*20`. The keys follow each other in a tenth of a second,
/// the duration of a step. A `q` ends the script.
struct KeyScript: Hashable, Sendable {
  /// A key at a time in seconds.
  struct Step: Hashable, Sendable {
    let key: Key
    let time: Double
  }

  /// The longest script, in seconds.
  static let longest = 600.0

  /// From the hall through the opening into the garden; the first sound is muted in between.
  static let tour = "2s right*3 up*6 right*2 up*10 1 right*2 up*14 right*2 up*6 1 left*5 up*10 1s"

  /// The keys in the order of time.
  let steps: [Step]

  /// The time after the last key or pause, in seconds.
  let seconds: Double

  /// The keys of a text.
  init(_ text: String) throws(KeyScriptError) {
    var steps: [Step] = []
    // Counted in milliseconds, which sums exactly.
    var time = 0
    words: for word in text.split(whereSeparator: \.isWhitespace) {
      let (unit, count) = try Self.parts(of: word)
      for _ in 0..<count {
        if let pause = Self.pause(unit) {
          time += pause
        } else if let key = Self.key(unit) {
          if Command(key) == .quit { break words }
          steps.append(Step(key: key, time: Double(time) / 1_000))
          time += Int(Walker.stepSeconds * 1_000)
        } else {
          throw .unknownWord(String(word))
        }
        guard Double(time) <= Self.longest * 1_000 else { throw .tooLong }
      }
    }
    self.steps = steps
    seconds = Double(time) / 1_000
    guard time > 0 else { throw .empty }
  }

  /// A word without its number of repetitions, and that number.
  private static func parts(of word: Substring) throws(KeyScriptError) -> (unit: Substring, count: Int) {
    guard let star = word.lastIndex(of: "*"), word.startIndex < star else { return (word, 1) }
    guard let count = Int(word[word.index(after: star)...]), (1...10_000).contains(count) else {
      throw .unknownWord(String(word))
    }
    return (word[..<star], count)
  }

  /// The duration of a pause in milliseconds.
  private static func pause(_ word: Substring) -> Int? {
    guard word.last == "s", word.count > 1, word.dropLast().allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
      let seconds = Double(word.dropLast()), seconds <= longest
    else { return nil }
    return Int((seconds * 1_000).rounded())
  }

  private static func key(_ word: Substring) -> Key? {
    switch word.lowercased() {
    case "up": .up
    case "down": .down
    case "left": .left
    case "right": .right
    case "escape": .escape
    default: word.count == 1 ? word.first.map(Key.character).flatMap { Command($0) == nil ? nil : $0 } : nil
    }
  }
}

/// The reason that a text is not a script of keys.
enum KeyScriptError: Error, Hashable, CustomStringConvertible {
  /// A word is neither a key nor a pause.
  case unknownWord(String)
  /// There are no keys and no pauses.
  case empty
  /// The keys and pauses take longer than ``KeyScript/longest``.
  case tooLong

  /// The reason in a sentence.
  var description: String {
    switch self {
    case .unknownWord(let word):
      "\"\(word)\" is no key: write up, down, left, right, a letter or a digit, up*20 to repeat one, or 0.5s to wait."
    case .empty: "The script has no keys: write some, such as \"up*20 left 1 2s\"."
    case .tooLong: "The script takes longer than \(Int(KeyScript.longest)) seconds: make it shorter."
    }
  }
}
