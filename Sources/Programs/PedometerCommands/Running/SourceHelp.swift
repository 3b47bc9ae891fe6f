/// The help on sources that 'live' and 'chase' share.
enum SourceHelp {
  /// The heading, and every kind of source but recordings and synthetic walks.
  static let live = """
    SOURCES
      iio:device0, evdev:/dev/input/event5, counter:device0
                               a sensor, as 'pedometer devices' lists them
      serial:/dev/ttyACM0,baud=115200
                               samples from a board; 'serial:' is the only board
      ble:C0:FF:EE:00:11:22    a foot pod or a watch with Bluetooth
      phyphox:http://192.168.1.7:8080
                               a phone with phyphox that allows remote access
      udp:5555                 samples as text in datagrams, as HyperIMU sends them
      ws://192.168.1.7:8080    a phone with SensorServer, or any URL of a WebSocket
      wss://phone/path,ca=FILE the same with TLS, and the app's own certificate
      exec:COMMAND             samples that a program prints: 'exec:ssh pi ./read';
                               of MQTT: 'exec:mosquitto_sub -R -h HOST -t TOPIC'
    """
}
