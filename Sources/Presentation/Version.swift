/// What `--version` and the service say.
package enum Version {
  package static let current = "0.1.0"
}
