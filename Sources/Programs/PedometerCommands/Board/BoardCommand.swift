import ArgumentParser
import JSONLines
import Presentation
import Terminals

struct BoardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "board",
    abstract: "Print a sketch that makes a board with a sensor chip a step counter",
    discussion: """
      The sketch prints lines time_ms,x_g,y_g,z_g, 50 per second, which 'pedometer live serial:' reads without options. Those \
      with udp in their names send them over Wi-Fi, for 'pedometer live udp:5555': write the network, its password and the \
      address of this computer into them first. Without a name, the sketches are listed.

      Upload a .ino file with the Arduino IDE, copy a .py file to the board as main.py, run a .yaml file with 'esphome run'.

      EXAMPLES
        pedometer board
        pedometer board arduino-mpu6050 > walk.ino
        pedometer live serial:
        pedometer board esphome-udp > walk.yaml
      """)

  @Argument(
    help: "The sketch to print, by its name or its chip, such as mpu6050. (default: list them)",
    completion: .list(BoardSketch.all.map(\.name)))
  var sketch: String?

  func validate() throws {
    guard let sketch, BoardSketch.named(sketch) == nil else { return }
    throw ValidationError(
      "unknown sketch '\(sketch)'; choose one of " + BoardSketch.all.map(\.name).joined(separator: ", "))
  }

  func run() throws {
    StandardOutput.ignoreBrokenPipes()
    if let sketch, let found = BoardSketch.named(sketch) { return try StandardOutput.write(found.text) }
    let width = BoardSketch.all.map(\.name.count).max() ?? 0
    try StandardOutput.write(BoardSketch.all.map { "\($0.name.padded(to: width + 2))\($0.summary)\n" }.joined())
  }
}
