import Accelerometry
import Counting
import Glibc
import LinuxSensors
import LiveSources
import Pedometry
import SourceNames

/// Prints what LinuxSensors finds and reads. Tests run it with devices played by umockdev, and in the virtual machine.
///
///     sensor-probe devices
///     sensor-probe samples URI COUNT [lively|thrifty] [silence=SECONDS] [all]
///     sensor-probe steps URI READINGS
///     sensor-probe changes COUNT
///     sensor-probe reconnect URI COUNT
///     sensor-probe access
@main
struct SensorProbe {
  /// Signals are blocked before any other thread starts, so that all threads inherit the mask.
  static func main() {
    endOnSignals()
    let arguments = Array(CommandLine.arguments.dropFirst())
    Task.detached {
      let status = await status(of: arguments)
      SensorSessions.stopAll()
      exit(status)
    }
    while true { pause() }
  }

  private static func status(of arguments: [String]) async -> Int32 {
    do {
      try await run(arguments)
      return 0
    } catch let error as SensorError {
      say("error \(error.exitStatus.rawValue) \(error)")
      return error.exitStatus.rawValue
    } catch {
      say("error \(error)")
      return 70
    }
  }

  private static func run(_ arguments: [String]) async throws {
    let words = arguments + ["", "", "", ""]
    let count = Int(words[2]) ?? Int(words[1]) ?? 10
    switch words[0] {
    case "devices": for sensor in try SensorDiscovery().sensors() { show(sensor) }
    case "samples":
      try await showSamples(words[1], count, options(words[3], words[4]), isVerbose: words.contains("all"))
    case "steps": try await showSteps(words[1], count)
    case "changes": try await showChanges(count)
    case "reconnect": try await showReconnecting(words[1], count)
    case "access":
      let survey = try SensorSurvey.now()
      say("available \(survey.pedometerAvailable) declined \(survey.permissionDeclined)")
      if let obstacle = survey.obstacle { say("obstacle \(obstacle.exitStatus.rawValue) \(obstacle)") }
      if let best = DiscoveredSensor.best(among: survey.sensors, for: .lively) { say("best \(best.uri)") }
    default: say("what?")
    }
  }

  private static func options(_ words: String...) -> SensorOptions {
    var options = SensorOptions()
    for word in words {
      if word == "thrifty" { options.use = .thrifty }
      if word.hasPrefix("silence="), let seconds = Double(word.dropFirst(8)) {
        options.silenceTimeout = .seconds(seconds)
      }
    }
    return options
  }

  private static func show(_ sensor: DiscoveredSensor) {
    say("\(sensor.uri) '\(sensor.name)' \(sensor.kind) \(sensor.identity)")
    say(
      "  rate \(sensor.samplingFrequency.map(\.description) ?? "-") range \(sensor.range.map { "\($0) g" } ?? "-")"
        + " node \(sensor.node ?? "-") external \(sensor.isExternal)")
    say("  parents \(sensor.parents.joined(separator: " < "))")
    say("  \(sensor.usability)")
    if case .unusable(let error) = sensor.usability { say("  \(error)") }
    for remark in sensor.remarks { say("  remark \(remark)") }
  }

  private static func showSamples(_ uri: String, _ count: Int, _ options: SensorOptions, isVerbose: Bool) async throws {
    guard case .accelerometer(let source) = try SensorSource.open(SourceURI(parsing: uri), options: options) else {
      return say("not an accelerometer")
    }
    say("profile \(source.profile)")
    try await show(source.batches(), count, isVerbose: isVerbose)
    say("acquisition \(source.acquisition.map { "\($0)" } ?? "-")")
  }

  private static func show(_ batches: SensorReadings<SampleBatch>, _ count: Int, isVerbose: Bool = false) async throws {
    var seen = 0
    var batchCount = 0
    for try await batch in batches {
      batchCount += 1
      if let gap = batch.gap { say("gap \(gap)") }
      for sample in batch.samples where seen < count {
        seen += 1
        let g = sample.acceleration
        if isVerbose || seen <= 5 || seen == count { say("\(sample.nanoseconds) \(g.x) \(g.y) \(g.z)") }
      }
      if seen >= count { break }
    }
    say("samples \(seen) batches \(batchCount)")
  }

  private static func showSteps(_ uri: String, _ count: Int) async throws {
    guard case .stepCounter(let counter) = try SensorSource.open(SourceURI(parsing: uri)) else {
      return say("not a step counter")
    }
    var seen = 0
    for try await reading in counter.readings() {
      say(
        "steps \(reading.steps) new \(reading.newSteps) distance \(reading.distance.map { "\($0)" } ?? "-")")
      seen += 1
      if seen == count { break }
    }
  }

  private static func showChanges(_ count: Int) async throws {
    var seen = 0
    for try await change in SensorDiscovery().changes() {
      switch change {
      case .added(let sensor): say("added \(sensor.uri) \(sensor.identity)")
      case .changed(let sensor): say("changed \(sensor.uri)")
      case .removed(let sensor): say("removed \(sensor.uri) \(sensor.identity)")
      }
      seen += 1
      if seen == count { break }
    }
  }

  private static func showReconnecting(_ uri: String, _ count: Int) async throws {
    let wanted = try SourceURI(parsing: uri)
    guard let source = try await Sources(waits: true).open(wanted, for: .live) else { return }
    var seen = 0
    for try await event in source.elements {
      guard case .element(.samples(let batch)) = event else {
        say("event \(event)")
        continue
      }
      if let gap = batch.gap { say("gap \(gap)") }
      seen += batch.samples.count
      if seen >= count { break }
    }
    say("samples \(seen)")
  }

  /// SIGINT and SIGTERM restore every sensor before the process ends.
  private static func endOnSignals() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGINT)
    unsafe sigaddset(&signals, SIGTERM)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    var thread = pthread_t()
    unsafe pthread_create(
      &thread, nil,
      { _ in
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGINT)
        unsafe sigaddset(&signals, SIGTERM)
        var number: Int32 = 0
        unsafe sigwait(&signals, &number)
        SensorSessions.stopAll()
        say("stopped by signal \(number)")
        exit(0)
      }, nil)
  }
}

/// Prints a line without buffering.
private func say(_ line: String) {
  print(line)
  fflush(nil)
}
