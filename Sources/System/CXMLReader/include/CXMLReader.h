// XML element by element through libxml2's text reader, which is loaded on first use: only imports and remote sensors need it. Files may be
// larger than the memory.
//
// The document type is skipped: exports of some telephones contain an invalid one, and its entities could grow without
// limit. Characters that XML does not allow, and bytes that are not UTF-8, become '?'; an ampersand that stands alone is one.
#ifndef CXMLREADER_H
#define CXMLREADER_H

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

struct xml_reader;

/// Whether the library is installed. Thread-safe; may be called repeatedly.
bool xml_reader_load(void);

/// Reads an open file, which stays open; null without memory or library.
struct xml_reader *_Nullable xml_reader_new(int descriptor);

/// The same for a document in memory, which must stay there until the reader is freed.
struct xml_reader *_Nullable xml_reader_new_in_memory(const void *bytes, size_t count);

/// Moves to the next start of an element. 1: there is one; 0: the document has ended; -1: it is not well-formed, or cannot
/// be read.
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
