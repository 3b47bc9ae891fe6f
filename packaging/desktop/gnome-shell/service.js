// The figures of pedometerd, from the bus on which it is. Nothing here needs the Shell.

import Gio from "gi://Gio";
import GLib from "gi://GLib";

export const NAME = "org.pedometer.Pedometer1";
const PATH = "/org/pedometer/Pedometer1";
const PROPERTIES = "org.freedesktop.DBus.Properties";

/** pedometerd on one bus: its properties while it has its name there. */
class ServiceOnBus {
  /**
   * @param {Gio.BusType} type the session bus or the system bus
   * @param {Function} changed called after each change
   */
  constructor(type, changed) {
    this._changed = changed;
    /** Whether the name has an owner. */
    this.isRunning = false;
    /** The known properties by name; null before the first answer. */
    this.figures = null;
    /** Why the properties cannot be read; null if they can. */
    this.refusal = null;
    this._watch = Gio.bus_watch_name(
      type, NAME, Gio.BusNameWatcherFlags.NONE,
      connection => this._appeared(connection), () => this._vanished());
  }

  close() {
    Gio.bus_unwatch_name(this._watch);
    this._forget();
  }

  _appeared(connection) {
    this._forget();
    this.isRunning = true;
    this._connection = connection;
    this._cancellable = new Gio.Cancellable();
    // Before the question, so that no change is missed between the two.
    this._subscription = connection.signal_subscribe(
      NAME, PROPERTIES, "PropertiesChanged", PATH, NAME, Gio.DBusSignalFlags.NONE,
      (_connection, _sender, _path, _interface, _signal, parameters) => {
        const [, changed, invalidated] = parameters.recursiveUnpack();
        this.figures = {...this.figures, ...changed};
        for (const name of invalidated) delete this.figures[name];
        this._changed();
      });
    connection.call(
      NAME, PATH, PROPERTIES, "GetAll", new GLib.Variant("(s)", [NAME]), new GLib.VariantType("(a{sv})"),
      Gio.DBusCallFlags.NO_AUTO_START, -1, this._cancellable,
      (source, result) => {
        try {
          [this.figures] = source.call_finish(result).recursiveUnpack();
          this.refusal = null;
        } catch (error) {
          // The name has vanished, or this object is closed.
          if (error.matches?.(Gio.IOErrorEnum, Gio.IOErrorEnum.CANCELLED)) return;
          this.refusal = error.matches?.(Gio.DBusError, Gio.DBusError.ACCESS_DENIED) ? "denied" : error.message;
        }
        this._changed();
      });
    this._changed();
  }

  _vanished() {
    this._forget();
    this._changed();
  }

  _forget() {
    this._cancellable?.cancel();
    if (this._subscription) this._connection.signal_unsubscribe(this._subscription);
    this._connection = this._cancellable = this._subscription = null;
    this.isRunning = false;
    this.figures = this.refusal = null;
  }
}

/** pedometerd on the session bus, otherwise on the system bus. */
export class PedometerService {
  /** @param {Function} changed called with what `wording` in wording.js takes, after each change */
  constructor(changed) {
    const tell = () => changed(this.state);
    this._places = [];
    for (const type of [Gio.BusType.SESSION, Gio.BusType.SYSTEM]) this._places.push(new ServiceOnBus(type, tell));
  }

  /** What is known now. */
  get state() {
    const {isRunning, figures, refusal} = this._places.find(place => place.isRunning) ?? {isRunning: false};
    return {isRunning, figures, refusal};
  }

  /** Ends all watching; `changed` is not called again. */
  close() {
    for (const place of this._places) place.close();
    this._places = [];
  }
}
