"""The notebook of the examples runs with the installed package, and is committed without what running it adds.

It is run where nbclient and a kernel are installed: pip install nbclient ipykernel
"""

import json
import pathlib
import unittest

import pedometer

try:
    import ipykernel  # noqa: F401
    import nbclient
    import nbformat
    import pandas  # noqa: F401
except ImportError:
    nbclient = None

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOK = REPOSITORY / "Python/examples/steps.ipynb"


class Notebook(unittest.TestCase):
    def test_has_no_outputs(self):
        notebook = json.loads(NOTEBOOK.read_text())
        for cell in notebook["cells"]:
            self.assertEqual(cell["metadata"], {}, cell["id"])
            if cell["cell_type"] == "code":
                self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None), cell["id"])

    @unittest.skipUnless(nbclient, "nbclient, ipykernel or pandas is not installed")
    def test_runs_and_shows_the_counts(self):
        notebook = nbformat.read(NOTEBOOK, as_version=4)
        nbformat.validate(notebook)
        # It names files beside it.
        resources = {"metadata": {"path": str(NOTEBOOK.parent)}}
        nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources).execute()
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
