#include "pedometer_error_text.h"

#include <stdio.h>

#include "pedometer.h"

// In C because Swift has no variables of a thread.
static _Thread_local char text[2048];

const char *pedometer_error(void) { return text; }

void cpedometer_keep_error(const char *sentence) { snprintf(text, sizeof text, "%s", sentence); }
