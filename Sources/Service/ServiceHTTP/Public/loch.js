// The picture of a chase, as in the terminal: the loch in the evening, Nessie in the water, the walker on the shore. Sprites and
// colours are those of the terminal; /scene.json has them.
import { onBeat } from "/common.js";

let scene = null;
const loading = fetch("/scene.json").then((answer) => (answer.ok ? answer.json() : null)).then((told) => { scene = told; }).catch(() => {});

// MARK: irregularity that repeats

function hash(value) {
  let bits = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
const noise = (cell, seed) => hash(cell * 7919 + seed * 104_729) / 2 ** 32;
function smooth(place, seed) {
  const cell = Math.floor(place);
  const part = place - cell;
  const [left, right] = [noise(cell, seed), noise(cell + 1, seed)];
  return left + (right - left) * part * part * (3 - 2 * part);
}

// MARK: motion without jerks

/** A value that follows another one, and never backwards; a larger jump is a new chase. */
class Follower {
  value = 0;
  follow(target, speed, seconds) {
    if (!(target >= this.value - 15 && target - this.value < 30)) { this.value = target; return; }
    const share = seconds / (2 + seconds);
    this.value += Math.max(0, speed * seconds + (target - this.value - speed * seconds) * share);
  }
}

/** The loch on a canvas. */
export class Loch {
  constructor(canvas) {
    this.canvas = canvas;
    this.small = document.createElement("canvas");
    this.isCalm = matchMedia("(prefers-reduced-motion: reduce)");
    this.state = "notStarted";
    this.frame = null;
    this.headStart = 20;
    [this.walker, this.nessie] = [new Follower(), new Follower()];
    [this.speeds, this.clock, this.stride, this.last] = [[0, 0], 0, 0, null];
    this.layers = new Map();
    this.told = { gap: "" };
    this.isOnScreen = true;
    new ResizeObserver(() => this.show()).observe(canvas);
    new IntersectionObserver(([entry]) => { this.isOnScreen = entry.isIntersecting; this.run(); }).observe(canvas);
    document.addEventListener("visibilitychange", () => this.run());
    loading.then(() => this.show());
  }

  /** Metres from Nessie to the walker; `null` before they are known. */
  get gap() {
    const { frame } = this;
    if (!frame) return null;
    if (frame.nessie > 0) this.headStart = frame.nessieDistance / frame.nessie - frame.distance;
    return Math.max(0, frame.distance + this.headStart - frame.nessieDistance);
  }

  /** The gap as the figures beside the picture say it. */
  say(gap) { this.told = { gap }; }

  take(state, frame) {
    const now = performance.now() / 1000;
    if (frame && this.frame && frame !== this.frame && frame.t > this.frame.t) {
      const seconds = frame.t - this.frame.t;
      const speed = (key) => Math.min(8, Math.max(0, (frame[key] - this.frame[key]) / seconds));
      this.speeds = [(this.speeds[0] + speed("distance")) / 2, (this.speeds[1] + speed("nessieDistance")) / 2];
    }
    if (state !== this.state || !frame) {
      [this.walker.value, this.nessie.value] = [frame?.distance ?? 0, frame?.nessieDistance ?? 0];
      this.speeds = [0, 0];
    }
    if (!frame) this.headStart = 20;
    [this.state, this.frame, this.arrival] = [state, frame, now];
    this.run();
  }

  /** Three pictures a second in a chase, each with another pose of the walker; one whenever something changes otherwise. */
  run() {
    onBeat("loch", () => {
      const isSeen = this.isOnScreen && !document.hidden && this.canvas.clientWidth > 0;
      if (isSeen) this.show();
      if (isSeen && this.state === "inProgress" && !this.isCalm.matches) this.run(); else this.last = null;
    }, 1000 / 3);
  }

  advance() {
    const now = performance.now() / 1000;
    const seconds = this.last === null ? 0 : Math.min(1, now - this.last);
    this.last = now;
    const { frame } = this;
    if (!frame) return;
    if (this.isCalm.matches || this.state !== "inProgress") {
      [this.walker.value, this.nessie.value] = [frame.distance, frame.nessieDistance];
      return;
    }
    // What was told is some tenths of a second old.
    const age = Math.min(2, now - this.arrival);
    this.walker.follow(frame.distance + this.speeds[0] * age, this.speeds[0], seconds);
    this.nessie.follow(frame.nessieDistance + this.speeds[1] * age, this.speeds[1], seconds);
    this.clock += seconds;
    // No pose is left out.
    this.stride += Math.min(0.5, seconds * (this.speeds[0] / 0.7));
  }

  show() {
    const { canvas, small } = this;
    if (!scene || canvas.clientWidth === 0) return;
    this.advance();
    const ratio = window.devicePixelRatio || 1;
    // Pixels that one sees, four or more screen pixels each.
    const edge = Math.max(3, Math.round(canvas.clientWidth / 260));
    const [width, height] = [Math.ceil(canvas.clientWidth / edge), Math.ceil(canvas.clientHeight / edge)];
    if (small.width !== width || small.height !== height) [small.width, small.height] = [width, height];
    this.paint(small.getContext("2d"), this.layout(width, height));
    const [wide, high] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
    // Without transparency it is not mixed with what is behind it.
    const context = canvas.getContext("2d", { alpha: false });
    context.imageSmoothingEnabled = false;
    context.drawImage(small, 0, 0, width * edge * ratio, height * edge * ratio);
    this.label(context, this.layout(width, height), edge * ratio);
  }

  layout(width, height) {
    const scale = height < 40 || width < 70 ? 1 : Math.min(height < 90 ? 1 : 2, Math.max(1, Math.floor(width / 100)));
    const shoreHeight = Math.max(2, Math.floor((height * 16) / 100));
    const shore = height - shoreHeight;
    const loch = shore - Math.max(2, Math.floor((height * 30) / 100));
    const feet = height - 1 - Math.floor(shoreHeight / 3);
    const walker = Math.floor((width * 70) / 100);
    const metre = Math.min(Math.max(width / 40, 0.8), 5);
    const reach = Math.max(4, walker - 30 * scale);
    const behind = (metres) => { const pixels = Math.min(Math.max(metres, 0), 10_000) * metre; return (pixels * reach) / (pixels + reach); };
    return { width, height, scale, shore, loch, feet, walker, metre, behind, waterline: loch + Math.floor(((shore - loch) * 3) / 4) };
  }

  paint(context, at) {
    const colour = scene.colours;
    const fill = (name, x, y, width, height) => { context.fillStyle = colour[name]; context.fillRect(x, y, width, height); };
    const walked = this.isCalm.matches ? 0 : this.walker.value;
    this.layer(context, "sky", at, 0, (fill) => {
      const sky = ["sky0", "sky1", "sky2", "sky3", "sky4", "sky5"];
      const visible = Math.max(1, Math.floor((at.loch * 3) / 4));
      for (let y = 0; y < at.loch; y += 1) fill(sky[Math.min(Math.floor((y * 6) / visible), 5)], 0, y, at.width, 1);
      for (let star = 0; star < at.width / 9; star += 1) {
        fill("star", hash(star * 7 + 3) % at.width, hash(star * 13 + 5) % Math.max(1, Math.floor(at.loch / 3)), 1, 1);
      }
      const depth = at.shore - at.loch;
      for (let y = at.loch; y < at.shore; y += 1) fill(["water0", "water1", "water2"][Math.min(Math.floor(((y - at.loch) * 3) / depth), 2)], 0, y, at.width, 1);
      fill("sand", 0, at.shore, at.width, at.height - at.shore);
    });
    const ridge = (name, share, scroll, period, seed) => {
      const first = Math.floor(walked * at.metre * scroll);
      this.layer(context, name, at, first, (fill) => {
        for (let x = 0; x < at.width; x += 1) {
          const place = (first + x) / (period * at.scale);
          const tall = Math.round(at.loch * share * (0.35 + 0.5 * smooth(place, seed) + 0.15 * smooth(place * 3.1, seed + 1)));
          fill(name, x, at.loch - tall, 1, tall);
        }
      });
    };
    ridge("mountain", 0.55, 0.06, 22, 11);
    const every = at.width * 2.2;
    const left = at.width * 0.72 - ((walked * at.metre * 0.22) % every);
    for (const x of [left, left + every]) this.sprite(context, "castle", Math.floor(x), at.loch - Math.floor(at.loch / 9), at.scale);
    ridge("hill", 0.26, 0.22, 14, 5);
    const drift = Math.floor(walked * at.metre * 0.5);
    for (let y = at.loch; y < at.shore; y += 1) {
      // Glints are three pixels long.
      for (let cell = Math.floor(drift / 3); 3 * cell - drift < at.width; cell += 1) {
        const place = hash(cell * 131 + y * 7919);
        if (place % 17 === 0 && ((Math.floor(this.clock) + ((place >> 20) & 7)) & 3) < 2) fill("glint", 3 * cell - drift, y, 3, 1);
      }
    }
    this.paintNessie(context, at, fill);
    const ground = Math.floor(walked * at.metre);
    this.layer(context, "shore", at, ground, (fill) => {
      // Over whatever of Nessie would reach below the shore.
      fill("sand", 0, at.shore, at.width, at.height - at.shore);
      for (let x = 0; x < at.width; x += 1) {
        if (hash(Math.floor((ground + x) / 2)) % 5 < 2) fill("grass", x, at.shore, 1, 1);
        for (let y = at.shore + 1; y < at.height; y += 1) if (hash((ground + x) * 31 + y * 1009) % 23 === 0) fill("pebble", x, y, 1, 1);
      }
    });
    this.marks(at).forEach(({ x, isGoal }) => this.sprite(context, isGoal ? "finish" : "milestone", x, at.shore + at.scale, at.scale));
    if (this.state !== "caught") this.sprite(context, this.pose(), at.walker, at.feet, at.scale);
  }

  /** What changes seldom is painted once, and copied until it has moved by a pixel. */
  layer(context, name, { width, height }, place, paint) {
    const known = this.layers.get(name);
    const of = `${width} ${height} ${place}`;
    if (known?.of !== of) {
      const canvas = known?.canvas ?? document.createElement("canvas");
      [canvas.width, canvas.height] = [width, height];
      const drawing = canvas.getContext("2d");
      paint((colour, ...box) => { drawing.fillStyle = scene.colours[colour]; drawing.fillRect(...box); });
      this.layers.set(name, { of, canvas });
    }
    context.drawImage(this.layers.get(name).canvas, 0, 0);
  }

  pose() {
    if (this.state === "completed") return "cheering";
    if (this.state !== "inProgress" || this.isCalm.matches || this.speeds[0] < 0.1) return "standing";
    return `walking${Math.floor(this.stride * 2) & 3}`;
  }

  /** The quarters of the way, and the goal. */
  marks(at) {
    const { frame } = this;
    if (!frame?.goal) return [];
    const step = frame.steps > 0 && frame.distance > 0 ? frame.distance / frame.steps : 0.7;
    const lag = frame.distance - this.walker.value;
    // Only as many as their labels leave apart.
    const apart = 0.25 * frame.goal * step * at.metre;
    const shares = apart >= 56 ? [0.25, 0.5, 0.75, 1] : apart >= 28 ? [0.5, 1] : [1];
    return shares.map((share) => ({
      isGoal: share === 1, share, x: at.walker + Math.round(((share * frame.goal - frame.steps) * step + lag) * at.metre),
    })).filter(({ x }) => x > -30 && x < at.width);
  }

  /** The column of the tip of Nessie's nose. */
  nose(at) {
    if (this.state === "caught") return at.walker + 3 * at.scale;
    const gap = this.gap === null ? this.headStart : Math.max(0, this.walker.value + this.headStart - this.nessie.value);
    return Math.min(at.walker - Math.round(at.behind(gap)), at.walker - 1);
  }

  paintNessie(context, at, fill) {
    const { scale, waterline } = at;
    const left = this.nose(at) - 11 * scale + 1;
    const sinks = this.state === "completed" ? 5 * scale : 0;
    const bob = (phase) => Math.round(Math.sin(2 * Math.PI * (this.clock * 0.45 + phase)) * scale);
    const isMoving = this.state === "inProgress";
    const wake = (centre, radius) => {
      for (let x = centre - radius - (isMoving ? radius : 1); x <= centre + radius + 1; x += 1) {
        if ((((x + (isMoving ? Math.floor(this.clock * 3) : 0)) % 5) + 5) % 5 < 3) fill("foam", x, waterline + 1, 1, 1);
      }
    };
    [[6, 5, 4], [15, 4, 3], [23, 3, 2]].forEach(([offset, radius, tall], index) => {
      const rise = tall * scale + bob(index * 0.3) - sinks;
      const centre = left - offset * scale;
      wake(centre, radius * scale);
      for (let x = -radius * scale; x <= radius * scale; x += 1) {
        const high = Math.round(rise * Math.sqrt(Math.max(0, 1 - (x / (radius * scale + 0.5)) ** 2)));
        if (high <= 0) continue;
        fill("nessie", centre + x, waterline - high + 1, 1, high);
        fill("nessieDark", centre + x, waterline - high + 1, 1, 1);
      }
    });
    const sleeps = this.state === "notStarted" || this.state === "paused";
    const head = this.state === "caught" ? "fedHead" : sleeps ? "sleepingHead" : "head";
    this.sprite(context, head, left, waterline - (sleeps ? 0 : bob(0.15)) + sinks * 2 + (sleeps ? 0 : scale), scale, waterline + 1);
    wake(left + 2 * scale, 3 * scale);
  }

  /** Draws a sprite with its feet on a row; what is below `above` is under water. */
  sprite(context, name, x, bottom, scale, above = Infinity) {
    const rows = scene.sprites[name];
    rows.forEach((row, index) => {
      const y = bottom - (rows.length - 1 - index) * scale - (scale - 1);
      for (let column = 0; column < row.length; column += 1) {
        const colour = scene.letters[row[column]];
        const height = Math.min(scale, above - y);
        if (colour === undefined || height <= 0) continue;
        context.fillStyle = scene.colours[colour];
        context.fillRect(x + column * scale, y, scale, height);
      }
    });
  }

  /** Words stay sharp: they are written on the picture, not in its pixels. */
  label(context, at, size) {
    const { state } = this;
    context.font = `700 ${Math.max(12, 5 * size)}px system-ui, sans-serif`;
    // A blurred shadow costs more than the whole picture.
    const say = (text, x, y) => {
      context.fillStyle = "#0008";
      context.fillText(text, x + size / 3, y + size / 3);
      context.fillStyle = scene.colours.ink;
      context.fillText(text, x, y);
    };
    const nose = this.nose(at);
    if (state === "inProgress" && this.told.gap) {
      context.textAlign = "center";
      say(this.told.gap, Math.max(12 * size, (nose - 5 * at.scale) * size), (at.waterline - 15 * at.scale) * size);
    }
    if (state === "notStarted" || state === "paused") {
      context.textAlign = "start";
      say("z Z z", Math.max(0, nose - 2) * size, (at.waterline - 4 * at.scale) * size);
    }
    context.textAlign = "start";
    for (const { x, share, isGoal } of this.marks(at)) {
      const text = `${100 * share} %`;
      // Not on Nessie: from her last hump to her nose.
      const isOnNessie = x < nose + 3 * at.scale && x + context.measureText(text).width / size > nose - 37 * at.scale;
      if (!isGoal && x >= 0 && !isOnNessie) say(text, x * size, (at.shore - 9 * at.scale) * size);
    }
  }
}
