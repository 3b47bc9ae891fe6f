#include "CXMLReader.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// The used part of libxml2's text reader, declared according to its documented ABI, so that the build does not need its
// headers.
typedef void *text_reader;
typedef void (*error_function)(void *, const char *, int, void *);
enum { ELEMENT = 1, NO_NETWORK = 1 << 11 };

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

enum encoding { UTF8, LATIN1, UTF16_BIG, UTF16_LITTLE };

struct xml_reader {
  text_reader reader;
  int descriptor;
  /// What is left of a document in memory.
  const unsigned char *memory;
  size_t left;
  /// The first bytes, which tell the encoding, as far as they are not read yet.
  unsigned char head[256];
  size_t head_next, head_end;
  enum encoding encoding;
  /// The beginning of a character of UTF-16.
  unsigned char rest[4];
  size_t rest_count;
  /// Bytes in UTF-8 that are not examined yet.
  unsigned char raw[1 << 16];
  size_t next, end;
  bool has_ended;
  /// The line of the next byte, the number of replaced characters, and the line of the first.
  long line, replaced, first_replaced;
  /// What the parser may read.
  char ready[1 << 13];
  size_t ready_next, ready_end;
  struct xml_limits limits;
  enum { TEXT, OPENED, TAG, DECLARED, COMMENT, CDATA, INSTRUCTION, IN_DOCTYPE, IN_SUBSET, AFTER_SUBSET } state;
  /// The bytes of the tag so far, the values in it, the mark that ends the present one, and a hash of the name.
  size_t token;
  int attributes;
  char quote;
  uint16_t name;
  /// The hashes of all names so far, and their number.
  unsigned char names[(UINT16_MAX + 1) / 8];
  int name_count;
  /// The two characters before, and the number of letters of "<!ENTITY" so far.
  char former[2];
  size_t entity;
  /// Why nothing more is read; 0: it is.
  int refusal;
};

/// Examines a byte of a tag.
static void examine(struct xml_reader *reader, char byte) {
  if (++reader->token > reader->limits.token) reader->refusal = XML_READER_EXCESSIVE;
  if (reader->quote) {
    if (byte == reader->quote) reader->quote = 0;
    return;
  }
  if (byte == '"' || byte == '\'') {
    reader->quote = byte;
    if (++reader->attributes > reader->limits.attributes) reader->refusal = XML_READER_EXCESSIVE;
  } else if (byte != '>' && byte != '/' && byte != '=' && !isspace((unsigned char)byte)) {
    reader->name = (uint16_t)(reader->name * 31 + (unsigned char)byte);
    return;
  }
  if (byte == '>') reader->state = TEXT;
  unsigned char bit = (unsigned char)(1 << reader->name % 8), *place = &reader->names[reader->name / 8];
  if (!(*place & bit) && ++reader->name_count > reader->limits.names) reader->refusal = XML_READER_EXCESSIVE;
  *place |= bit;
  reader->name = 0;
}

/// Examines a byte of what begins with "<!" or "<?", up to its end.
static void skip(struct xml_reader *reader, char byte) {
  static const char entity[] = "<!ENTITY";
  bool has_ended = false;
  switch (reader->state) {
  case COMMENT: has_ended = byte == '>' && reader->former[0] == '-' && reader->former[1] == '-'; break;
  case CDATA: has_ended = byte == '>' && reader->former[0] == ']' && reader->former[1] == ']'; break;
  case INSTRUCTION: has_ended = byte == '>' && reader->former[1] == '?'; break;
  default:
    reader->entity = byte == entity[reader->entity] ? reader->entity + 1 : byte == '<';
    if (reader->entity == sizeof entity - 1) reader->refusal = XML_READER_ENTITIES;
    has_ended = byte == '>' && reader->state != IN_SUBSET;
    if (reader->state == IN_DOCTYPE && byte == '[') reader->state = IN_SUBSET;
    else if (reader->state == IN_SUBSET && byte == ']') reader->state = AFTER_SUBSET;
    // A bracket inside the subset is not its end.
    else if (reader->state == AFTER_SUBSET && byte != ']' && !isspace((unsigned char)byte)) reader->state = IN_SUBSET;
  }
  reader->former[0] = reader->former[1];
  reader->former[1] = byte;
  if (has_ended) reader->state = TEXT;
}

