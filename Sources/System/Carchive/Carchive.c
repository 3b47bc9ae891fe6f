#include "Carchive.h"

#include <dlfcn.h>
#include <pthread.h>

// Pointers to the functions; the types are those of <archive.h>.
#define FUNCTIONS(X) \
  X(archive_read_new) \
  X(archive_read_free) \
  X(archive_read_support_filter_bzip2) \
  X(archive_read_support_filter_xz) \
  X(archive_read_support_filter_zstd) \
  X(archive_read_support_format_tar) \
  X(archive_read_support_format_zip) \
  X(archive_read_support_format_7zip) \
  X(archive_read_support_format_raw) \
  X(archive_read_open) \
  X(archive_read_open_fd) \
  X(archive_read_next_header) \
  X(archive_read_data_block) \
  X(archive_error_string) \
  X(archive_format) \
  X(archive_entry_filetype) \
  X(archive_entry_pathname) \
  X(archive_entry_size) \
  X(archive_entry_size_is_set) \
  X(archive_entry_is_encrypted) \
  X(archive_read_has_encrypted_entries)

#define DECLARE(name) static __typeof__(&name) found_##name;
FUNCTIONS(DECLARE)

static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  // The name with the ABI version: the headers are those of libarchive 3.
  void *library = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  int all = 1;
#define FIND(name) \
  found_##name = (__typeof__(&name))dlsym(library, #name); \
  all &= found_##name != 0;
  FUNCTIONS(FIND)
  is_loaded = all;
}

int lazy_archive_load(void) {
  pthread_once(&once, load);
  return is_loaded;
}

struct archive *lazy_archive_read_new(void) { return found_archive_read_new(); }
int lazy_archive_read_free(struct archive *archive) { return found_archive_read_free(archive); }
int lazy_archive_read_support_filter_bzip2(struct archive *archive) {
  return found_archive_read_support_filter_bzip2(archive);
}
int lazy_archive_read_support_filter_xz(struct archive *archive) { return found_archive_read_support_filter_xz(archive); }
int lazy_archive_read_support_filter_zstd(struct archive *archive) {
  return found_archive_read_support_filter_zstd(archive);
}
int lazy_archive_read_support_format_tar(struct archive *archive) {
  return found_archive_read_support_format_tar(archive);
}
int lazy_archive_read_support_format_zip(struct archive *archive) {
  return found_archive_read_support_format_zip(archive);
}
int lazy_archive_read_support_format_7zip(struct archive *archive) {
  return found_archive_read_support_format_7zip(archive);
}
int lazy_archive_read_support_format_raw(struct archive *archive) {
  return found_archive_read_support_format_raw(archive);
}
int lazy_archive_read_open(struct archive *archive, void *context, archive_open_callback *open,
                           archive_read_callback *read, archive_close_callback *close) {
  return found_archive_read_open(archive, context, open, read, close);
}
int lazy_archive_read_open_fd(struct archive *archive, int descriptor, size_t block_size) {
  return found_archive_read_open_fd(archive, descriptor, block_size);
}
int lazy_archive_read_next_header(struct archive *archive, struct archive_entry **entry) {
  return found_archive_read_next_header(archive, entry);
}
int lazy_archive_read_data_block(struct archive *archive, const void **data, size_t *size, la_int64_t *offset) {
  return found_archive_read_data_block(archive, data, size, offset);
}
const char *lazy_archive_error_string(struct archive *archive) { return found_archive_error_string(archive); }
int lazy_archive_format(struct archive *archive) { return found_archive_format(archive); }
mode_t lazy_archive_entry_filetype(struct archive_entry *entry) { return found_archive_entry_filetype(entry); }
const char *lazy_archive_entry_pathname(struct archive_entry *entry) { return found_archive_entry_pathname(entry); }
la_int64_t lazy_archive_entry_size(struct archive_entry *entry) { return found_archive_entry_size(entry); }
int lazy_archive_entry_size_is_set(struct archive_entry *entry) { return found_archive_entry_size_is_set(entry); }
int lazy_archive_entry_is_encrypted(struct archive_entry *entry) { return found_archive_entry_is_encrypted(entry); }
int lazy_archive_read_has_encrypted_entries(struct archive *archive) {
  return found_archive_read_has_encrypted_entries(archive);
}
