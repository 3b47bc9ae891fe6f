/// The version that `--version` and the service report.
package enum Version {
  package static let current = "0.1.0"
}
