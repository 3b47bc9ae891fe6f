#include "CReference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// A walk of 15 minutes in every 45, otherwise sensor noise; three axes with 256 counts per g.
static void signal_at(long index, int rate, uint32_t *noise, int16_t counts[3]) {
  double t = (double)index / rate;
  int walks = fmod(t, 2700) < 900;
  double swing = walks ? 70 * sin(2 * M_PI * 1.8 * t) : 0;
  for (int k = 0; k < 3; k++) {
    *noise = *noise * 1664525u + 1013904223u;
    counts[k] = (int16_t)(int)(*noise >> 30);
  }
  counts[0] += (int16_t)(20 + swing / 4);
  counts[1] += (int16_t)(-60 + swing / 3);
  counts[2] += (int16_t)(247 + swing);
}

static void put16(uint8_t *at, unsigned value) {
  at[0] = (uint8_t)value;
  at[1] = (uint8_t)(value >> 8);
}

static void put32(uint8_t *at, uint32_t value) {
  put16(at, value & 0xFFFF);
  put16(at + 2, value >> 16);
}

long reference_write_cwa(const char *path, long seconds, int packed) {
  FILE *file = fopen(path, "wb");
  if (!file) return -1;
  uint8_t header[1024] = {'M', 'D', 0xFC, 0x03, 0x17};
  put16(header + 5, 4242);
  header[7] = 7;
  header[36] = 0x4A;
  header[41] = 44;
  put16(header + 42, 0xFFFF);
  fwrite(header, 1, sizeof header, file);
  uint32_t noise = 1;
  int count = packed ? 120 : 80;
  long blocks = seconds * 100 / count;
  for (long b = 0; b < blocks; b++) {
    uint8_t block[512] = {'A', 'X', 0xFC, 0x01};
    // The time of the block's first sample, in units of 1/65536 s; only January and February 2020.
    long stamp = (long)((double)(b * count) / 100 * 65536);
    long second = stamp >> 16, day = second / 86400, fraction = stamp & 0xFFFE;
    uint32_t month = 1 + (uint32_t)(day / 31), date = 1 + (uint32_t)(day % 31);
    put16(block + 4, 0x8000u | (unsigned)(fraction >> 1));
    block[6] = 7;
    put32(block + 10, (uint32_t)b);
    put32(
        block + 14, 20u << 26 | month << 22 | date << 17 | (uint32_t)(second / 3600 % 24) << 12 |
                        (uint32_t)(second / 60 % 60) << 6 | (uint32_t)(second % 60));
    put16(block + 18, 100);
    block[24] = 0x4A;
    block[25] = packed ? 0x30 : 0x32;
    put16(block + 26, (unsigned)-(int)((fraction * 100) >> 16));
    put16(block + 28, (unsigned)count);
    for (int i = 0; i < count; i++) {
      int16_t v[3];
      signal_at(b * count + i, 100, &noise, v);
      if (packed) {
        uint32_t bits[3];
        for (int k = 0; k < 3; k++) bits[k] = (uint32_t)(v[k] >> 1) & 0x3FF;
        put32(block + 30 + 4 * i, bits[0] | bits[1] << 10 | bits[2] << 20 | 1u << 30);
      } else {
        memcpy(block + 30 + 6 * i, v, 6);
      }
    }
    uint16_t sum = 0;
    for (int i = 0; i < 510; i += 2) sum = (uint16_t)(sum + (block[i] | block[i + 1] << 8));
    put16(block + 510, (unsigned)-(int)sum);
    fwrite(block, 1, sizeof block, file);
  }
  return fclose(file) == 0 ? blocks * count : -1;
}

static uint32_t checksum(const uint8_t *bytes, size_t count) {
  static uint32_t table[256];
  if (!table[1])
    for (uint32_t i = 0; i < 256; i++) {
      uint32_t c = i;
      for (int k = 0; k < 8; k++) c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
      table[i] = c;
    }
  uint32_t sum = ~0u;
  for (size_t i = 0; i < count; i++) sum = table[(sum ^ bytes[i]) & 255] ^ sum >> 8;
  return ~sum;
}

struct zip {
  FILE *file;
  uint8_t directory[512];
  size_t size, entries;
};

