#include "CXMLReader.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// The used part of libxml2's text reader, declared according to its documented ABI, so that the build does not need its
// headers.
typedef void *text_reader;
typedef void (*error_function)(void *, const char *, int, void *);
enum { ELEMENT = 1, NO_NETWORK = 1 << 11, HUGE_FILES = 1 << 19 };

static struct {
  text_reader (*ReaderForIO)(
    int (*)(void *, char *, int), int (*)(void *), void *, const char *, const char *, int);
  void (*FreeTextReader)(text_reader);
  int (*TextReaderRead)(text_reader);
  int (*TextReaderNodeType)(text_reader);
  int (*TextReaderDepth)(text_reader);
  const unsigned char *(*TextReaderConstLocalName)(text_reader);
  int (*TextReaderMoveToAttribute)(text_reader, const unsigned char *);
  int (*TextReaderMoveToElement)(text_reader);
  const unsigned char *(*TextReaderConstValue)(text_reader);
  int (*TextReaderGetParserLineNumber)(text_reader);
  void (*TextReaderSetErrorHandler)(text_reader, error_function, void *);
} xml;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  // The part of the interface that is used is the same in both versions of the ABI.
  void *library = dlopen("libxml2.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libxml2.so.16", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  bool has_all = true;
#define LOOK_UP(name) has_all &= (*(void **)&xml.name = dlsym(library, "xml" #name)) != NULL
  LOOK_UP(ReaderForIO);
  LOOK_UP(FreeTextReader);
  LOOK_UP(TextReaderRead);
  LOOK_UP(TextReaderNodeType);
  LOOK_UP(TextReaderDepth);
  LOOK_UP(TextReaderConstLocalName);
  LOOK_UP(TextReaderMoveToAttribute);
  LOOK_UP(TextReaderMoveToElement);
  LOOK_UP(TextReaderConstValue);
  LOOK_UP(TextReaderGetParserLineNumber);
  LOOK_UP(TextReaderSetErrorHandler);
#undef LOOK_UP
  is_loaded = has_all;
}

bool xml_reader_load(void) {
  pthread_once(&once, load);
  return is_loaded;
}

struct xml_reader {
  text_reader reader;
  int descriptor;
  /// What is left of a document in memory.
  const unsigned char *memory;
  size_t left;
  /// Read bytes that are not examined yet.
  unsigned char raw[1 << 16];
  size_t next, end;
  bool has_ended, is_checked, is_utf8;
  /// The line of the next byte, the number of replaced characters, and the line of the first.
  long line, replaced, first_replaced;
  /// The progress in "<!DOCTYPE": the number of its letters so far, or IN_SUBSET, IN_DOCTYPE, DONE.
  int state;
};

static const char doctype[] = "<!DOCTYPE";
enum { IN_DOCTYPE = 100, IN_SUBSET, AFTER_SUBSET, DONE };

/// Replaces the document type by blanks; lines stay lines.
static void blank(struct xml_reader *reader, char *bytes, ssize_t count) {
  for (ssize_t i = 0; i < count && reader->state != DONE; i++) {
    char byte = bytes[i];
    switch (reader->state) {
    case IN_DOCTYPE:
      if (byte == '[') reader->state = IN_SUBSET;
      if (byte == '>') reader->state = DONE;
      break;
    case IN_SUBSET:
      if (byte == ']') reader->state = AFTER_SUBSET;
      break;
    case AFTER_SUBSET:
      // A bracket inside the subset is not its end.
      if (byte == '>') reader->state = DONE;
      else if (byte != ']' && byte != ' ' && byte != '\n' && byte != '\r' && byte != '\t') reader->state = IN_SUBSET;
      break;
    default:
      reader->state = byte == doctype[reader->state] ? reader->state + 1 : byte == '<';
      // The first element ends the search: a document type comes before it.
      if (reader->state == 1 && i + 1 < count && bytes[i + 1] != '!' && bytes[i + 1] != '?') reader->state = DONE;
      if (reader->state != sizeof doctype - 1) continue;
      reader->state = IN_DOCTYPE;
      // "<!DOCTYPE" has begun in this piece, unless a piece ends within it.
      for (size_t back = 0; back < sizeof doctype - 1 && (ssize_t)back <= i; back++) bytes[i - (ssize_t)back] = ' ';
      continue;
    }
    if (byte != '\n') bytes[i] = ' ';
  }
}

