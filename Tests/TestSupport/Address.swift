/// The memory address of an array's elements.
package func address(of samples: [Float]) -> UInt {
  unsafe samples.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
}
