// A file of an iOS app with only the import changed.

import CoreMotionPedometer
import Foundation

final class StepModel: Sendable {
  private let pedometer = CMPedometer()

  func startCounting(_ show: @escaping @Sendable (String) -> Void) {
    guard CMPedometer.isStepCountingAvailable() else { return show("Step counting is not available.") }
    guard CMPedometer.authorizationStatus() != .denied else { return show("Please allow access to motion data.") }

    let midnight = Calendar.current.startOfDay(for: Date())
    pedometer.queryPedometerData(from: midnight.addingTimeInterval(-86_400), to: midnight) { data, error in
      if let data { show("Yesterday: \(data.numberOfSteps) steps") }
    }
    pedometer.startUpdates(from: midnight) { data, error in
      if let error = error as NSError?, error.code == Int(CMErrorMotionActivityNotAuthorized.rawValue) {
        return show("Please allow access to motion data.")
      }
      guard let data else { return }
      show("Today: \(data.numberOfSteps) steps, \(data.distance?.intValue ?? 0) m")
    }
    if CMPedometer.isPedometerEventTrackingAvailable() {
      pedometer.startEventUpdates { event, error in
        guard let event else { return }
        show(event.type == .pause ? "Paused at \(event.date)" : "Walking since \(event.date)")
      }
    }
  }

  func stopCounting() {
    pedometer.stopUpdates()
    pedometer.stopEventUpdates()
  }
}
