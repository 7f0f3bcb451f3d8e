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

  private static func string(_ name: s3d_library_string, of context: OpaquePointer) -> String {
    unsafe takeName(s3d_context_copy_string(context, name)) ?? ""
  }
}
