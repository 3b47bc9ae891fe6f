#pragma once

/// Keeps a sentence for pedometer_error() of this thread. For the library itself; it is not exported.
void cpedometer_keep_error(const char *sentence);
