/// The version of this program, for everything that states one.
package enum Version {
  package static let current = "0.2.0"
}
