/* sensor.c - the event loop of every virtual sensor: one timer, one descriptor, the signals of sensor.h. */
#include "sensor.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t stop, go, toggle, freeze;

static void on_signal(int number)
{
	switch (number) {
	case SIGUSR1: go = 1; break;
	case SIGUSR2: toggle = 1; break;
	case SIGHUP: freeze = 1; break;
	default: stop = 1;
	}
}

static void catch_signals(int limit)
{
	static const int numbers[] = { SIGUSR1, SIGUSR2, SIGHUP, SIGTERM, SIGINT, SIGALRM };
	struct sigaction action = { .sa_handler = on_signal };
	for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
		sigaction(numbers[k], &action, NULL);
	alarm(limit);
}

static int64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void arm(int timer, int64_t at)
{
	struct itimerspec when = { .it_value = { at / 1000000000, at % 1000000000 } };
	timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
}

static void change_plug(struct sensor *s, const char *program)
{
	if (s->plugged) {
		s->unplug(s);
		s->plugged = s->listened = false;
		s->descriptor = -1;
		motion_pause(&s->motion);
	} else {
		s->descriptor = s->plug(s);
		s->plugged = true;
	}
	options_log(&s->options, "%s: %s at %.2f s of the walk", program, s->plugged ? "plugged" : "unplugged",
		    s->motion.time);
}

/* One sample: advances by dt and reports. False if the device is to be removed. */
static bool tick(struct sensor *s, double dt)
{
	double g[3];
	if (!s->motion.begun && s->listened && (!s->options.wait || go)) {
		s->motion.begun = true;
		options_log(&s->options, "walk begins at %.3f", now() / 1e9);
	}
	if (freeze)
		s->motion.frozen = true;
	bool more = motion_advance(&s->motion, dt, g);
	s->time += dt;
	if (motion_walked(&s->motion) && !s->walked) {
		s->walked = true;
		options_log(&s->options, "walk over at %.3f", now() / 1e9);
	}
	if (!more)
		return false;
	if (s->motion.frozen && s->options.freeze_kind == FREEZE_SILENT)
		return true;
	return s->report(s, g);
}

/* Sends the due samples, several after a late wake-up, and sets *at to the next deadline.
 * After a very long delay the machine was asleep, and so was the walker. */
static bool catch_up(struct sensor *s, int64_t *at)
{
	if (now() - *at > 2000000000) {
		motion_pause(&s->motion);
		*at = now();
	}
	while (*at <= now()) {
		double dt = motion_interval(&s->motion, s->rate, s->own_pace);
		if (!tick(s, dt))
			return false;
		dt = motion_interval(&s->motion, s->rate, s->own_pace);
		*at += (int64_t)(dt / s->options.speed * 1e9);
	}
	return true;
}

static bool turn(struct sensor *s, int timer, int64_t *at, const char *program)
{
	struct pollfd p[2] = { { timer, POLLIN, 0 }, { s->descriptor, POLLIN, 0 } };
	double rate = s->rate;
	uint64_t expired;
	if (poll(p, 2, 1000) < 0 && errno != EINTR)
		return false;
	if (toggle) {
		toggle = 0;
		change_plug(s, program);
		*at = now();
		arm(timer, *at + 1);
		return true;
	}
	if (p[1].revents && s->plugged && !s->serve(s))
		return false;
	if (p[0].revents && read(timer, &expired, sizeof expired) < 0 && errno != EAGAIN)
		return false;
	if (!s->plugged)
		return true;
	if (rate != s->rate)
		*at = now();
	if (!catch_up(s, at))
		return false;
	arm(timer, *at);
	return true;
}

double sensor_clock(const struct sensor *s)
{
	const char *clock = s->options.clock;
	if (!strcmp(clock, "reset"))
		return fmod(s->time, 6);
	if (!strcmp(clock, "ahead"))
		return s->time + (s->sent % 50 == 7 ? 1.4e8 : 0);
	if (!strcmp(clock, "late"))
		return s->time - (s->sent % 100 == 7 ? 0.3 : 0);
	if (!strcmp(clock, "still"))
		return 5;
	if (!strcmp(clock, "half"))
		return s->time / 2;
	if (!strcmp(clock, "slow"))
		return s->time / 10;
	if (!strcmp(clock, "fast"))
		return s->time * 1000;
	return s->time;
}

int sensor_run(struct sensor *s, const char *program)
{
	if (s->options.speed != 1 && !s->own_time) {
		fprintf(stderr, "%s: speed: the kernel timestamps these samples, so they cannot be faster\n", program);
		return 2;
	}
	s->rate = s->options.rate;
	s->descriptor = -1;
	motion_open(&s->motion, &s->options);
	catch_signals(s->options.limit);
	int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (timer < 0) {
		perror("timerfd_create");
		return 1;
	}
	change_plug(s, program);
	int64_t at = now();
	arm(timer, at + 1);
	while (!stop && turn(s, timer, &at, program))
		continue;
	options_log(&s->options, "%s: %ld reports sent, removing the device", program, s->sent);
	if (s->plugged)
		s->unplug(s);
	close(timer);
	return 0;
}
