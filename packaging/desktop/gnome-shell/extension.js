// Today's steps in the top bar of GNOME Shell, and a menu with the rest. All figures come from D-Bus, when they change.

import Clutter from "gi://Clutter";
import GObject from "gi://GObject";
import Gio from "gi://Gio";
import Pango from "gi://Pango";
import St from "gi://St";

import {Extension} from "resource:///org/gnome/shell/extensions/extension.js";
import * as Main from "resource:///org/gnome/shell/ui/main.js";
import * as PanelMenu from "resource:///org/gnome/shell/ui/panelMenu.js";
import * as PopupMenu from "resource:///org/gnome/shell/ui/popupMenu.js";

import {PedometerService} from "./service.js";
import {wording} from "./wording.js";

/** A column or a row, in all versions of the Shell. */
function box(orientation, spacing, parameters) {
  return new St.Widget({layout_manager: new Clutter.BoxLayout({orientation, spacing}), ...parameters});
}

/** A text that is wrapped. */
function text(style) {
  const label = new St.Label({style_class: style, x_expand: true});
  label.clutter_text.set({line_wrap: true, ellipsize: Pango.EllipsizeMode.NONE});
  return label;
}

function warning(style) {
  return new St.Icon({icon_name: "dialog-warning-symbolic", style_class: style});
}

/** Shows a text, or nothing. */
function show(label, string) {
  label.text = string;
  label.visible = string !== "";
}

/** The share of the goal as an arc around what is inside; invisible without a goal. */
const Ring = GObject.registerClass(
  class PedometerRing extends St.Widget {
    /**
     * @param {string} style the class, whose color and -ring-track are those of the ring
     * @param {number} thickness of the line, in pixels before the display's scale
     * @param {St.Widget} inside
     */
    constructor(style, thickness, inside) {
      super({layout_manager: new Clutter.BinLayout(), y_align: Clutter.ActorAlign.CENTER, style_class: style});
      this._share = null;
      this._area = new St.DrawingArea({x_expand: true, y_expand: true, style_class: "pedometer-arc"});
      this._area.connect("repaint", area => this._draw(area, thickness));
      inside.set({x_align: Clutter.ActorAlign.CENTER, y_align: Clutter.ActorAlign.CENTER, x_expand: true, y_expand: true});
      this.add_child(this._area);
      this.add_child(inside);
    }

    set share(share) {
      if (share === this._share) return;
      this._share = share;
      this._area.queue_repaint();
    }

    _draw(area, thickness) {
      const context = area.get_context();
      if (this._share !== null) {
        const [width, height] = area.get_surface_size();
        const line = thickness * St.ThemeContext.get_for_stage(global.stage).scale_factor;
        const node = area.get_theme_node();
        const [hasTrack, track] = node.lookup_color("-ring-track", true);
        const arc = (color, part) => {
          context.setSourceRGBA(color.red / 255, color.green / 255, color.blue / 255, color.alpha / 255);
          context.arc(width / 2, height / 2, (Math.min(width, height) - line) / 2, -Math.PI / 2, (2 * part - 0.5) * Math.PI);
          context.stroke();
        };
        context.setLineWidth(line);
        context.setLineCap(1); // Cairo.LineCap.ROUND
        if (hasTrack) arc(track, 1);
        if (this._share > 0) arc(node.get_foreground_color(), Math.min(1, this._share));
      }
      context.$dispose();
    }
  });

