#pragma once
#include <stdint.h>

/// How many columns a character takes on a terminal, as the C library's table has it: 0, 1 or 2, and less for what cannot
/// be shown. In C because Swift's Glibc module leaves wcwidth(3) out.
int terminal_columns(uint32_t scalar);
