internal import CSpatial3DShim

internal import Glibc

/// Calls a function of the shim that creates something, and throws its error.
func creating<Created>(
  _ operation: String,
  part: LibraryError.Part = .context,
  _ initial: Created,
  failure: (s3d_error) -> (code: AudioError.Code, message: String),
  _ create: (inout Created) -> s3d_error
) throws(AudioError) -> Created {
  var created = initial
  let error = create(&created)
  guard error != S3D_OK else { return created }
  let (code, message) = failure(error)
  let underlying = error > 0 ? LibraryError(code: Int(error), part: part) : nil
  throw AudioError(code: code, operation: operation, message: message, underlying: underlying)
}

/// Calls a function of the shim that creates an object behind a pointer, and throws its error.
func creatingPointer(
  _ operation: String,
  failure: (s3d_error) -> (code: AudioError.Code, message: String),
  _ create: (inout OpaquePointer?) -> s3d_error
) throws(AudioError) -> OpaquePointer {
  // The shim has set the pointer if it reports success.
  unsafe try creating(operation, part: .device, nil, failure: failure, create).unsafelyUnwrapped
}

/// Converts a run of strings that ends in an empty one; frees it.
func takeNames(_ run: UnsafeMutablePointer<CChar>?) -> [String] {
  // The run is the caller's own copy, zero-terminated twice, and is read before it is freed.
  guard let run = unsafe run else { return [] }
  var names: [String] = []
  var next = unsafe run
  while unsafe next.pointee != 0 {
    unsafe names.append(String(cString: next))
    unsafe next += strlen(next) + 1
  }
  unsafe free(run)
  return names
}

/// Converts a string of the shim; frees it.
func takeName(_ name: UnsafeMutablePointer<CChar>?) -> String? {
  // The string is the caller's own copy, zero-terminated, and is read before it is freed.
  guard let name = unsafe name else { return nil }
  defer { unsafe free(name) }
  return unsafe String(cString: name)
}

/// The end of a message about a name that no output or input has, or that would not open.
func knownNames(_ names: [String], of part: String) -> String {
  names.isEmpty ? "The system knows no \(part)." : "The system knows: \(names.joined(separator: ", "))."
}

extension s3d_layout {
  /// The library's constant for a layout; `nil` where it has none.
  init?(_ layout: ChannelLayout) {
    switch layout {
    case .mono: self = S3D_MONO
    case .stereo: self = S3D_STEREO
    case .quad: self = S3D_QUAD
    case .surround51: self = S3D_SURROUND_51
    case .surround61: self = S3D_SURROUND_61
    case .surround71: self = S3D_SURROUND_71
    case .bFormat2D: self = S3D_BFORMAT_2D
    case .bFormat3D: self = S3D_BFORMAT_3D
    default: return nil
    }
  }
}
