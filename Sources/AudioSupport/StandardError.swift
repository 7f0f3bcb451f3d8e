internal import CSpatial3DSupport

/// Logs a line to standard error, for programs without a handler for diagnostics.
package func logToStandardError(_ line: String) {
  // The C function reads the string before it returns.
  unsafe s3d_log(line)
}
