/// A sound file that the arguments of a program name, directly or by its folder.
public struct InputFile: Hashable, Sendable {
  /// The path of the file.
  public let path: String

  /// The path below the folder that an argument named; the last component of a file that an argument named itself.
  public let relativePath: String

  /// A file by its path and its relative path in a folder.
  public init(path: String, relativePath: String) {
    self.path = path
    self.relativePath = relativePath
  }

  /// The extensions of sound files, in lower case and without the dot.
  ///
  /// They select the files of a folder. A file that an argument names may have any name.
  public static let extensions: Set<String> = [
    "aac", "aif", "aifc", "aiff", "au", "caf", "flac", "m4a", "m4b", "mp1", "mp2", "mp3", "mp4", "oga", "ogg", "opus",
    "rf64", "snd", "w64", "wav", "wave",
  ]

  /// The sound files for the arguments of a program, in the order of the arguments.
  ///
  /// An argument that is no folder stands for itself, whether or not the file exists. A folder stands for the sound
  /// files in it and below it, sorted by path. Hidden files and folders, other files, pipes and devices are left out. A
  /// folder is read once for an argument: a link is followed unless its folder has been read under its own name.
  ///
  /// A failure replaces the files: of a folder if `recursive` is false, of a folder without sound files, and of each
  /// folder that cannot be read.
  public static func expand(_ arguments: [String], recursive: Bool) -> [Result<InputFile, InputError>] {
    arguments.flatMap { argument -> [Result<InputFile, InputError>] in
      guard FileKind(of: argument) == .folder else {
        let name = argument.split(separator: "/").last.map(String.init) ?? argument
        return [.success(InputFile(path: argument, relativePath: name))]
      }
      guard recursive else { return [.failure(.folder(argument))] }
      let found = SoundFolder(argument).entries()
      return found.isEmpty ? [.failure(.noSounds(argument))] : found
    }
  }
}

/// The reason that an argument, or a folder below it, leads to no sound files.
public struct InputError: Error, Equatable, CustomStringConvertible {
  /// The path of the folder.
  public let path: String

  /// The reason in a sentence that names the folder and the remedy.
  public let message: String

  /// The error's ``message``.
  public var description: String { message }

  private init(_ path: String, _ predicate: String) {
    self.path = path
    message = "\(path.withoutControlCharacters) \(predicate)"
  }

  /// A folder where a program takes files.
  static func folder(_ path: String) -> InputError {
    InputError(path, "is a folder: add --recursive for the sound files in it, or name a file.")
  }

  static func noSounds(_ path: String) -> InputError {
    let extensions = InputFile.extensions.sorted().map { "." + $0 }.joined(separator: ", ")
    return InputError(path, "holds no sound files. Their extensions are \(extensions). Hidden files do not count.")
  }

  /// A folder that the system does not open, for a reason such as "Permission denied".
  static func unreadable(_ path: String, _ reason: String) -> InputError {
    InputError(path, "cannot be read: \(reason). Check its permissions, or name the files in it.")
  }
}
