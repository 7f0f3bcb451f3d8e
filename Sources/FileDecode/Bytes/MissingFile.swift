internal import Glibc

/// The likely mistake in a path without a file, for an error message.
enum MissingFile {
  /// A sentence without its full stop.
  static func advice(for path: String) -> String {
    if path.hasPrefix("~") {
      return "A shell expands ~, and this library does not. Pass the path with the folder's full name"
    }
    if path.contains("://") || path.lowercased().hasPrefix("file:") {
      return "It is a URL. Pass a path, such as the path of the URL"
    }
    if let similar = similarPath(to: path) {
      return "There is \"\(similar)\". The two differ in upper and lower case, or in the Unicode form of a letter"
    }
    guard !path.hasPrefix("/"), let folder = currentFolder else { return "Check the path" }
    return "Check the path, and the folder that relative paths start from: it is \(folder)"
  }

  /// The folder that relative paths start from; `nil` if the system does not know it.
  private static var currentFolder: String? {
    // The system allocates the text, which is copied and freed here.
    guard let name = unsafe getcwd(nil, 0) else { return nil }
    defer { unsafe free(name) }
    return unsafe String(cString: name)
  }

  /// The path of a file whose name, and the names of its folders, differ at most in case or in the form of letters.
  ///
  /// Reads the folders in which a name is missing.
  private static func similarPath(to path: String) -> String? {
    // The C library would stop at the zero.
    guard !path.utf8.contains(0) else { return nil }
    var found = path.hasPrefix("/") ? "/" : ""
    var differs = false
    for name in path.split(separator: "/") {
      let folder = found
      found += name
      if !exists(found) {
        // Strings of the same letters are equal in every normalization form of Unicode.
        let wanted = name.lowercased()
        let candidates = names(in: folder.isEmpty ? "." : folder)
        let similar = candidates.filter { $0.lowercased() == wanted && !$0.utf8.elementsEqual(name.utf8) }.min()
        guard let similar else { return nil }
        found = folder + similar
        differs = true
      }
      found += "/"
    }
    guard differs else { return nil }
    found.removeLast()
    return found
  }

  private static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  private static func names(in folder: String) -> [String] {
    // The stream is closed when the function returns, and each entry is read before the next one replaces it.
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
          unsafe names.append(String(cString: $0))
        }
      }
    }
    return names
  }
}
