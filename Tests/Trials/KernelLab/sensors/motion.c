/* motion.c - the waveform and the recording of a virtual sensor. */
#include "motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void bad_track(const char *path, size_t line, const char *why)
{
	fprintf(stderr, "%s:%zu: %s\n", path, line, why);
	exit(2);
}

/* CSV t,x,y,z: a header line, comments (#) and further columns are ignored; time must increase. */
static struct track track_read(const char *path)
{
	struct track track = { 0 };
	size_t room = 0, line = 0;
	double first = 0, r[4];
	char text[512];
	FILE *file = fopen(path, "r");
	if (!file) {
		perror(path);
		exit(2);
	}
	while (fgets(text, sizeof text, file)) {
		line++;
		if (sscanf(text, "%lf ,%lf ,%lf ,%lf", &r[0], &r[1], &r[2], &r[3]) != 4) {
			if (line == 1 || text[0] == '#' || text[0] == '\n')
				continue;
			bad_track(path, line, "t,x,y,z is expected");
		}
		if (!track.count)
			first = r[0];
		r[0] -= first;
		if (!(isfinite(r[0]) && isfinite(r[1]) && isfinite(r[2]) && isfinite(r[3])))
			bad_track(path, line, "not a finite number");
		if (track.count && r[0] <= track.row[track.count - 1][0])
			continue; /* a repeated or backward timestamp: no device could send it */
		if (track.count == room) {
			room = room ? 2 * room : 4096;
			track.row = realloc(track.row, room * sizeof *track.row);
			if (!track.row)
				bad_track(path, line, "out of memory");
		}
		memcpy(track.row[track.count++], r, sizeof r);
	}
	fclose(file);
	if (track.count < 2)
		bad_track(path, line, "a recording needs at least two samples");
	return track;
}

void motion_open(struct motion *m, const struct options *o)
{
	*m = (struct motion){ .options = o, .random = 2463534242u };
	if (o->play)
		m->track = track_read(o->play);
}

/* xorshift32 (Marsaglia 2003): the same noise in every run */
static double noise(struct motion *m)
{
	m->random ^= m->random << 13;
	m->random ^= m->random >> 17;
	m->random ^= m->random << 5;
	return (m->random / 4294967295.0 * 2 - 1) * m->options->noise;
}

static void rest(double g[3]) { g[0] = 0.02; g[1] = -0.05; g[2] = 1; }

/* One bounce (one maximum of |a|) per step; the body sways from side to side once per two steps. Everything starts and ends
 * at rest, because a jump of the acceleration would be another step. */
static void walk(const struct options *o, double t, double g[3])
{
	double phase = 2 * M_PI * o->cadence * t;
	if (t < 0 || (o->steps >= 0 && t >= o->steps / o->cadence))
		return;
	g[2] += o->amplitude * sin(phase);
	g[0] += 0.3 * o->amplitude * sin(phase / 2);
	g[1] += 0.2 * o->amplitude * sin(phase);
}

/* The recording at time t, linearly interpolated; before and after it, its first and last sample. */
static void played(struct motion *m, double t, double g[3])
{
	const struct track *track = &m->track;
	while (m->at + 1 < track->count && track->row[m->at + 1][0] <= t + 1e-9)
		m->at++;
	const double *a = track->row[m->at], *b = m->at + 1 < track->count ? a + 4 : a;
	double part = b > a && t > a[0] ? (t - a[0]) / (b[0] - a[0]) : 0;
	for (int k = 0; k < 3; k++)
		g[k] = a[k + 1] + part * (b[k + 1] - a[k + 1]);
}

/* A cyclic permutation, with two signs changed if the axis points down: a rotation, not a reflection. */
static void turn(const struct options *o, double g[3])
{
	double v[3] = { g[0], g[1], g[2] };
	int shift = o->up_axis - 'z' + 3;
	for (int k = 0; k < 3; k++)
		g[(k + shift) % 3] = v[k];
	if (o->up_negative) {
		g[o->up_axis - 'x'] *= -1;
		g[(o->up_axis - 'x' + 1) % 3] *= -1;
	}
}

static double duration(const struct motion *m)
{
	const struct options *o = m->options;
	if (o->play)
		return m->track.row[m->track.count - 1][0];
	return o->steps < 0 ? INFINITY : o->steps / o->cadence;
}

double motion_interval(const struct motion *m, double rate, bool own_pace)
{
	double t = m->time - m->options->lead;
	size_t next = t < 0 ? 0 : m->at + 1;
	if (!own_pace || !m->begun || !m->options->play || t < -1 / rate || next >= m->track.count)
		return 1 / rate;
	double dt = m->track.row[next][0] - t;
	return dt > 1e-6 ? dt : 1e-6;
}

bool motion_advance(struct motion *m, double dt, double g[3])
{
	const struct options *o = m->options;
	if (m->frozen) {
		memcpy(g, m->last, sizeof m->last);
		return true;
	}
	if (m->begun)
		m->time += dt;
	double t = m->time - o->lead;
	rest(g);
	if (o->play)
		played(m, t, g);
	else if (!strcmp(o->pattern, "ramp")) {
		g[0] = fmod(m->time, 10) / 10;
		g[1] = -g[0];
	} else if (!strcmp(o->pattern, "pedals")) {
		g[0] = fmod(m->time, 10) / 40;
		g[1] = g[2] = 0;
	} else if (!strcmp(o->pattern, "walk") && m->begun)
		walk(o, t, g);
	for (int k = 0; k < 3 && !o->play && strcmp(o->pattern, "ramp"); k++)
		g[k] += noise(m);
	turn(o, g);
	memcpy(m->last, g, sizeof m->last);
	m->frozen = o->freeze >= 0 && m->begun && m->time >= o->freeze;
	return o->tail < 0 || t <= duration(m) + o->tail;
}

bool motion_walked(const struct motion *m)
{
	return m->begun && m->time - m->options->lead >= duration(m);
}

void motion_pause(struct motion *m)
{
	double t = m->time - m->options->lead, step = 1 / m->options->cadence;
	if (t > 0 && !m->options->play && t < duration(m))
		m->time = m->options->lead + round(t / step) * step;
	m->begun = false;
}