/// Passes the tags of text on to the parser, and the ends of its lines. It gets no declarations, so it has nothing to expand, and nothing
/// between the tags, so it has nothing to store.
static void pass(struct xml_reader *reader, const char *bytes, size_t count) {
  size_t written = 0;
  for (size_t i = 0; i < count && !reader->refusal; i++) {
    char byte = bytes[i];
    bool is_kept = byte == '\n';
    switch (reader->state) {
    case TEXT: if (byte == '<') reader->state = OPENED; break;
    case OPENED:
      reader->former[0] = reader->former[1] = 0;
      reader->entity = 0;
      reader->state = byte == '!' ? DECLARED : byte == '?' ? INSTRUCTION : TAG;
      if (reader->state != TAG) break;
      reader->token = 0, reader->attributes = 0, reader->quote = 0, reader->name = 0;
      reader->ready[written++] = '<';
      is_kept = true;
      examine(reader, byte);
      break;
    case TAG:
      is_kept = true;
      examine(reader, byte);
      break;
    case DECLARED: reader->state = byte == '-' ? COMMENT : byte == '[' ? CDATA : IN_DOCTYPE; break;
    default: skip(reader, byte);
    }
    if (is_kept) reader->ready[written++] = byte;
  }
  reader->ready_next = 0;
  reader->ready_end = written;
}

