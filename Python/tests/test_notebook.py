"""The notebook of the examples runs with the installed package, and is committed with what running it shows.

It is run where nbclient, a kernel and Matplotlib are installed: pip install nbclient ipykernel matplotlib
"""

import json
import pathlib
import unittest

import pedometer

try:
    import ipykernel  # noqa: F401
    import matplotlib  # noqa: F401
    import nbclient
    import nbformat
    import pandas  # noqa: F401
except ImportError:
    nbclient = None

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOK = REPOSITORY / "Python/examples/steps.ipynb"


def words(cell):
    """What a cell shows as text. Columns may be wide in one version of pandas and narrow in another."""
    return [word for output in cell["outputs"]
            for word in "".join(output.get("text") or output["data"]["text/plain"]).split()]


class Notebook(unittest.TestCase):
    def test_shows_figures_and_a_picture(self):
        cells = json.loads(NOTEBOOK.read_text())["cells"]
        for cell in cells:
            self.assertEqual(cell["metadata"], {}, cell["id"])
        outputs = [output for cell in cells if cell["cell_type"] == "code" for output in cell["outputs"]]
        self.assertEqual(sum("image/png" in output.get("data", {}) for output in outputs), 1)

    @unittest.skipUnless(nbclient, "nbclient, ipykernel, Matplotlib or pandas is not installed")
    def test_runs_and_shows_the_counts(self):
        notebook = nbformat.read(NOTEBOOK, as_version=4)
        nbformat.validate(notebook)
        # It names files beside it.
        resources = {"metadata": {"path": str(NOTEBOOK.parent)}}
        nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources).execute()
        committed = json.loads(NOTEBOOK.read_text())["cells"]
        for cell, former in zip(notebook.cells, committed, strict=True):
            if cell.cell_type == "code":
                self.assertEqual(words(cell), words(former), "run the notebook again, and clear the cells' metadata")
        shown = "\n".join(
            output.get("text", "") or output.get("data", {}).get("text/plain", "")
            for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs)
        walk = pedometer.count(REPOSITORY / "Fixtures/day-in-five-minutes.csv.gz")
        self.assertIn(repr(walk), shown)
        self.assertIn("<Recording: 15000 samples at 50 Hz, csv>", shown)
        self.assertIn("2026-05-06 10:00:20", shown)
        for error in ["MissingError", "RecordingError", "UsageError"]:
            self.assertIn(f"{error}: ", shown)


if __name__ == "__main__":
    unittest.main()
