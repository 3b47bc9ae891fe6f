/* node_watch FILE... - says when somebody opens one of them, on standard output: the second opinion on whether a device was
 * left alone. */
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char events[4096] __attribute__((aligned(8)));
	int watch = inotify_init1(IN_CLOEXEC);
	for (int k = 1; k < argc; k++)
		if (inotify_add_watch(watch, argv[k], IN_OPEN) < 0) {
			perror(argv[k]);
			return 1;
		}
	puts("watching");
	fflush(stdout);
	while (read(watch, events, sizeof events) > 0) {
		puts("opened");
		fflush(stdout);
	}
	return 0;
}
