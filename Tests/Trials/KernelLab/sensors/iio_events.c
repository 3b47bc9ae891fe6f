/* iio_events - an independent reader for IIO events (linux/iio/events.h):  iio_events NODE COUNT TIMEOUT_MS */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define GET_EVENT_DESCRIPTOR _IOR('i', 0x90, int)
struct event { uint64_t id; int64_t timestamp; };

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	int node = open(argv[1], O_RDONLY | O_CLOEXEC), fd = -1;
	if (node < 0 || ioctl(node, GET_EVENT_DESCRIPTOR, &fd)) {
		perror(argv[1]);
		return 1;
	}
	close(node);
	for (int left = atoi(argv[2]); left > 0; left--) {
		struct pollfd p = { fd, POLLIN, 0 };
		struct event e;
		if (poll(&p, 1, atoi(argv[3])) <= 0) {
			puts("timeout");
			return 1;
		}
		if (read(fd, &e, sizeof e) != sizeof e) {
			perror("read");
			return 1;
		}
		printf("type=%u direction=%u modifier=%u channel=%u number=%d t=%lld\n", (unsigned)(e.id >> 56),
		       (unsigned)(e.id >> 48 & 0x7f), (unsigned)(e.id >> 40 & 0xff), (unsigned)(e.id >> 32 & 0xff),
		       (int16_t)e.id, (long long)e.timestamp);
		fflush(stdout);
	}
	return 0;
}
