import Foundation

/// A folder that a program searches for sound files.
struct SoundFolder {
  private let path: String

  init(_ path: String) {
    self.path = path
  }

  /// The sound files in the folder and below it, and an error for each folder that cannot be read, sorted by path.
  ///
  /// Links to folders come last and lead to a folder only if it has not been read, so that no loop of links is endless.
  func entries() -> [Result<InputFile, InputError>] {
    var entries: [(relativePath: String, entry: Result<InputFile, InputError>)] = []
    var folders: [String] = [""]
    var links: [String] = []
    var visited: Set<FileIdentity> = []
    while let folder = folders.popLast() ?? links.popLast() {
      guard let identity = FileIdentity(of: absolute(folder)), visited.insert(identity).inserted else { continue }
      do {
        for name in try FileManager.default.contentsOfDirectory(atPath: absolute(folder)) where !name.hasPrefix(".") {
          let place = folder.isEmpty ? name : folder + "/" + name
          switch FileKind(of: absolute(place)) {
          case .folder where FileKind.isLink(absolute(place)): links.append(place)
          case .folder: folders.append(place)
          // A link to nothing is an error that the program reports when it opens the file.
          case .file, .missing:
            guard InputFile.extensions.contains((name as NSString).pathExtension.lowercased()) else { continue }
            entries.append((place, .success(InputFile(path: absolute(place), relativePath: place))))
          case .other: break
          }
        }
      } catch {
        entries.append((folder, .failure(.unreadable(absolute(folder), OutputFile.reason(of: error)))))
      }
      // The last one is read first, and the order of links decides under which name a folder is read.
      links.sort(by: >)
    }
    return entries.sorted { SoundFolder.precedes($0.relativePath, $1.relativePath) }.map(\.entry)
  }

  /// The path of a file or folder below this folder.
  private func absolute(_ relativePath: String) -> String {
    guard !relativePath.isEmpty else { return path }
    return path.hasSuffix("/") ? path + relativePath : path + "/" + relativePath
  }

  /// The order of paths: component by component, so that the files of a folder stay together.
  static func precedes(_ first: String, _ second: String) -> Bool {
    first.split(separator: "/").lexicographicallyPrecedes(second.split(separator: "/"))
  }
}

/// The kind of file at a path, through links.
public enum FileKind: Sendable {
  /// A regular file, a folder, or nothing.
  case file, folder, missing
  /// A pipe, a device or a socket.
  case other

  /// The kind of a path.
  public init(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      self = .missing
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    default: self = .other
    }
  }

  /// Whether the last component of a path is a link.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
}

/// A file or folder, whatever its path.
private struct FileIdentity: Hashable {
  private let device: UInt64
  private let number: UInt64

  /// `nil` if the path leads to nothing.
  init?(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }
}
