// Counts with the best sensor of this machine, and continues after unplugging and replugging: live-reconnect [STEPS]

import Counting
import Foundation
import LiveSources
import Pedometry

let goal = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100

let pedometer = LivePedometer()
guard pedometer.pedometerAvailable, !pedometer.permissionDeclined else {
  print("no sensor here that this user may read; see 'pedometer doctor'")
  exit(0)
}

events: for try await event in pedometer.events {
  switch event {
  case .began: print("counting until \(goal) steps")
  case .lost(let error): print("lost: \(error)")
  case .refused(let error): print("not back yet: \(error)")
  case .back(let name): print("back: \(name)")
  case .progress(let progress):
    if !progress.steps.isEmpty {
      print("\(progress.totals.steps) steps, \(progress.totals.currentCadence ?? 0) a second")
    }
    if progress.totals.steps >= goal { break events }
  default: break
  }
}
