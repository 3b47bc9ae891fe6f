/* iio_cat - an independent reader for IIO buffers: enables every scan element, prints the scans, restores all settings.
 *   iio_cat SYSFS_DIRECTORY SECONDS [WATERMARK]   one line per scan: t,name=value,... raw values, t in seconds of the
 *   kernel's stamp; "# ..." lines contain the layout and the end. RAW=1 in the environment: the raw scans on stdout. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct channel { char name[64]; int index, big, is_signed, bits, storage, shift, offset; };
static struct channel channels[32];
static int count, scan_size;

static int attribute(const char *name, char *text, int size)
{
	int fd = open(name, O_RDONLY), n = fd < 0 ? -1 : (int)read(fd, text, size - 1);
	if (fd >= 0)
		close(fd);
	if (n >= 0)
		text[n] = 0;
	return n;
}

static int put(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY), n = fd < 0 ? -1 : (int)write(fd, text, strlen(text));
	if (n < 0)
		fprintf(stderr, "%s = %s: %s\n", name, text, strerror(errno));
	if (fd >= 0)
		close(fd);
	return n;
}

static int by_index(const void *a, const void *b)
{
	return ((const struct channel *)a)->index - ((const struct channel *)b)->index;
}

/* one *_en file; 0 if it is not one or its type violates the ABI */
static int add_channel(const char *file)
{
	struct channel *c = &channels[count];
	char path[320], text[64], endian, sign;
	int length = (int)strlen(file);
	if (length < 4 || strcmp(file + length - 3, "_en") || count == 32)
		return 0;
	snprintf(c->name, sizeof c->name, "%.*s", length - 3, file);
	snprintf(path, sizeof path, "scan_elements/%s_index", c->name);
	c->index = attribute(path, text, sizeof text) > 0 ? atoi(text) : -1;
	snprintf(path, sizeof path, "scan_elements/%s_type", c->name);
	if (attribute(path, text, sizeof text) <= 0)
		return 0;
	if (sscanf(text, "%ce:%c%d/%d>>%d", &endian, &sign, &c->bits, &c->storage, &c->shift) != 5)
		return 0;
	c->big = endian == 'b';
	c->is_signed = sign == 's';
	snprintf(path, sizeof path, "scan_elements/%s_en", c->name);
	count++;
	return put(path, "1") > 0;
}

static void lay_out(void)
{
	int offset = 0, widest = 1;
	qsort(channels, count, sizeof *channels, by_index);
	for (int i = 0; i < count; i++) {
		int bytes = channels[i].storage / 8;
		widest = bytes > widest ? bytes : widest;
		channels[i].offset = offset = (offset + bytes - 1) / bytes * bytes;
		offset += bytes;
	}
	scan_size = (offset + widest - 1) / widest * widest;
}

static int64_t decode(const struct channel *c, const uint8_t *scan)
{
	int bytes = c->storage / 8;
	uint64_t v = 0;
	for (int j = 0; j < bytes; j++)
		v |= (uint64_t)scan[c->offset + (c->big ? bytes - 1 - j : j)] << (8 * j);
	v >>= c->shift;
	if (c->bits < 64) {
		v &= (1ull << c->bits) - 1;
		if (c->is_signed && v >> (c->bits - 1))
			v -= 1ull << c->bits;
	}
	return (int64_t)v;
}

static void print(const uint8_t *scan)
{
	int64_t stamp = 0;
	for (int i = 0; i < count; i++)
		if (!strcmp(channels[i].name, "in_timestamp"))
			stamp = decode(&channels[i], scan);
	printf("%.6f", stamp / 1e9);
	for (int i = 0; i < count; i++)
		if (strcmp(channels[i].name, "in_timestamp"))
			printf(",%s=%lld", channels[i].name + 3, (long long)decode(&channels[i], scan));
	putchar('\n');
}

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static long read_scans(int fd, double end)
{
	uint8_t buffer[8192];
	long got = 0;
	while (seconds() < end) {
		struct pollfd p = { fd, POLLIN, 0 };
		poll(&p, 1, 200); /* a removed device never wakes poll: read tells */
		ssize_t n = read(fd, buffer, sizeof buffer / scan_size * scan_size);
		if (n < 0 && errno == EAGAIN)
			continue;
		if (n <= 0) {
			fprintf(stderr, "# read: %s\n", n ? strerror(errno) : "end of file");
			break;
		}
		if (getenv("RAW"))
			fwrite(buffer, 1, n, stdout);
		for (int at = 0; !getenv("RAW") && at + scan_size <= n; at += scan_size)
			print(buffer + at);
		got += n / scan_size;
	}
	return got;
}

int main(int argc, char **argv)
{
	char node[64];
	if (argc < 3 || chdir(argv[1])) {
		fprintf(stderr, "iio_cat SYSFS_DIRECTORY SECONDS [WATERMARK]: %s\n", strerror(errno));
		return 2;
	}
	DIR *elements = opendir("scan_elements");
	struct dirent *entry;
	if (!elements) {
		perror("scan_elements");
		return 1;
	}
	put("buffer/enable", "0");
	while ((entry = readdir(elements)))
		add_channel(entry->d_name);
	closedir(elements);
	lay_out();
	fprintf(stderr, "# %d channels, %d bytes a scan\n", count, scan_size);
	put("buffer/length", "512");
	if (argc > 3)
		put("buffer/watermark", argv[3]);
	snprintf(node, sizeof node, "/dev/%s", strrchr(argv[1], '/') + 1);
	int fd = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || put("buffer/enable", "1") < 0) {
		perror(node);
		return 1;
	}
	long got = read_scans(fd, seconds() + atof(argv[2]));
	close(fd);
	if (access("buffer/enable", F_OK) == 0)
		put("buffer/enable", "0");
	fprintf(stderr, "# %ld scans\n", got);
	return got ? 0 : 1;
}
