import Accelerometry
import Pedometry
import StepDetection

/// What `pedometer_detector` of the header stands for: it lies at the beginning of the caller's memory.
private struct Detector {
  var counter = StepDetector()
  /// The new steps of the latest call.
  var found: [Step] = []

  mutating func take(_ change: (inout StepDetector, inout [Step]) -> Void) -> UInt32 {
    found.removeAll(keepingCapacity: true)
    change(&counter, &found)
    return UInt32(found.count)
  }
}

private func place(_ memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Detector> {
  unsafe memory.assumingMemoryBound(to: Detector.self)
}

@_cdecl("pedometer_detector_state_size")
public func stateSize() -> Int { MemoryLayout<Detector>.size }

@_cdecl("pedometer_detector_begin")
public func begin(_ memory: UnsafeMutableRawPointer) {
  unsafe memory.bindMemory(to: Detector.self, capacity: 1).initialize(to: Detector())
}

@_cdecl("pedometer_detector_add")
public func add(_ memory: UnsafeMutableRawPointer, _ nanoseconds: Int64, _ x: Float, _ y: Float, _ z: Float) -> UInt32 {
  let sample: InlineArray<1, AccelerationSample> = [
    AccelerationSample(nanoseconds: nanoseconds, acceleration: SIMD3(x, y, z))
  ]
  return unsafe place(memory).pointee.take { $0.process(sample.span, into: &$1) }
}

@_cdecl("pedometer_detector_finish")
public func finish(_ memory: UnsafeMutableRawPointer) -> UInt32 {
  unsafe place(memory).pointee.take { $0.finish(into: &$1) }
}

@_cdecl("pedometer_detector_step")
public func step(_ memory: UnsafeMutableRawPointer, _ index: UInt32) -> Int64 {
  let found = unsafe place(memory).pointee.found
  return index < UInt32(found.count) ? found[Int(index)].timestamp.wholeNanoseconds : .min
}

@_cdecl("pedometer_detector_reset")
public func reset(_ memory: UnsafeMutableRawPointer) {
  unsafe place(memory).pointee = Detector()
}
