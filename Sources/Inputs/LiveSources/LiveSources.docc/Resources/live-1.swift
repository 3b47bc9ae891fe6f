import LiveSources

let pedometer = LivePedometer()
guard pedometer.pedometerAvailable, !pedometer.permissionDeclined else {
  fatalError("no usable sensor; run 'pedometer doctor'")
}
