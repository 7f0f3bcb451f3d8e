import Foundation
import Stage

/// A file to read and a file to write.
struct Conversion: Hashable {
  /// The path of the input; `-` for standard input.
  let input: String
  /// The path of the output; `-` for standard output.
  let output: String
  /// The extension that selects the kind of the output, in lower case.
  let kind: String

  var readsStandardInput: Bool { input == "-" }
  var writesStandardOutput: Bool { output == "-" }

  /// The names in a message.
  var inputName: String { readsStandardInput ? "standard input" : input.withoutControlCharacters }
  var outputName: String { writesStandardOutput ? "standard output" : output.withoutControlCharacters }
}

/// The conversions for the arguments of the program.
struct ConversionPlan: Equatable {
  let conversions: [Conversion]

  /// The reason that the arguments do not make a plan, in a sentence.
  struct Problem: Error, Equatable {
    let message: String

    init(_ message: String) { self.message = message.withoutControlCharacters }
  }

  /// The extensions of the kinds of file that can be written.
  static let kinds = ["wav", "aiff", "aif", "caf", "flac", "ogg", "opus", "mp3"]

  /// The kinds as a list for a sentence.
  static var kindList: String { kinds.map { "." + $0 }.joined(separator: ", ") }

  /// Plans the conversions of inputs to an output.
  ///
  /// - Parameters:
  ///   - inputs: The files to read.
  ///   - hasSeveral: Whether the arguments stand for several inputs, or for a folder.
  ///   - output: The output argument.
  ///   - isFolder: Whether the output exists as a folder.
  ///   - kind: The extension that an option asks for.
  /// - Throws: A ``Problem`` with the argument that makes no plan.
  init(_ inputs: [InputFile], hasSeveral: Bool, to output: String, isFolder: Bool, kind: String?) throws(Problem) {
    if let kind, !Self.kinds.contains(kind) {
      throw Problem("--to takes one of \(Self.kinds.joined(separator: ", ")).")
    }
    let namesFolder = isFolder || output.hasSuffix("/")
    guard namesFolder || !hasSeveral else {
      throw Problem("Several inputs need a folder as output: end \(output) with /, or name a folder that exists.")
    }
    if output == "-" {
      guard let kind else { throw Problem("Standard output has no extension: add --to with a kind, such as --to wav.") }
      conversions = inputs.map { Conversion(input: $0.path, output: output, kind: kind) }
    } else if namesFolder {
      let folder = output.hasSuffix("/") ? output : output + "/"
      var planned: [Conversion] = []
      for input in inputs {
        guard input.path != "-" else {
          throw Problem("Standard input has no name for a file in \(output): name the output file.")
        }
        let own = Self.kind(of: input.path)
        guard let kind = kind ?? (Self.kinds.contains(own) ? own : nil) else {
          throw Problem("\(input.path) keeps no extension that can be written: add --to with one of \(Self.kindList).")
        }
        let stem = own.isEmpty ? input.relativePath : String(input.relativePath.dropLast(own.count + 1))
        planned.append(Conversion(input: input.path, output: folder + stem + "." + kind, kind: kind))
      }
      conversions = planned
    } else {
      guard kind == nil else {
        throw Problem("--to is for a folder or - as output: the name \(output) has its extension.")
      }
      let kind = Self.kind(of: output)
      guard Self.kinds.contains(kind) else {
        throw Problem("The extension of \(output) stands for no kind of file: use one of \(Self.kindList).")
      }
      conversions = inputs.map { Conversion(input: $0.path, output: output, kind: kind) }
    }
    try Self.check(conversions)
  }

  /// Refuses two inputs with one output, and an output that another conversion reads.
  private static func check(_ conversions: [Conversion]) throws(Problem) {
    var inputs: [String: Conversion] = [:]
    for conversion in conversions { inputs[standardized(conversion.input)] = conversion }
    var outputs: [String: Conversion] = [:]
    for conversion in conversions where !conversion.writesStandardOutput {
      let place = standardized(conversion.output)
      if let other = outputs.updateValue(conversion, forKey: place) {
        throw Problem(
          "\(other.input) and \(conversion.input) would both become \(conversion.output): convert them apart."
        )
      }
      if let reader = inputs[place], reader != conversion {
        throw Problem(
          "\(conversion.input) would become \(conversion.output), which is an input too: name another folder."
        )
      }
    }
  }

  private static func standardized(_ path: String) -> String { (path as NSString).standardizingPath }

  private static func kind(of path: String) -> String { (path as NSString).pathExtension.lowercased() }
}
