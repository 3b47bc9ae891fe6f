// XML element by element through libxml2's text reader, which is loaded on first use: only imports and remote sensors need it. Files may be
// larger than the memory.
//
// Only tags reach libxml2, in UTF-8, with its own limits: comments, texts and the document type, of which exports of some telephones contain an
// invalid one, are skipped. One that declares entities is refused in every encoding, because a kilobyte of them can stand for gigabytes.
// Characters that XML does not allow, and bytes that are not UTF-8, become '?'; an ampersand that stands alone is one. UTF-16, ISO-8859-1
// and Windows-1252 are read as well.
#ifndef CXMLREADER_H
#define CXMLREADER_H

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

struct xml_reader;

/// Whether the library is installed. Thread-safe; may be called repeatedly.
bool xml_reader_load(void);

/// What a document may have; libxml2 limits the depth.
struct xml_limits {
  /// Bytes of a tag.
  size_t token;
  /// Attributes of an element, and different names of elements and attributes.
  int attributes, names;
};

/// Reads an open file, which stays open, or a document in memory if the descriptor is negative; the bytes must stay there until the reader
/// is freed. Null without memory or library.
struct xml_reader *_Nullable xml_reader_new(
  int descriptor, const void *_Nullable bytes, size_t count, struct xml_limits limits);

enum {
  /// There is an element.
  XML_READER_ELEMENT = 1,
  XML_READER_ENDED = 0,
  /// Not well-formed, or it cannot be read.
  XML_READER_DAMAGED = -1,
  /// It declares entities.
  XML_READER_ENTITIES = -2,
  /// It has more than the limits.
  XML_READER_EXCESSIVE = -3,
};

/// Moves to the next start of an element.
int xml_reader_next(struct xml_reader *reader);

/// The name of the element.
const char *xml_reader_name(struct xml_reader *reader);

/// How many elements contain the element; 0 for the root.
int xml_reader_depth(struct xml_reader *reader);

/// An attribute of the element; null if it has none of this name. Valid until the next call.
const char *_Nullable xml_reader_attribute(struct xml_reader *reader, const char *name);

/// The line up to which the parser has read: that of the error, or a few after the element.
int xml_reader_line(struct xml_reader *reader);

/// The number of characters that were replaced so far, and the line of the first.
long xml_reader_replaced(struct xml_reader *reader, long *line);

void xml_reader_free(struct xml_reader *reader);

#pragma clang assume_nonnull end
#endif