// The bytes as deflate data, at the level that zip programs use; the caller frees them.
static uint8_t *deflated(const uint8_t *bytes, size_t *count) {
  z_stream stream = {.next_in = (uint8_t *)bytes, .avail_in = (uInt)*count};
  if (deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) return NULL;
  const size_t room = deflateBound(&stream, *count);
  uint8_t *packed = malloc(room);
  stream.next_out = packed;
  stream.avail_out = (uInt)room;
  if (packed) deflate(&stream, Z_FINISH);
  *count = stream.total_out;
  deflateEnd(&stream);
  return packed;
}

static int add_entry(struct zip *zip, const char *name, const uint8_t *bytes, size_t count, int deflates) {
  uint8_t local[30] = {'P', 'K', 3, 4, 20};
  uint32_t place = (uint32_t)ftell(zip->file), length = (uint32_t)strlen(name);
  local[8] = deflates ? 8 : 0;
  put32(local + 14, checksum(bytes, count));
  put32(local + 22, (uint32_t)count);
  uint8_t *packed = deflates ? deflated(bytes, &count) : NULL;
  if (deflates && !packed) return -1;
  put32(local + 18, (uint32_t)count);
  put16(local + 26, length);
  fwrite(local, 1, sizeof local, zip->file);
  fwrite(name, 1, length, zip->file);
  fwrite(packed ? packed : bytes, 1, count, zip->file);
  free(packed);
  uint8_t *entry = zip->directory + zip->size;
  memcpy(entry, "PK\1\2\24", 5);
  memcpy(entry + 6, local + 4, 26);
  put32(entry + 42, place);
  memcpy(entry + 46, name, length);
  zip->size += 46 + length;
  zip->entries++;
  return 0;
}

static int finish_zip(struct zip *zip) {
  uint8_t end[22] = {'P', 'K', 5, 6};
  uint32_t place = (uint32_t)ftell(zip->file);
  put16(end + 8, (unsigned)zip->entries);
  put16(end + 10, (unsigned)zip->entries);
  put32(end + 12, (uint32_t)zip->size);
  put32(end + 16, place);
  fwrite(zip->directory, 1, zip->size, zip->file);
  fwrite(end, 1, sizeof end, zip->file);
  return fclose(zip->file);
}

long reference_write_gt3x(const char *path, long seconds, int deflates) {
  struct zip zip = {.file = fopen(path, "wb")};
  uint8_t *log = malloc((size_t)seconds * (9 + 450));
  if (!zip.file || !log) return -1;
  const char *info = "Serial Number: TAS1E00000001\r\nDevice Type: Link\r\nSample Rate: 100\r\n"
                     "Start Date: 638396640000000000\r\nTimeZone: 00:00:00\r\nAcceleration Scale: 256.0\r\n";
  add_entry(&zip, "info.txt", (const uint8_t *)info, strlen(info), 0);
  uint32_t noise = 1;
  uint8_t *at = log;
  for (long s = 0; s < seconds; s++) {
    uint8_t *record = at;
    *at++ = 0x1E;
    *at++ = 0;
    put32(at, (uint32_t)(1704067200 + s));
    put16(at + 4, 450);
    at += 6;
    unsigned nibbles = 0, held = 0;
    for (int i = 0; i < 100; i++) {
      int16_t v[3];
      signal_at(s * 100 + i, 100, &noise, v);
      for (int k = 0; k < 3; k++) {
        unsigned bits = (unsigned)v[k == 0 ? 1 : k == 1 ? 0 : 2] & 0xFFF;
        held = held << 12 | bits;
        for (nibbles += 3; nibbles >= 2; nibbles -= 2) *at++ = (uint8_t)(held >> (4 * (nibbles - 2)));
      }
    }
    uint8_t sum = 0;
    for (uint8_t *p = record; p < at; p++) sum ^= *p;
    *at++ = (uint8_t)~sum;
  }
  const int added = add_entry(&zip, "log.bin", log, (size_t)(at - log), deflates);
  free(log);
  return finish_zip(&zip) == 0 && added == 0 ? seconds * 100 : -1;
}

