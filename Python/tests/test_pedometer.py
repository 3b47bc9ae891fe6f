"""Tests of the installed package: python -m unittest discover -s Python/tests

PEDOMETER names the command to compare with; without it, those tests are skipped.
"""

import concurrent.futures
import gzip
import io
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

import pedometer

try:
    import pandas
except ImportError:
    pandas = None

FIXTURES = pathlib.Path(__file__).resolve().parents[2] / "Fixtures"
DAY = FIXTURES / "day-in-five-minutes.csv.gz"
REFERENCE = sorted((FIXTURES / "reference").glob("*.csv.gz"))
COMMAND = os.environ.get("PEDOMETER")


def table(path):
    """The rows of a recording of the repository: t, x, y, z."""
    with gzip.open(path, "rt") as lines:
        rows = [line for line in lines if line[0] in "-0123456789."]
    return np.loadtxt(io.StringIO("".join(rows)), delimiter=",")


class Files(unittest.TestCase):
    @unittest.skipUnless(COMMAND, "PEDOMETER does not name the command")
    def test_has_the_figures_of_the_command(self):
        for path in [DAY, *REFERENCE]:
            printed = subprocess.run([COMMAND, "count", "--format", "json", path], capture_output=True, text=True)
            expected = json.loads(printed.stdout)
            walk = pedometer.count(path)
            with self.subTest(path.name):
                self.assertGreater(walk.steps, 0)
                self.assertEqual(walk.steps, expected["steps"])
                self.assertEqual(walk.samples, expected["samples"])
                self.assertEqual(walk.gaps, expected["gaps"])
                warnings = [text.replace("option units", "--units") for text in walk.warnings]
                self.assertEqual(warnings, expected["warnings"])
                self.assertAlmostEqual(walk.distance_travelled, expected["distanceTravelled"], 2)
                self.assertAlmostEqual(walk.walking_duration, expected["walkingDuration"], 3)
                self.assertAlmostEqual(walk.confidence, expected["confidence"], 2)

    @unittest.skipUnless(COMMAND, "PEDOMETER does not name the command")
    def test_has_the_steps_and_epochs_of_the_command(self):
        printed = subprocess.run(
            [COMMAND, "count", "--format", "json", "--steps", DAY], capture_output=True, text=True, check=True)
        times = [json.loads(line)["t"] for line in printed.stdout.splitlines()]
        np.testing.assert_allclose(pedometer.count(DAY).step_times, times, atol=0.0006)
        printed = subprocess.run(
            [COMMAND, "count", "--format", "json", "--epochs", "60", DAY], capture_output=True, text=True, check=True)
        minutes = [json.loads(line)["steps"] for line in printed.stdout.splitlines()]
        self.assertEqual(list(pedometer.count(DAY).epochs(60)["steps"]), minutes)

    def test_options_are_those_of_the_command(self):
        whole = pedometer.count(DAY)
        part = pedometer.count(DAY, start="0", end="120", step_length=1)
        self.assertLess(part.steps, whole.steps)
        self.assertEqual(part.distance_travelled, part.steps)

    def test_errors_are_those_of_python(self):
        with self.assertRaises(FileNotFoundError) as raised:
            pedometer.count("there/is/none.csv")
        self.assertEqual(raised.exception.code, 66)
        self.assertIn("check the name", str(raised.exception))
        with tempfile.TemporaryDirectory() as folder:
            empty = pathlib.Path(folder) / "empty.csv"
            empty.touch()
            with self.assertRaises(ValueError) as raised:
                pedometer.count(empty)
            self.assertIsInstance(raised.exception, pedometer.RecordingError)
            with self.assertRaises(OSError):
                pedometer.count(folder)
            without = pathlib.Path(folder) / "without.csv"
            without.write_text("".join(f"{i % 7 / 10},0,1\n" for i in range(500)))
            with self.assertRaisesRegex(pedometer.UsageError, "option rate"):
                pedometer.count(without)
            self.assertEqual(pedometer.count(without, rate=50).samples, 500)
        with self.assertRaises(ValueError):
            pedometer.count("a\0b")

    def test_a_name_that_is_not_utf8_is_opened(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(os.fsencode(folder), b"caf\xe9.csv.gz")
            os.symlink(DAY, name)
            self.assertEqual(pedometer.count(name).steps, pedometer.count(DAY).steps)
            self.assertEqual(pedometer.count(os.fsdecode(name)).steps, pedometer.count(DAY).steps)


class Arrays(unittest.TestCase):
    def setUp(self):
        rows = table(DAY)
        self.t, self.xyz = rows[:, 0], rows[:, 1:4]
        self.steps = pedometer.count(DAY).steps

    def test_has_the_steps_of_the_file_of_it(self):
        for path in [DAY, *REFERENCE]:
            rows = table(path)
            with self.subTest(path.name):
                self.assertEqual(pedometer.steps(rows[:, 0], rows[:, 1:4]).steps, pedometer.count(path).steps)

    def test_has_the_same_steps_in_any_layout(self):
        float32 = self.xyz.astype(np.float32)
        for name, t, xyz in [
            ("C order", self.t.copy(), np.ascontiguousarray(self.xyz)),
            ("Fortran order", self.t, np.asfortranarray(self.xyz)),
            ("single precision", self.t, float32),
            ("transposed", self.t, np.ascontiguousarray(float32.T).T),
            ("turned round twice", self.t[::-1].copy()[::-1], self.xyz[::-1].copy()[::-1]),
            ("read only", self.t, np.frombuffer(float32.tobytes(), np.float32).reshape(-1, 3)),
            ("unaligned", self.t, np.frombuffer(b"x" + float32.tobytes(), np.float32, offset=1).reshape(-1, 3)),
            ("lists", self.t.tolist(), self.xyz.tolist()),
        ]:
            with self.subTest(name):
                self.assertEqual(pedometer.steps(t, xyz).steps, self.steps)

    def test_arrays_are_not_copied_and_not_changed(self):
        xyz = np.asfortranarray(self.xyz)
        before = xyz.copy()
        xyz.setflags(write=False)
        pedometer.steps(self.t, xyz)
        np.testing.assert_array_equal(xyz, before)

    def test_times_may_be_dates_or_rows(self):
        dates = np.datetime64("2026-05-06T10:00") + (self.t * 1e6).round().astype("timedelta64[us]")
        walk = pedometer.steps(dates, self.xyz)
        self.assertEqual(walk.steps, self.steps)
        self.assertEqual(walk.origin, np.datetime64("2026-05-06T10:00"))
        self.assertEqual(pedometer.steps(None, self.xyz, rate=50).steps, self.steps)

    def test_units_are_detected_stated_and_refused(self):
        self.assertEqual(pedometer.steps(self.t, self.xyz * 9.80665).steps, self.steps)
        self.assertEqual(pedometer.steps(self.t, self.xyz * 1000, units="mg").steps, self.steps)
        with self.assertRaisesRegex(pedometer.RecordingError, "9.8 g instead of 1 g"):
            pedometer.steps(self.t, self.xyz * 9.80665, units="g")

    def test_other_types_and_shapes_are_refused(self):
        t, xyz = self.t, self.xyz
        integers = np.zeros((10, 3), np.int16)
        for error, arguments in [
            (TypeError, (t, integers)), (TypeError, (np.arange(len(t)), xyz)), (TypeError, (t, xyz.astype(">f8"))),
            (TypeError, (t, xyz.astype(complex))), (TypeError, (t, "xyz")), (TypeError, (t, None)),
            (TypeError, (t.astype(str), xyz)), (TypeError, (t, xyz.astype(np.float16))),
            (ValueError, (t, xyz.T)), (ValueError, (t[1:], xyz)), (ValueError, (t, xyz[:, :2])),
            (ValueError, (t, xyz.ravel())), (ValueError, (t.reshape(-1, 1), xyz)), (ValueError, (t[:0], xyz[:0])),
        ]:
            with self.subTest(str(arguments[1])[:40]), self.assertRaises(error):
                pedometer.steps(*arguments)

    def test_values_that_cannot_be_are_refused_with_their_place(self):
        xyz = self.xyz.copy()
        xyz[1234, 1] = np.nan
        with self.assertRaisesRegex(pedometer.RecordingError, "row 1234 of xyz"):
            pedometer.steps(self.t, xyz)
        t = self.t.copy()
        t[99] = t[98]
        with self.assertRaisesRegex(pedometer.RecordingError, "time 99"):
            pedometer.steps(t, self.xyz)
        with self.assertRaisesRegex(pedometer.RecordingError, "time 1 "):
            pedometer.steps(self.t[::-1], self.xyz)
        with self.assertRaisesRegex(pedometer.RecordingError, "NaT"):
            pedometer.steps(np.full(len(t), np.datetime64("NaT")), self.xyz)
        # The time of day in single precision has too few digits.
        with self.assertRaisesRegex(pedometer.RecordingError, "double precision"):
            pedometer.steps((self.t + 1.78e9).astype(np.float32), self.xyz)

    def test_options_that_are_none_are_refused(self):
        for options in [{"units": "furlongs"}, {"rate": 1}, {"rate": 0}, {"height": float("nan")}, {"step_length": -1}]:
            with self.subTest(str(options)), self.assertRaises(pedometer.UsageError) as raised:
                pedometer.steps(self.t, self.xyz, **options)
            self.assertEqual(raised.exception.code, 64)
        with self.assertRaises(TypeError):
            pedometer.steps(self.t, self.xyz, units=1)

    def test_pieces_have_the_steps_of_the_whole(self):
        counter = pedometer.Counter(units="g")
        for first in range(0, len(self.t), 999):
            counter.process(self.t[first:first + 999], self.xyz[first:first + 999])
        self.assertEqual(counter.finish().steps, self.steps)
        with self.assertRaises(pedometer.UsageError):
            counter.process(self.t, self.xyz)


class Results(unittest.TestCase):
    def test_epochs_and_bouts_have_all_steps(self):
        walk = pedometer.count(DAY)
        self.assertEqual(walk.epochs(60)["steps"].sum(), walk.steps)
        self.assertEqual(walk.bouts_array()["steps"].sum(), walk.steps)
        self.assertEqual(len(walk.step_times), int(walk))
        self.assertTrue((np.diff(walk.step_times) > 0).all())
        self.assertTrue(((walk.step_confidences >= 0) & (walk.step_confidences <= 1)).all())
        with self.assertRaises(ValueError):
            walk.epochs(0)

    def test_gait_is_measured_where_it_is_asked_for(self):
        self.assertEqual(len(pedometer.count(DAY).gait_array()), 0)
        rough, walk = pedometer.count(DAY), pedometer.count(DAY, gait=True)
        gait, total = walk.gait_array(), walk.gait_total()
        self.assertGreater(len(gait), 0)
        self.assertEqual(gait["strides"].sum(), total["strides"])
        self.assertTrue(np.allclose(gait["stride_time"], 2 * gait["step_time"], rtol=0.03))
        self.assertTrue((gait["stride_regularity"] <= 1).all())
        self.assertEqual(walk.steps, rough.steps)
        moved = np.abs(walk.step_times - rough.step_times)
        self.assertTrue(0 < moved.max() <= 0.07, moved.max())

    @unittest.skipUnless(pandas, "pandas is not installed")
    def test_frames_have_times_of_day(self):
        rows = table(DAY)
        dates = np.datetime64("2026-05-06T10:00") + (rows[:, 0] * 1e6).round().astype("timedelta64[us]")
        walk = pedometer.steps(dates, rows[:, 1:4])
        minutes = walk.minutes()
        self.assertEqual(minutes.steps.sum(), walk.steps)
        self.assertEqual(str(minutes.time[1]), "2026-05-06 10:01:00")
        self.assertEqual(walk.bouts().steps.sum(), walk.steps)
        self.assertEqual(list(minutes.cadence_per_minute.dropna()), list(minutes.cadence.dropna() * 60))
        self.assertEqual(walk.cadence_per_minute, walk.mean_cadence * 60)
        self.assertNotIn("time", pedometer.count(DAY).minutes().columns)
        frame = pandas.DataFrame({"t": rows[:, 0], "x": rows[:, 1], "y": rows[:, 2], "z": rows[:, 3]})
        self.assertEqual(pedometer.steps(frame.t, frame[["x", "y", "z"]]).steps, walk.steps)

    @unittest.skipUnless(pandas, "pandas is not installed")
    def test_frames_have_the_offset_of_the_recording(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "walk.csv"
            moments = pandas.date_range("2026-05-06T10:00+02:00", periods=6000, freq="20ms")
            xyz = table(DAY)[1000:7000, 1:4]
            path.write_text("time,x,y,z\n" + "".join(
                f"{moment.isoformat(timespec='milliseconds')},{x},{y},{z}\n" for moment, (x, y, z) in zip(moments, xyz)))
            walk = pedometer.count(path)
            self.assertEqual(walk.start, "2026-05-06T10:00:00+02:00")
            self.assertEqual(walk.minutes().time[1].isoformat(), "2026-05-06T10:01:00+02:00")


class Threads(unittest.TestCase):
    def test_threads_with_a_counter_each_count_what_one_counts(self):
        rows = table(DAY)
        expected = pedometer.count(DAY).steps
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            counts = [pool.submit(pedometer.steps, rows[:, 0], rows[:, 1:4]) for _ in range(4)]
            counts += [pool.submit(pedometer.count, DAY) for _ in range(4)]
            self.assertEqual([count.result().steps for count in counts], [expected] * 8)

    def test_the_interpreter_goes_on_while_it_counts_and_a_shared_counter_is_busy(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = os.path.join(folder, "pipe")
            os.mkfifo(pipe)
            counter = pedometer.Counter()
            check = pedometer._c.check
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                counted = pool.submit(
                    lambda: check(pedometer._c.library.pedometer_count_file(counter._handle, os.fsencode(pipe))))
                # Opening waits for the reader, which is then within its call.
                with open(pipe, "wb") as writer:
                    with self.assertRaises(pedometer.BusyError):
                        counter.so_far()
                    writer.write(DAY.read_bytes())
                counted.result()
            self.assertEqual(counter.so_far().steps, pedometer.count(DAY).steps)


if __name__ == "__main__":
    unittest.main()
