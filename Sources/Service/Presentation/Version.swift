import Counting

/// The version that `--version` and the service report.
package typealias Version = Counting.Version