long reference_write_geneactiv(const char *path, long pages) {
  FILE *file = fopen(path, "wb");
  if (!file) return -1;
  fputs("Device Identity\r\nDevice Unique Serial Code:012345\r\nDevice Type:GENEActiv\r\n"
        "Measurement Frequency:100.0 Hz\r\nTime Zone:GMT +00:00\r\n"
        "x gain:25600\r\nx offset:0\r\ny gain:25600\r\ny offset:0\r\nz gain:25600\r\nz offset:0\r\n\r\n", file);
  uint32_t noise = 1;
  for (long p = 0; p < pages; p++) {
    long second = 3 * p;
    fprintf(
        file, "Recorded Data\r\nDevice Unique Serial Code:012345\r\nSequence Number:%ld\r\n"
              "Page Time:2020-01-%02ld %02ld:%02ld:%02ld:000\r\nUnassigned:\r\nTemperature:25.0\r\n"
              "Battery voltage:4.0\r\nDevice Status:Recording\r\nMeasurement Frequency:100.0\r\n",
        p, 1 + second / 86400, second / 3600 % 24, second / 60 % 60, second % 60);
    char line[3600], *at = line;
    for (int i = 0; i < 300; i++) {
      int16_t v[3];
      signal_at(p * 300 + i, 100, &noise, v);
      for (int k = 0; k < 3; k++)
        for (int shift = 8; shift >= 0; shift -= 4) *at++ = "0123456789ABCDEF"[v[k] >> shift & 15];
      *at++ = '0', *at++ = '0', *at++ = '0';
    }
    fwrite(line, 1, sizeof line, file);
    fputs("\r\n", file);
  }
  return fclose(file) == 0 ? pages * 300 : -1;
}

size_t reference_unpack_cwa(const uint8_t *block, struct reference_sample *samples) {
  size_t count = (size_t)(block[28] | block[29] << 8);
  const float scale = 1 / 256.0f;
  for (size_t i = 0; i < count; i++) {
    struct reference_sample *s = &samples[i];
    if (block[25] & 15) {
      int16_t v[3];
      memcpy(v, block + 30 + 6 * i, 6);
      for (int k = 0; k < 3; k++) s->acceleration[k] = (float)v[k] * scale;
    } else {
      uint32_t word;
      memcpy(&word, block + 30 + 4 * i, 4);
      int exponent = (int)(word >> 30);
      for (int k = 0; k < 3; k++)
        s->acceleration[k] = (float)((int32_t)(word << (22 - 10 * k)) >> 22 << exponent) * scale;
    }
    s->acceleration[3] = 0;
    s->nanoseconds = (int64_t)i * 10000000;
  }
  return count;
}

size_t reference_unpack_gt3x(const uint8_t *record, struct reference_sample *samples) {
  size_t count = (size_t)(record[6] | record[7] << 8) * 8 / 36;
  const uint8_t *p = record + 8;
  const float scale = 1 / 256.0f;
  for (size_t i = 0; i < count; i += 2, p += 9) {
    int v[6] = {p[0] << 4 | p[1] >> 4, (p[1] & 15) << 8 | p[2], p[3] << 4 | p[4] >> 4,
                (p[4] & 15) << 8 | p[5], p[6] << 4 | p[7] >> 4, (p[7] & 15) << 8 | p[8]};
    for (int j = 0; j < 2; j++) {
      struct reference_sample *s = &samples[i + j];
      s->acceleration[0] = (float)((int32_t)((uint32_t)v[3 * j + 1] << 20) >> 20) * scale;
      s->acceleration[1] = (float)((int32_t)((uint32_t)v[3 * j] << 20) >> 20) * scale;
      s->acceleration[2] = (float)((int32_t)((uint32_t)v[3 * j + 2] << 20) >> 20) * scale;
      s->acceleration[3] = 0;
      s->nanoseconds = (int64_t)(i + j) * 10000000;
    }
  }
  return count;
}

static inline int digit(char c) { return c <= '9' ? c - '0' : c - 'A' + 10; }

size_t reference_unpack_geneactiv(const char *line, struct reference_sample *samples) {
  for (size_t i = 0; i < 300; i++, line += 12) {
    struct reference_sample *s = &samples[i];
    for (int k = 0; k < 3; k++) {
      int raw = digit(line[3 * k]) << 8 | digit(line[3 * k + 1]) << 4 | digit(line[3 * k + 2]);
      s->acceleration[k] = (float)((int32_t)((uint32_t)raw << 20) >> 20) * (1 / 256.0f);
    }
    s->acceleration[3] = 0;
    s->nanoseconds = (int64_t)i * 10000000;
  }
  return 300;
}
