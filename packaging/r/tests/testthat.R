# PEDOMETER names the command, PEDOMETER_PYTHON the Python and PEDOMETER_FIXTURES the folder to compare with. Tests that lack one of
# them are skipped.
if (requireNamespace("testthat", quietly = TRUE)) {
  library(pedometer)
  testthat::test_check("pedometer")
}
