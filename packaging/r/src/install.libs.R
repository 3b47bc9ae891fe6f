# Installs the package's own library, and that of the repository where configure has copied it.
folder <- file.path(R_PACKAGE_DIR, paste0("libs", R_ARCH))
dir.create(folder, recursive = TRUE, showWarnings = FALSE)
files <- c(paste0("pedometer", SHLIB_EXT), Sys.glob(c("libpedometer.so.0", "symbols.rds")))
if (!all(file.copy(files, folder, overwrite = TRUE))) stop("the libraries could not be copied to ", folder)
