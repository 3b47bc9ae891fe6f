"""Tests of pedometer.read in the installed package: python -m unittest discover -s Python/tests

PEDOMETER names the command to compare with; without it, those tests are skipped.
"""

import concurrent.futures
import datetime
import doctest
import functools
import gzip
import io
import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import unittest
import zipfile

import numpy as np

import pedometer

try:
    import zoneinfo

    HAS_ZONES = "Europe/Berlin" in zoneinfo.available_timezones()
except ImportError:
    HAS_ZONES = False

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = REPOSITORY / "Fixtures"
DAY = FIXTURES / "day-in-five-minutes.csv.gz"
REFERENCE = sorted((FIXTURES / "reference").glob("*.csv.gz"))
COMMAND = os.environ.get("PEDOMETER")
FULL = COMMAND and pathlib.Path(COMMAND).with_name("pedometer-full")

GAIN, OFFSET = np.array([1.03, 0.97, 1.01]), np.array([0.02, -0.03, 0.01])


@functools.lru_cache(maxsize=None)
def wearing():
    """Two hours of wear, an hour and a half on a table and two of wear at 25 Hz, in g, as a bad sensor shows it."""
    random = np.random.default_rng(1)
    seconds = np.arange(int(5.5 * 3600 * 25)) / 25
    directions = random.normal(size=(1000, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    is_still = (seconds >= 7200) & (seconds < 12_600)
    true = directions[np.where(is_still, 999, (seconds // 30).astype(int))]
    return (true + random.normal(scale=0.002, size=true.shape) - OFFSET) / GAIN


def cwa(xyz, rate_code=8):
    """A file of an Axivity AX3 that begins at 2020-01-15T12:00 on its clock; rate code 8 is 25 Hz."""
    rate = 3200 / (1 << (15 - rate_code))
    header = bytearray(1024)
    header[:4] = b"MD\xfc\x03"
    header[4:7] = bytes([0x17]) + (4242).to_bytes(2, "little")
    header[11:13] = b"\xff\xff"
    header[36], header[41] = 0x40 | rate_code, 44
    blocks = len(xyz) // 80
    data = np.zeros((blocks, 256), "<u2")
    stated = 85
    time = 12 * 3600 + (np.arange(blocks) * 80 + stated) / rate
    second = time.astype(np.int64)
    fraction = ((time - second) * 65536).astype(np.int64) & 0xFFFE
    packed = 20 << 26 | 1 << 22 | 15 << 17 | second // 3600 << 12 | second // 60 % 60 << 6 | second % 60
    data[:, 0] = int.from_bytes(b"AX", "little")
    data[:, 1] = 508
    data[:, 2] = 0x8000 | fraction >> 1
    data[:, 5], data[:, 6] = np.arange(blocks) & 0xFFFF, np.arange(blocks) >> 16
    data[:, 7], data[:, 8] = packed & 0xFFFF, packed >> 16
    data[:, 9], data[:, 10] = 100, 150
    data[:, 12] = (0x40 | rate_code) | 0x32 << 8
    data.view("<i2")[:, 13] = stated - (fraction * int(rate) >> 16)
    data[:, 14] = 80
    counts = np.rint(xyz[:blocks * 80] * 256).astype("<i2").view("<u2").reshape(blocks, 240)
    data[:, 15:255] = counts
    data[:, 255] = -data[:, :255].astype(np.int64).sum(axis=1) & 0xFFFF
    return bytes(header) + data.tobytes()


def gt3x(xyz):
    """A file of an ActiGraph at 30 Hz that begins at 2024-01-01T00:00, five hours behind UTC."""
    start, log = 1_704_067_200, bytearray()
    for second in range(len(xyz) // 30):
        counts = np.rint(xyz[second * 30:second * 30 + 30] * 256).astype("<i2")
        record = b"\x1e\x1a" + (start + second).to_bytes(4, "little") + counts.nbytes.to_bytes(2, "little") + counts.tobytes()
        log += record + bytes([0xFF ^ np.bitwise_xor.reduce(np.frombuffer(record, np.uint8))])
    info = (
        "Serial Number: TAS1E00000001\r\nDevice Type: Link\r\nFirmware: 1.7.2\r\nSample Rate: 30\r\n"
        f"Start Date: {(start + 62_135_596_800) * 10_000_000}\r\nStop Date: 0\r\nTimeZone: -05:00:00\r\n"
        "Acceleration Scale: 256.0\r\n"
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("info.txt", info)
        archive.writestr("log.bin", bytes(log))
    return file.getvalue()


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, data):
        path = self.folder / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    def csv(self, first, name="walk.csv", count=500):
        """A recording whose times begin at a numpy.datetime64, written as ISO 8601 without a zone."""
        times = np.datetime64(first, "ms") + np.arange(count) * np.timedelta64(20, "ms")
        return self.write(name, "time,x,y,z\n" + "".join(
            f"{time},{0.01 * (i % 7)},0.1,{0.9 + 0.01 * (i % 5)}\n" for i, time in enumerate(times)))


class Samples(InFolder):
    @unittest.skipUnless(COMMAND, "PEDOMETER does not name the command")
    def test_has_the_samples_that_the_command_converts_and_counts(self):
        bent = wearing()[:3000]
        lines = gzip.open(FIXTURES / "reference/hand-25hz.csv.gz", "rt").read().splitlines()
        rows = [line.split(",") for line in lines if line[0] in "-0123456789."]
        objects = "".join(f'{{"t":{row[0]},"x":{row[1]},"y":{row[2]},"z":{row[3]}}}\n' for row in rows)
        for path in [
            DAY, *REFERENCE, self.write("walk.cwa", cwa(bent)), self.write("walk.gt3x", gt3x(bent)),
            self.write("walk.jsonl", objects),
        ]:
            with self.subTest(path.name):
                recording = pedometer.read(path)
                printed = subprocess.run([COMMAND, "convert", path, "-o", "-"], capture_output=True, text=True, check=True)
                table = np.loadtxt(
                    [line for line in printed.stdout.splitlines() if line[0] in "-0123456789."], delimiter=",")
                # The command writes seven decimals.
                for axis, values in enumerate([recording.x, recording.y, recording.z]):
                    np.testing.assert_allclose(values, table[:, axis + 1], rtol=0, atol=1.2e-7)
                seconds = recording.time
                if seconds.dtype.kind == "M":
                    seconds = (seconds - seconds[0]) / np.timedelta64(1, "s")
                np.testing.assert_allclose(seconds, table[:, 0], atol=1e-6)
                counted = subprocess.run([COMMAND, "count", "--format", "json", path], capture_output=True, text=True)
                if counted.returncode == 0:
                    self.assertEqual(json.loads(counted.stdout)["samples"], len(recording))

    def test_arrays_are_contiguous_and_belong_to_the_caller(self):
        recording = pedometer.read(DAY)
        self.assertEqual(len(recording), 15_000)
        self.assertEqual(recording.time.dtype, np.float64)
        for axis in [recording.x, recording.y, recording.z]:
            self.assertEqual(axis.dtype, np.float32)
            self.assertTrue(axis.flags.c_contiguous and axis.flags.owndata and axis.flags.writeable)
        recording.x[:] = 0
        self.assertGreater(np.abs(pedometer.read(DAY).x).max(), 0)
        self.assertIsNone(recording.wear)
        with self.assertRaises(AttributeError):
            recording.x = recording.y

    def test_can_be_counted_as_arrays(self):
        recording = pedometer.read(DAY)
        xyz = np.stack([recording.x, recording.y, recording.z], axis=1)
        self.assertEqual(pedometer.steps(recording.time, xyz, units="g").steps, pedometer.count(DAY).steps)

    def test_a_long_recording_is_read_whole(self):
        # More than fits at first, with sizes that are estimated (text) and unknown (archives).
        count = 200_000
        xyz = np.tile(wearing()[:1000], (count // 1000, 1))
        text = "".join(f"{i / 50:.2f},{x:.4f},{y:.4f},{z:.4f}\n" for i, (x, y, z) in enumerate(xyz))
        for path in [
            self.write("long.csv", text), self.write("long.csv.gz", gzip.compress(text.encode(), 1)),
            self.write("long.gt3x", gt3x(xyz)),
        ]:
            with self.subTest(path.name):
                recording = pedometer.read(path)
                self.assertEqual(len(recording), count // 30 * 30 if path.suffix == ".gt3x" else count)
                self.assertEqual(len(recording.time), len(recording))
                np.testing.assert_allclose(recording.z, xyz[:len(recording), 2], atol=0.003)

    def test_options_are_those_of_count(self):
        part = pedometer.read(DAY, start="10", end="20")
        self.assertEqual((part.time[0], len(part), part.metadata.samples_outside >= 500), (10, 500, True))
        np.testing.assert_allclose(pedometer.read(DAY, units="mg").x, pedometer.read(DAY).x / 1000, rtol=1e-6)
        rows = self.write("rows.csv", "".join(f"0.0{i % 7},0.1,0.9{i % 5}\n" for i in range(500)))
        with self.assertRaisesRegex(pedometer.UsageError, "option rate"):
            pedometer.read(rows)
        self.assertEqual(pedometer.read(rows, rate=50).time[-1], 9.98)
        nothing = pedometer.read(DAY, start="1000")
        self.assertEqual((len(nothing), len(nothing.time)), (0, 0))
        self.assertTrue(any("no samples between" in warning for warning in nothing.warnings))


class Metadata(InFolder):
    def test_names_the_device(self):
        known = pedometer.read(self.write("walk.gt3x", gt3x(wearing()[:3000]))).metadata
        self.assertEqual((known.format, known.maker, known.serial), ("gt3x", "ActiGraph", "TAS1E00000001"))
        self.assertEqual((known.firmware, known.nominal_frequency), ("1.7.2", 30))
        self.assertAlmostEqual(known.sampling_frequency, 30, 2)
        self.assertEqual(known.start, "2024-01-01T00:00:00-05:00")

    def test_says_what_was_skipped(self):
        rows = [f"{i / 50},0.0{i % 7},0.1,0.95" if i % 50 else "broken,0,0,1" for i in range(1, 501)]
        recording = pedometer.read(self.write("walk.csv", "t,x,y,z\n" + "\n".join(rows) + "\n"))
        self.assertEqual((len(recording), recording.metadata.rows_skipped), (490, 10))
        self.assertTrue(any("10 rows were skipped" in warning for warning in recording.warnings))

    def test_can_be_pickled_and_printed(self):
        recording = pedometer.read(self.write("walk.gt3x", gt3x(wearing()[:300])), calibrate=True)
        self.assertEqual(repr(recording), "<Recording: 300 samples at 30 Hz from 2024-01-01T00:00:00-05:00, gt3x>")
        again = pickle.loads(pickle.dumps(recording))
        self.assertEqual(again.metadata, recording.metadata)
        np.testing.assert_array_equal(again.x, recording.x)


class Clocks(InFolder):
    def test_utc_is_what_recordings_with_an_offset_have(self):
        recording = pedometer.read(self.write("walk.gt3x", gt3x(wearing()[:300])))
        self.assertEqual(recording.time.dtype, "datetime64[ns]")
        self.assertEqual(recording.time[0], np.datetime64("2024-01-01T05:00"))
        self.assertEqual((recording.metadata.clock, recording.metadata.utc_offset), ("utc", -5 * 3600))

    def test_local_times_stay_local_without_a_zone(self):
        recording = pedometer.read(self.csv("2026-05-06T10:00:00"))
        self.assertEqual(recording.time[0], np.datetime64("2026-05-06T10:00"))
        self.assertEqual((recording.metadata.clock, recording.metadata.utc_offset), ("local", None))
        self.assertEqual(recording.metadata.start, "2026-05-06T10:00:00")

    def test_tz_makes_local_times_utc(self):
        path = self.csv("2026-05-06T10:00:00")
        zones = ["+02:00", "+0200", datetime.timezone(datetime.timedelta(hours=2))]
        for tz in zones + (["Europe/Berlin"] if HAS_ZONES else []):
            with self.subTest(str(tz)):
                recording = pedometer.read(path, tz=tz)
                self.assertEqual(recording.time[0], np.datetime64("2026-05-06T08:00"))
                self.assertEqual(recording.time[-1], np.datetime64("2026-05-06T08:00:09.98"))
                known = recording.metadata
                self.assertEqual((known.clock, known.utc_offset, known.time_zone), ("utc", 7200, str(tz)))
                self.assertEqual((known.start, known.end), ("2026-05-06T10:00:00+02:00", "2026-05-06T10:00:09.980+02:00"))
                self.assertEqual(recording.warnings, ())
        self.assertEqual(pedometer.read(path, tz="-03:30").time[0], np.datetime64("2026-05-06T13:30"))
        self.assertEqual(pedometer.read(path, tz="UTC").time[0], np.datetime64("2026-05-06T10:00"))

    @unittest.skipUnless(HAS_ZONES, "there is no time zone database")
    def test_the_offset_is_that_at_the_first_sample(self):
        # The recorder runs on when the clocks change at 03:00.
        recording = pedometer.read(self.csv("2026-03-29T01:59:55"), tz="Europe/Berlin")
        self.assertEqual(recording.time[0], np.datetime64("2026-03-29T00:59:55"))
        self.assertEqual(recording.time[-1], np.datetime64("2026-03-29T01:00:04.98"))
        self.assertEqual(recording.metadata.end, "2026-03-29T03:00:04.980+02:00")
        # Shown twice: the first time.
        recording = pedometer.read(self.csv("2026-10-25T02:30:00"), tz="Europe/Berlin")
        self.assertEqual(recording.time[0], np.datetime64("2026-10-25T00:30"))
        self.assertEqual(recording.metadata.start, "2026-10-25T02:30:00+02:00")

    def test_tz_does_not_move_utc_and_is_doubted_without_a_day(self):
        path = self.write("walk.gt3x", gt3x(wearing()[:300]))
        recording = pedometer.read(path, tz="+01:00")
        np.testing.assert_array_equal(recording.time, pedometer.read(path).time)
        self.assertEqual(recording.metadata.start, "2024-01-01T06:00:00+01:00")
        self.assertTrue(any("tz was not used" in warning for warning in pedometer.read(DAY, tz="+01:00").warnings))

    def test_an_unknown_zone_is_an_error_that_names_it(self):
        for tz in ["Mars/Olympus", "Europe", "", "../etc/passwd", "/etc/passwd", "+25:00", "CEST?", "a\0b"]:
            with self.subTest(tz), self.assertRaises(pedometer.UsageError) as raised:
                pedometer.read(DAY, tz=tz)
            self.assertIn(repr(tz), str(raised.exception))
            self.assertEqual(raised.exception.code, 64)
        with self.assertRaises(TypeError):
            pedometer.read(DAY, tz=1)


class CalibrationAndWear(InFolder):
    def setUp(self):
        super().setUp()
        self.path = self.write("week.cwa", cwa(wearing()))

    def test_calibration_finds_the_sensors_gain_and_offset(self):
        raw, recording = pedometer.read(self.path), pedometer.read(self.path, calibrate=True)
        found = recording.metadata.calibration
        self.assertTrue(found.applied)
        np.testing.assert_allclose(found.gain, GAIN, atol=0.002)
        np.testing.assert_allclose(found.offset, OFFSET, atol=0.002)
        self.assertLess(found.error_after, found.error_before / 5)
        for axis, name in enumerate("xyz"):
            expected = getattr(raw, name) * np.float32(found.gain[axis]) + np.float32(found.offset[axis])
            np.testing.assert_allclose(getattr(recording, name), expected, atol=1e-6)
        self.assertIsNone(raw.metadata.calibration)

    def test_says_why_nothing_was_calibrated(self):
        recording = pedometer.read(DAY, calibrate=True)
        found = recording.metadata.calibration
        self.assertFalse(found.applied)
        self.assertIn("fewer than ten intervals", found.reason)
        self.assertIn(f"not calibrated: {found.reason}", recording.warnings)
        np.testing.assert_array_equal(recording.x, pedometer.read(DAY).x)

    def test_wear_is_found(self):
        recording = pedometer.read(self.path, wear=True)
        self.assertEqual((recording.wear.dtype, recording.wear.shape), (np.bool_, recording.x.shape))
        hours = np.arange(len(recording)) / 25 / 3600
        self.assertTrue(recording.wear[(hours < 1.9) | (hours > 3.6)].all())
        self.assertFalse(recording.wear[(hours > 2.3) & (hours < 3.2)].any())
        self.assertTrue(pedometer.read(DAY, wear=True).wear.all())

    @unittest.skipUnless(FULL and FULL.exists(), "there is no pedometer-full beside the command")
    def test_calibration_wear_and_times_are_those_of_a_study(self):
        out = self.folder / "out"
        subprocess.run(
            [COMMAND, "study", self.path, "-o", out, "--autocalibrate", "--time-zone", "+02:00"], check=True,
            capture_output=True)
        [summary] = out.glob("*/summary.json")
        expected = json.loads(summary.read_text())
        recording = pedometer.read(self.path, calibrate=True, wear=True, tz="+02:00")
        found = recording.metadata.calibration
        for axis, name in enumerate("xyz"):
            self.assertAlmostEqual(found.gain[axis], expected[f"gain_{name}"], 5)
            self.assertAlmostEqual(found.offset[axis], expected[f"offset_{name}"], 5)
        self.assertAlmostEqual(found.error_after * 1000, expected["calibrationErrorAfter"], 2)
        with gzip.open(summary.with_name("minutes.csv.gz"), "rt") as lines:
            rows = [line.split(",") for line in lines if line[0].isdigit()]
        minutes = recording.time.astype("datetime64[m]") + np.timedelta64(120, "m")
        # A minute of a study is worn by the quarter of an hour in which it begins.
        worn = {}
        for minute, is_worn in zip(minutes[::-1], recording.wear[::-1]):
            worn[str(minute)] = is_worn
        self.assertEqual(len(rows), len(worn))
        for row in rows:
            self.assertEqual(int(row[3]), worn[row[0][:16]], row[0])


class BadInput(InFolder):
    def test_errors_are_those_of_count(self):
        bad = "".join(f"{i / 50},0.0{i % 7},0.1,0.95\n" if i % 3 == 0 else "bad,bad,bad,bad\n" for i in range(500))
        for path in [
            self.folder / "none.csv", self.folder, self.write("empty.csv", ""), self.write("hello.csv", "hello\n"),
            self.write("bad.csv", "t,x,y,z\n" + bad), self.write("random.bin", bytes(range(256)) * 9),
            self.write("cut.csv.gz", DAY.read_bytes()[:12]),
        ]:
            with self.subTest(path.name):
                with self.assertRaises(pedometer.Error) as expected:
                    pedometer.count(path)
                with self.assertRaises(pedometer.Error) as found:
                    pedometer.read(path)
                self.assertIs(type(found.exception), type(expected.exception))
                self.assertEqual(str(found.exception), str(expected.exception))
        with self.assertRaises(FileNotFoundError):
            pedometer.read(self.folder / "none.csv")
        locked = self.write("locked.csv", "t,x,y,z\n")
        locked.chmod(0)
        if os.geteuid() != 0:
            with self.assertRaises(PermissionError):
                pedometer.read(locked)

    def test_a_file_that_is_cut_is_read_up_to_the_cut_with_a_warning(self):
        path = self.write("walk.csv.gz", DAY.read_bytes()[:90_000])
        recording = pedometer.read(path)
        self.assertTrue(1000 < len(recording) < 15_000)
        self.assertEqual(len(recording), pedometer.count(path).samples)
        np.testing.assert_array_equal(recording.x, pedometer.read(DAY).x[:len(recording)])
        self.assertTrue(recording.warnings)

    def test_arguments_of_other_types_are_refused(self):
        for arguments in [
            {"path": None}, {"path": 1}, {"calibrate": 1}, {"calibrate": "yes"}, {"wear": None}, {"units": 1},
            {"columns": b"t"}, {"start": 5}, {"rate": "fast"},
        ]:
            with self.subTest(str(arguments)), self.assertRaises((TypeError, ValueError)) as raised:
                pedometer.read(**{"path": DAY, **arguments})
            self.assertNotIsInstance(raised.exception, pedometer.RecordingError)
        with self.assertRaises(TypeError):
            pedometer.read(DAY, True)
        with self.assertRaises(ValueError):
            pedometer.read("a\0b")
        with self.assertRaisesRegex(pedometer.UsageError, "units 'furlongs'"):
            pedometer.read(DAY, units="furlongs")

    def test_names_may_be_text_bytes_and_paths(self):
        name = os.path.join(os.fsencode(self.folder), b"caf\xe9.csv.gz")
        os.symlink(DAY, name)
        for path in [name, os.fsdecode(name), pathlib.Path(os.fsdecode(name)), str(DAY), os.fsencode(DAY)]:
            self.assertEqual(len(pedometer.read(path)), 15_000)

    def test_files_are_closed_and_memory_is_freed(self):
        bad = self.write("bad.csv", "t,x,y,z\n" + "bad,bad,bad,bad\n" * 100)
        path = self.write("walk.cwa", cwa(np.tile(wearing()[:80_000], (4, 1))))

        def resident():
            return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        pedometer.read(path, calibrate=True, wear=True)
        files, before = os.listdir("/proc/self/fd"), resident()
        for _ in range(30):
            recording = pedometer.read(path, calibrate=True, wear=True)
            with self.assertRaises(pedometer.RecordingError):
                pedometer.read(bad)
        self.assertEqual(len(os.listdir("/proc/self/fd")), len(files))
        # A recording has 6.7 MB of arrays.
        self.assertLess(resident() - before, 5 * (recording.x.nbytes * 5 + recording.wear.nbytes))


class Threads(InFolder):
    def test_threads_read_at_the_same_time(self):
        paths = [DAY, self.write("walk.cwa", cwa(wearing()))] * 4
        expected = {path: pedometer.read(path, calibrate=True).x for path in paths[:2]}
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for path, recording in zip(paths, pool.map(lambda path: pedometer.read(path, calibrate=True), paths)):
                np.testing.assert_array_equal(recording.x, expected[path])

    def test_the_interpreter_goes_on_while_it_reads(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            read = pool.submit(pedometer.read, pipe)
            # Opening waits for the reader, which is then within its call.
            with open(pipe, "wb") as writer:
                writer.write(DAY.read_bytes())
            np.testing.assert_array_equal(read.result().x, pedometer.read(DAY).x)


class WithoutNumPy(unittest.TestCase):
    def test_files_are_counted_and_reading_says_what_to_install(self):
        program = f"""
import sys
sys.modules["numpy"] = None
import pedometer
walk = pedometer.count({str(DAY)!r}, gait=True)
print(walk.steps, walk, walk.warnings, walk.origin)
for call in [
    lambda: pedometer.read({str(DAY)!r}), lambda: walk.step_times, lambda: walk.epochs(60), lambda: walk.gait_total(),
    lambda: pedometer.steps([0], [[0, 0, 1]]),
]:
    try:
        call()
    except ImportError as error:
        assert "pip install numpy" in str(error), error
    else:
        raise AssertionError("no ImportError")
"""
        printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual(printed.returncode, 0, printed.stderr)
        self.assertEqual(int(printed.stdout.split()[0]), pedometer.count(DAY).steps)


def load_tests(loader, tests, pattern):
    """Adds the examples of the docstrings, which name files of the repository."""
    here, finder = os.getcwd(), doctest.DocTestFinder()
    for name in pedometer.__all__:
        for example in finder.find(getattr(pedometer, name), name, module=False, globs={}):
            if example.examples:
                tests.addTest(doctest.DocTestCase(
                    example, setUp=lambda test: os.chdir(REPOSITORY), tearDown=lambda test: os.chdir(here)))
    return tests


if __name__ == "__main__":
    unittest.main()
