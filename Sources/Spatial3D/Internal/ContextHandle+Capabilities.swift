internal import CSpatial3DShim

extension ContextHandle {
  var capabilities: Capabilities { Capabilities(rawValue: unsafe s3d_context_capabilities(pointer)) }

  var library: LoadedLibrary {
    LoadedLibrary(
      version: unsafe Self.string(S3D_VERSION, of: pointer),
      vendor: unsafe Self.string(S3D_VENDOR, of: pointer),
      renderer: unsafe Self.string(S3D_RENDERER, of: pointer)
    )
  }

  /// The version of the library behind a context; `nil` where it is not OpenAL Soft.
  static func version(of context: OpaquePointer) -> LibraryVersion? {
    LibraryVersion(unsafe string(S3D_VERSION, of: context))
  }

  /// Whether the library is OpenAL Soft of at least a version.
  func isAtLeast(_ major: Int, _ minor: Int) -> Bool {
    version.map { $0 >= LibraryVersion(major, minor, 0) } ?? false
  }

  private static func string(_ name: s3d_library_string, of context: OpaquePointer) -> String {
    unsafe takeName(s3d_context_copy_string(context, name)) ?? ""
  }
}
