#define _XOPEN_SOURCE 700
#include "CTerminal.h"

#include <locale.h>
#include <wchar.h>

int terminal_columns(uint32_t scalar) {
  // wcwidth(3) only supports ASCII without a UTF-8 locale; every Debian has this one.
  static locale_t locale = (locale_t)0;
  if (locale == (locale_t)0) locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
  if (locale == (locale_t)0) return scalar < 0x7F ? 1 : -1;
  locale_t before = uselocale(locale);
  int columns = wcwidth((wchar_t)scalar);
  uselocale(before);
  return columns;
}
