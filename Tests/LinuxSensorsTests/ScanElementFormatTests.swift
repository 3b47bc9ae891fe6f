import LinuxSensors
import Testing

@Suite("Scan element formats")
struct ScanElementFormatTests {
}
