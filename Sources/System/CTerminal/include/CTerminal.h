#pragma once
#include <stdint.h>

/// The number of columns of a character on a terminal according to the C library: 0, 1 or 2, and negative if it is not
/// printable. C because Swift's Glibc module lacks wcwidth(3).
int terminal_columns(uint32_t scalar);
