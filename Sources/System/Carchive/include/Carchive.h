// libarchive, loaded on first use.
//
// Linking it would add libxml2, ICU, nettle and others: 1 to 2 MB of resident memory in every process, including those
// that count all day and never open an archive. The functions are those of <archive.h> and <archive_entry.h> with the
// prefix "lazy_"; call lazy_archive_load() before any other.
#ifndef CARCHIVE_H
#define CARCHIVE_H

#include <archive.h>
#include <archive_entry.h>

// Whether the library is available. Thread-safe; may be called repeatedly.
int lazy_archive_load(void);

struct archive *lazy_archive_read_new(void);
int lazy_archive_read_free(struct archive *archive);
int lazy_archive_read_support_filter_bzip2(struct archive *archive);
int lazy_archive_read_support_filter_xz(struct archive *archive);
int lazy_archive_read_support_filter_zstd(struct archive *archive);
int lazy_archive_read_support_format_tar(struct archive *archive);
int lazy_archive_read_support_format_zip(struct archive *archive);
int lazy_archive_read_support_format_7zip(struct archive *archive);
int lazy_archive_read_support_format_raw(struct archive *archive);
int lazy_archive_read_open(struct archive *archive, void *context, archive_open_callback *open,
                           archive_read_callback *read, archive_close_callback *close);
int lazy_archive_read_open_fd(struct archive *archive, int descriptor, size_t block_size);
int lazy_archive_read_next_header(struct archive *archive, struct archive_entry **entry);
int lazy_archive_read_data_block(struct archive *archive, const void **data, size_t *size, la_int64_t *offset);
const char *lazy_archive_error_string(struct archive *archive);
int lazy_archive_format(struct archive *archive);
mode_t lazy_archive_entry_filetype(struct archive_entry *entry);
const char *lazy_archive_entry_pathname(struct archive_entry *entry);
la_int64_t lazy_archive_entry_size(struct archive_entry *entry);
int lazy_archive_entry_size_is_set(struct archive_entry *entry);
int lazy_archive_entry_is_encrypted(struct archive_entry *entry);
int lazy_archive_read_has_encrypted_entries(struct archive *archive);

#endif