const Indicator = GObject.registerClass(
  class PedometerIndicator extends PanelMenu.Button {
    /**
     * @param {Gio.Icon} icon
     * @param {string} name of the extension
     */
    constructor(icon, name) {
      super(0.5, name);
      this._page = null;
      this._addPanel(icon);
      this._addSummary(icon);
      this._addHelp();
      this.menu.addMenuItem(new PopupMenu.PopupSeparatorMenuItem());
      this._open = this.menu.addAction("Open the Page", () => this._openPage());
    }

    _addPanel(icon) {
      this._icon = new St.Icon({gicon: icon, style_class: "pedometer-panel-icon"});
      this._ring = new Ring("pedometer-panel-ring", 2, this._icon);
      this._steps = new St.Label({y_align: Clutter.ActorAlign.CENTER, style_class: "pedometer-panel-steps"});
      this._warning = warning("system-status-icon pedometer-panel-warning");
      const panel = box(Clutter.Orientation.HORIZONTAL, 0, {style_class: "pedometer-panel"});
      for (const part of [this._ring, this._steps, this._warning]) panel.add_child(part);
      this.add_child(panel);
    }

    /** The ring, beside it the texts. */
    _addSummary(icon) {
      this._summary = new PopupMenu.PopupBaseMenuItem({activate: false, hover: false, style_class: "pedometer-summary"});
      this._walker = new St.Icon({gicon: icon, style_class: "pedometer-walker"});
      this._bigRing = new Ring("pedometer-ring", 6, this._walker);
      this._title = text("pedometer-title");
      this._lines = [0, 1, 2].map(() => text("pedometer-line"));
      const column = box(Clutter.Orientation.VERTICAL, 2, {x_expand: true, y_align: Clutter.ActorAlign.CENTER});
      for (const label of [this._title, ...this._lines]) column.add_child(label);
      this._summary.add_child(this._bigRing);
      this._summary.add_child(column);
      this.menu.addMenuItem(this._summary);
    }

    /** Why steps may be missing, and what to do. */
    _addHelp() {
      this._help = new PopupMenu.PopupBaseMenuItem({activate: false, hover: false, style_class: "pedometer-help"});
      const column = box(Clutter.Orientation.VERTICAL, 6, {x_expand: true});
      this._problem = text("pedometer-problem");
      this._problemRow = box(Clutter.Orientation.HORIZONTAL, 8, {});
      this._problemRow.add_child(warning("popup-menu-icon pedometer-problem"));
      this._problemRow.add_child(this._problem);
      this._advice = text("");
      this._command = text("pedometer-command");
      for (const part of [this._problemRow, this._advice, this._command]) column.add_child(part);
      this._help.add_child(column);
      this.menu.addMenuItem(this._help);
      this._copy = this.menu.addAction("Copy the Command", () => {
        St.Clipboard.get_default().set_text(St.ClipboardType.CLIPBOARD, this._command.text);
      });
    }

    /** Shows what the service knows. */
    update(state) {
      const words = wording(state);
      this._page = words.page;
      this.accessible_name = words.accessible;
      for (const ring of [this._ring, this._bigRing]) ring.share = words.share;
      for (const icon of [this._icon, this._walker]) {
        icon.opacity = words.page === null ? 128 : 255;
        if (words.isWalking) icon.add_style_pseudo_class("active");
        else icon.remove_style_pseudo_class("active");
      }
      show(this._steps, words.panel);
      this._warning.visible = words.problem !== "";
      show(this._title, words.title);
      this._lines.forEach((label, index) => show(label, words.lines[index] ?? ""));
      this._summary.accessible_name = [words.title, ...words.lines].join(", ");
      show(this._problem, words.problem);
      this._problemRow.visible = words.problem !== "";
      show(this._advice, words.help);
      show(this._command, words.command);
      this._help.accessible_name = [words.problem, words.help, words.command].filter(string => string).join(" ");
      this._help.visible = this._help.accessible_name !== "";
      this._copy.visible = words.command !== "";
      this._open.visible = words.page !== null;
    }

    _openPage() {
      Gio.AppInfo.launch_default_for_uri_async(this._page, global.create_app_launch_context(0, -1), null, (_source, result) => {
        try {
          Gio.AppInfo.launch_default_for_uri_finish(result);
        } catch (error) {
          Main.notifyError("Pedometer: the page cannot be opened", error.message);
        }
      });
    }
  });

export default class PedometerExtension extends Extension {
  enable() {
    const icon = Gio.icon_new_for_string(this.dir.get_child("icons").get_child("pedometer-symbolic.svg").get_path());
    this._indicator = new Indicator(icon, this.metadata.name);
    this._service = new PedometerService(state => this._indicator.update(state));
    this._indicator.update(this._service.state);
    Main.panel.addToStatusArea(this.uuid, this._indicator);
  }

  disable() {
    this._service.close();
    this._indicator.destroy();
    this._service = this._indicator = null;
  }
}