/// Whether bytes begin a document in UTF-8: one that does not declare another encoding.
static bool begins_utf8(const unsigned char *bytes, size_t count) {
  if (count >= 2 && (bytes[0] == 0xFE || bytes[0] == 0xFF || !bytes[0] || !bytes[1])) return false;
  for (size_t i = 0; i + 16 < count && bytes[i] != '>'; i++) {
    if (memcmp(bytes + i, "encoding=", 9) != 0) continue;
    const char *name = (const char *)bytes + i + 10;
    return strncasecmp(name, "utf-8", 5) == 0 || strncasecmp(name, "us-ascii", 8) == 0;
  }
  return true;
}

static bool is_allowed(unsigned long character) {
  return character == '\t' || character == '\n' || character == '\r' || (character >= 0x20 && character < 0xD800)
    || (character >= 0xE000 && character < 0xFFFE) || (character >= 0x10000 && character < 0x110000);
}

/// The length of a character in UTF-8, and whether XML allows it; 0: there is none; -1: more bytes are needed.
static int length_of_character(const unsigned char *bytes, size_t count, bool *allowed) {
  int length = bytes[0] < 0x80 ? 1 : (bytes[0] & 0xE0) == 0xC0 ? 2 : (bytes[0] & 0xF0) == 0xE0 ? 3
    : (bytes[0] & 0xF8) == 0xF0 ? 4 : 0;
  static const unsigned long least[] = { 0, 0, 0x80, 0x800, 0x10000 };
  unsigned long character = length < 2 ? bytes[0] : bytes[0] & (0x7F >> length);
  for (int i = 1; i < length; i++) {
    if ((size_t)i == count) return -1;
    if ((bytes[i] & 0xC0) != 0x80) return 0;
    character = character << 6 | (bytes[i] & 0x3F);
  }
  *allowed = is_allowed(character);
  return length && character >= least[length] ? length : 0;
}

enum { LONGEST_REFERENCE = 12 };

/// The length of a reference such as "&amp;" or "&#11;", and whether XML allows it; 0: the ampersand stands alone; -1: more
/// bytes are needed.
static int length_of_reference(const unsigned char *bytes, size_t count, bool *allowed) {
  size_t most = count < LONGEST_REFERENCE ? count : LONGEST_REFERENCE, length = 1;
  while (length < most && (isalnum(bytes[length]) || (length == 1 && bytes[1] == '#'))) length++;
  if (length == most) return most == LONGEST_REFERENCE ? 0 : -1;
  if (bytes[length] != ';' || length == 1) return 0;
  char name[LONGEST_REFERENCE] = "";
  memcpy(name, bytes + 1, length - 1);
  *allowed = true;
  if (name[0] != '#') {
    static const char *const known[] = { "amp", "lt", "gt", "quot", "apos" };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
      if (strcmp(name, known[i]) == 0) return (int)length + 1;
    return 0;
  }
  char *end;
  bool is_hexadecimal = name[1] == 'x';
  if (!isxdigit((unsigned char)name[is_hexadecimal ? 2 : 1])) return 0;
  unsigned long character = strtoul(name + (is_hexadecimal ? 2 : 1), &end, is_hexadecimal ? 16 : 10);
  if (*end) return 0;
  *allowed = is_allowed(character);
  return (int)length + 1;
}

/// Copies read bytes. Characters that XML does not allow, as telephones write them, become '?', and ampersands that stand
/// alone "&amp;": a single one would cost all records behind it.
/// - Returns: the number of bytes written.
static size_t repair(struct xml_reader *reader, char *output, size_t room) {
  size_t written = 0;
  while (reader->next < reader->end) {
    const unsigned char *bytes = reader->raw + reader->next;
    size_t count = reader->end - reader->next;
    int length = 1;
    bool allowed = true;
    const char *instead = "?";
    if (reader->is_utf8 && bytes[0] == '&') {
      length = length_of_reference(bytes, count, &allowed);
      if (length == 0 || (length < 0 && reader->has_ended)) length = 1, allowed = false, instead = "&amp;";
    } else if (reader->is_utf8 && (bytes[0] < 0x20 || bytes[0] >= 0x80)) {
      length = length_of_character(bytes, count, &allowed);
      if (length == 0 || (length < 0 && reader->has_ended)) length = 1, allowed = false;
    }
    if (length < 0) break;
    const void *source = allowed ? (const void *)bytes : instead;
    size_t needed = allowed ? (size_t)length : strlen(instead);
    if (written + needed > room) break;
    memcpy(output + written, source, needed);
    written += needed;
    if (!allowed && !reader->replaced++) reader->first_replaced = reader->line;
    if (bytes[0] == '\n') reader->line++;
    reader->next += (size_t)length;
  }
  return written;
}

