internal import CSpatial3DShim

extension ContextHandle {
  var resamplers: [Resampler] {
    let count = unsafe s3d_context_resampler_count(pointer)
    return (0..<count).map { Resampler(name: resamplerName(at: $0), index: $0) }
  }

  /// The index of the library's default; negative where there is no choice.
  var defaultResampler: Int32 { unsafe s3d_context_default_resampler(pointer) }

  func resampler(at index: Int32) -> Resampler? {
    let count = unsafe s3d_context_resampler_count(pointer)
    return (0..<count).contains(index) ? Resampler(name: resamplerName(at: index), index: index) : nil
  }

  private func resamplerName(at index: Int32) -> String {
    unsafe takeName(s3d_context_copy_resampler_name(pointer, index)) ?? "\(index)"
  }
}
