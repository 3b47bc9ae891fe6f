import DaemonCommand

/// `pedometerd` as an executable, for builds; an installation has a link to `pedometer-full`.
@main
struct Main {
  static func main() { PedometerDaemon.runProcess() }
}