static ssize_t read_raw(struct xml_reader *reader, unsigned char *bytes, size_t room) {
  ssize_t count;
  if (reader->descriptor < 0) {
    if (room > reader->left) room = reader->left;
    memcpy(bytes, reader->memory, room);
    reader->memory += room;
    reader->left -= room;
    return (ssize_t)room;
  }
  do count = read(reader->descriptor, bytes, room);
  while (count < 0 && errno == EINTR);
  return count;
}

static int read_piece(void *context, char *bytes, int size) {
  struct xml_reader *reader = context;
  size_t written;
  while ((written = repair(reader, bytes, (size_t)size)) == 0 && !reader->has_ended) {
    memmove(reader->raw, reader->raw + reader->next, reader->end - reader->next);
    reader->end -= reader->next;
    reader->next = 0;
    ssize_t count = read_raw(reader, reader->raw + reader->end, sizeof reader->raw - reader->end);
    if (count < 0) return -1;
    reader->has_ended = count == 0;
    reader->end += (size_t)count;
    if (!reader->is_checked) reader->is_utf8 = begins_utf8(reader->raw, reader->end);
    reader->is_checked = true;
  }
  blank(reader, bytes, (ssize_t)written);
  return (int)written;
}

static int leave_open(void *context) {
  (void)context;
  return 0;
}

static void ignore(void *context, const char *message, int severity, void *locator) {
  (void)context, (void)message, (void)severity, (void)locator;
}

/// Of an open file, or of a document in memory if the descriptor is negative. libxml2 begins to read at once.
static struct xml_reader *make_reader(int descriptor, const void *bytes, size_t count) {
  if (!xml_reader_load()) return NULL;
  struct xml_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->descriptor = descriptor;
  reader->memory = bytes;
  reader->left = count;
  reader->line = 1;
  reader->reader = xml.ReaderForIO(read_piece, leave_open, reader, NULL, NULL, NO_NETWORK | HUGE_FILES);
  if (!reader->reader) {
    free(reader);
    return NULL;
  }
  xml.TextReaderSetErrorHandler(reader->reader, ignore, NULL);
  return reader;
}

struct xml_reader *xml_reader_new(int descriptor) { return make_reader(descriptor, NULL, 0); }

struct xml_reader *xml_reader_new_in_memory(const void *bytes, size_t count) { return make_reader(-1, bytes, count); }

int xml_reader_next(struct xml_reader *reader) {
  int status;
  do status = xml.TextReaderRead(reader->reader);
  while (status == 1 && xml.TextReaderNodeType(reader->reader) != ELEMENT);
  return status;
}

const char *xml_reader_name(struct xml_reader *reader) {
  const unsigned char *name = xml.TextReaderConstLocalName(reader->reader);
  return name ? (const char *)name : "";
}

int xml_reader_depth(struct xml_reader *reader) { return xml.TextReaderDepth(reader->reader); }

const char *xml_reader_attribute(struct xml_reader *reader, const char *name) {
  const unsigned char *value = NULL;
  if (xml.TextReaderMoveToAttribute(reader->reader, (const unsigned char *)name) == 1) {
    value = xml.TextReaderConstValue(reader->reader);
    xml.TextReaderMoveToElement(reader->reader);
  }
  return (const char *)value;
}

long xml_reader_replaced(struct xml_reader *reader, long *line) {
  *line = reader->first_replaced;
  return reader->replaced;
}

int xml_reader_line(struct xml_reader *reader) { return xml.TextReaderGetParserLineNumber(reader->reader); }

void xml_reader_free(struct xml_reader *reader) {
  xml.FreeTextReader(reader->reader);
  free(reader);
}
