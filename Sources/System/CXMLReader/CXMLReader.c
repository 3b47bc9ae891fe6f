#include "CXMLReader.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
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

static int read_piece(void *context, char *bytes, int size) {
  struct xml_reader *reader = context;
  ssize_t count;
  do count = read(reader->descriptor, bytes, (size_t)size);
  while (count < 0 && errno == EINTR);
  if (count > 0) blank(reader, bytes, count);
  return (int)count;
}

static int leave_open(void *context) {
  (void)context;
  return 0;
}

static void ignore(void *context, const char *message, int severity, void *locator) {
  (void)context, (void)message, (void)severity, (void)locator;
}

struct xml_reader *xml_reader_new(int descriptor) {
  if (!xml_reader_load()) return NULL;
  struct xml_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->descriptor = descriptor;
  reader->reader = xml.ReaderForIO(read_piece, leave_open, reader, NULL, NULL, NO_NETWORK | HUGE_FILES);
  if (!reader->reader) {
    free(reader);
    return NULL;
  }
  xml.TextReaderSetErrorHandler(reader->reader, ignore, NULL);
  return reader;
}

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

const char *xml_reader_attribute(struct xml_reader *reader, const char *name) {
  const unsigned char *value = NULL;
  if (xml.TextReaderMoveToAttribute(reader->reader, (const unsigned char *)name) == 1) {
    value = xml.TextReaderConstValue(reader->reader);
    xml.TextReaderMoveToElement(reader->reader);
  }
  return (const char *)value;
}

int xml_reader_line(struct xml_reader *reader) { return xml.TextReaderGetParserLineNumber(reader->reader); }

void xml_reader_free(struct xml_reader *reader) {
  xml.FreeTextReader(reader->reader);
  free(reader);
}