/// By the first bytes. Other encodings than these are read as UTF-8: the letters of ASCII are where they are, or there is no XML.
static enum encoding encoding_of(const unsigned char *bytes, size_t count) {
  if (count >= 2 && ((bytes[0] == 0xFE && bytes[1] == 0xFF) || (!bytes[0] && bytes[1] == '<'))) return UTF16_BIG;
  if (count >= 2 && ((bytes[0] == 0xFF && bytes[1] == 0xFE) || (bytes[0] == '<' && !bytes[1]))) return UTF16_LITTLE;
  for (size_t i = 0; i + 22 < count && bytes[i] != '>'; i++) {
    if (memcmp(bytes + i, "encoding=", 9) != 0) continue;
    const char *name = (const char *)bytes + i + 10;
    return strncasecmp(name, "iso-8859-1", 10) == 0 || strncasecmp(name, "windows-1252", 12) == 0 ? LATIN1 : UTF8;
  }
  return UTF8;
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
    if (bytes[0] == '&') {
      length = length_of_reference(bytes, count, &allowed);
      if (length == 0 || (length < 0 && reader->has_ended)) length = 1, allowed = false, instead = "&amp;";
    } else if (bytes[0] < 0x20 || bytes[0] >= 0x80) {
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
  if (reader->head_next < reader->head_end) {
    if (room > reader->head_end - reader->head_next) room = reader->head_end - reader->head_next;
    memcpy(bytes, reader->head + reader->head_next, room);
    reader->head_next += room;
    return (ssize_t)room;
  }
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

/// Takes a character; what is none becomes one that XML does not allow.
/// - Returns: its bytes; 0: more are needed.
static size_t take_character(enum encoding encoding, const unsigned char *bytes, size_t count, unsigned *character) {
  *character = bytes[0];
  if (encoding == LATIN1) return 1;
  unsigned units[2] = { 0, 0 };
  for (size_t i = 0; i < 2 && 2 * i + 1 < count; i++)
    units[i] = (unsigned)bytes[2 * i + (encoding == UTF16_LITTLE)] << 8 | bytes[2 * i + (encoding == UTF16_BIG)];
  bool is_pair = count >= 2 && units[0] >> 10 == 0xD800 >> 10;
  if (count < (is_pair ? 4 : 2)) return 0;
  *character = units[0];
  if (!is_pair || units[1] >> 10 != 0xDC00 >> 10) return 2;
  *character = 0x10000 + ((units[0] & 0x3FF) << 10 | (units[1] & 0x3FF));
  return 4;
}

/// Writes a character in UTF-8.
/// - Returns: the number of its bytes.
static size_t put_character(unsigned character, unsigned char *output) {
  if (character < 0x80) return output[0] = (unsigned char)character, 1;
  size_t length = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  for (size_t i = length - 1; i > 0; i--, character >>= 6) output[i] = 0x80 | (character & 0x3F);
  output[0] = (unsigned char)(0xF00 >> length | character);
  return length;
}

/// Reads on in UTF-8, at least 64 bytes if there are as many.
static ssize_t read_utf8(struct xml_reader *reader, unsigned char *output, size_t room) {
  if (reader->encoding == UTF8) return read_raw(reader, output, room);
  size_t written = 0;
  while (written == 0) {
    unsigned char bytes[4096 + sizeof reader->rest];
    size_t next = 0, length, most = room / 3 - sizeof reader->rest;
    memcpy(bytes, reader->rest, reader->rest_count);
    ssize_t count = read_raw(reader, bytes + reader->rest_count, most < 4096 ? most : 4096);
    if (count <= 0) return count;
    size_t end = reader->rest_count + (size_t)count;
    unsigned character;
    while (next < end && (length = take_character(reader->encoding, bytes + next, end - next, &character)) > 0) {
      written += put_character(character, output + written);
      next += length;
    }
    reader->rest_count = end - next;
    memcpy(reader->rest, bytes + next, reader->rest_count);
  }
  return (ssize_t)written;
}

static int read_piece(void *context, char *bytes, int size) {
  struct xml_reader *reader = context;
  while (reader->ready_next == reader->ready_end && !reader->refusal) {
    // The "<" before may come on top.
    char clean[sizeof reader->ready - 1];
    size_t written = repair(reader, clean, sizeof clean);
    pass(reader, clean, written);
    if (written > 0) continue;
    if (reader->has_ended) return 0;
    memmove(reader->raw, reader->raw + reader->next, reader->end - reader->next);
    reader->end -= reader->next;
    reader->next = 0;
    ssize_t count = read_utf8(reader, reader->raw + reader->end, sizeof reader->raw - reader->end);
    if (count < 0) return -1;
    reader->has_ended = count == 0;
    reader->end += (size_t)count;
  }
  if (reader->refusal) return -1;
  size_t count = reader->ready_end - reader->ready_next;
  if (count > (size_t)size) count = (size_t)size;
  memcpy(bytes, reader->ready + reader->ready_next, count);
  reader->ready_next += count;
  return (int)count;
}

static int leave_open(void *context) {
  (void)context;
  return 0;
}

static void ignore(void *context, const char *message, int severity, void *locator) {
  (void)context, (void)message, (void)severity, (void)locator;
}

struct xml_reader *xml_reader_new(int descriptor, const void *bytes, size_t count, struct xml_limits limits) {
  if (!xml_reader_load()) return NULL;
  struct xml_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->descriptor = descriptor;
  reader->memory = bytes;
  reader->left = count;
  reader->line = 1;
  reader->limits = limits;
  ssize_t some;
  size_t end = 0;
  while (end < sizeof reader->head && (some = read_raw(reader, reader->head + end, sizeof reader->head - end)) > 0)
    end += (size_t)some;
  reader->head_end = end;
  reader->encoding = encoding_of(reader->head, end);
  // libxml2 begins to read at once. What it gets is UTF-8, whatever the document declares, and its own limits hold.
  reader->reader = xml.ReaderForIO(read_piece, leave_open, reader, NULL, NULL, NO_NETWORK);
  if (!reader->reader) {
    free(reader);
    return NULL;
  }
  xml.TextReaderSetErrorHandler(reader->reader, ignore, NULL);
  return reader;
}

int xml_reader_next(struct xml_reader *reader) {
  int status = 1;
  while (!reader->refusal && (status = xml.TextReaderRead(reader->reader)) == 1
         && xml.TextReaderNodeType(reader->reader) != ELEMENT);
  return reader->refusal ? reader->refusal : status;
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
