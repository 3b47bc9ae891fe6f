/* options.c - parses the words that options.h describes. */
#include "options.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct options options_default = {
	.rate = 50, .cadence = 2, .steps = 20, .lead = 1, .tail = -1, .amplitude = 0.3, .noise = 0.003,
	.pattern = "walk", .clock = "right", .counts = 8192, .speed = 1, .freeze = -1, .reset = -1, .up_axis = 'z', .limit = 900,
};

enum kind { NUMBER, INTEGER, FLAG, TEXT, AXIS, FREEZE };

static const struct word {
	const char *name;
	enum kind kind;
	size_t at;
} words[] = {
	{ "rate", NUMBER, offsetof(struct options, rate) },
	{ "cadence", NUMBER, offsetof(struct options, cadence) },
	{ "steps", INTEGER, offsetof(struct options, steps) },
	{ "lead", NUMBER, offsetof(struct options, lead) },
	{ "tail", NUMBER, offsetof(struct options, tail) },
	{ "amplitude", NUMBER, offsetof(struct options, amplitude) },
	{ "noise", NUMBER, offsetof(struct options, noise) },
	{ "pattern", TEXT, offsetof(struct options, pattern) },
	{ "play", TEXT, offsetof(struct options, play) },
	{ "speed", NUMBER, offsetof(struct options, speed) },
	{ "freeze", NUMBER, offsetof(struct options, freeze) },
	{ "freeze-kind", FREEZE, offsetof(struct options, freeze_kind) },
	{ "wait", FLAG, offsetof(struct options, wait) },
	{ "up", AXIS, offsetof(struct options, up_axis) },
	{ "fine", FLAG, offsetof(struct options, fine) },
	{ "time", FLAG, offsetof(struct options, own_time) },
	{ "clock", TEXT, offsetof(struct options, clock) },
	{ "climb", NUMBER, offsetof(struct options, climb) },
	{ "no-property", FLAG, offsetof(struct options, no_property) },
	{ "no-resolution", FLAG, offsetof(struct options, no_resolution) },
	{ "counts", NUMBER, offsetof(struct options, counts) },
	{ "name", TEXT, offsetof(struct options, name) },
	{ "serial", TEXT, offsetof(struct options, serial) },
	{ "port", INTEGER, offsetof(struct options, port) },
	{ "reset", NUMBER, offsetof(struct options, reset) },
	{ "quiet", FLAG, offsetof(struct options, quiet) },
	{ "limit", INTEGER, offsetof(struct options, limit) },
};

static void refuse(const char *program, const char *word, const char *why)
{
	fprintf(stderr, "%s: %s: %s\n", program, word, why);
	exit(2);
}

static double number(const char *program, const char *name, const char *value)
{
	char *end;
	double v = strtod(value, &end);
	if (end == value || *end || !isfinite(v))
		refuse(program, name, "a number is expected");
	return v;
}

static void set(struct options *o, const char *program, const struct word *w, const char *value)
{
	void *at = (char *)o + w->at;
	switch (w->kind) {
	case NUMBER: *(double *)at = number(program, w->name, value); break;
	case INTEGER: *(int *)at = (int)number(program, w->name, value); break;
	case FLAG: *(bool *)at = number(program, w->name, value) != 0; break;
	case TEXT: *(const char **)at = value; break;
	case AXIS:
		o->up_negative = *value == '-';
		if (o->up_negative)
			value++;
		if (strlen(value) != 1 || !strchr("xyz", *value))
			refuse(program, w->name, "x, y, z, -x, -y or -z is expected");
		o->up_axis = *value;
		break;
	case FREEZE:
		if (strcmp(value, "value") && strcmp(value, "silent"))
			refuse(program, w->name, "value or silent is expected");
		o->freeze_kind = strcmp(value, "value") ? FREEZE_SILENT : FREEZE_VALUE;
		break;
	}
}

static void check(const struct options *o, const char *program)
{
	if (o->rate <= 0 || o->rate > 4000)
		refuse(program, "rate", "more than 0 and up to 4000 samples per second");
	if (o->cadence <= 0)
		refuse(program, "cadence", "more than 0 steps per second");
	if (o->counts < 1 || o->counts > 100000)
		refuse(program, "counts", "1 to 100000 per g");
	if (o->speed <= 0)
		refuse(program, "speed", "more than 0");
	if (o->limit <= 0)
		refuse(program, "limit", "more than 0 seconds");
	static const char *const clocks[] = { "right", "reset", "ahead", "late", "still", "half", "slow", "fast" };
	bool known = false;
	for (size_t k = 0; k < sizeof clocks / sizeof *clocks; k++)
		known = known || !strcmp(o->clock, clocks[k]);
	if (!known)
		refuse(program, "clock", "right, reset, ahead, late, still, half, slow or fast is expected");
	if (strcmp(o->pattern, "walk") && strcmp(o->pattern, "const") && strcmp(o->pattern, "ramp") &&
	    strcmp(o->pattern, "pedals"))
		refuse(program, "pattern", "walk, const, ramp or pedals is expected");
}

void options_parse(struct options *o, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		char *value = strchr(argv[i], '=');
		const struct word *found = NULL;
		if (!value)
			refuse(argv[0], argv[i], "name=value is expected");
		*value++ = 0;
		for (size_t k = 0; k < sizeof words / sizeof *words; k++)
			if (!strcmp(argv[i], words[k].name))
				found = &words[k];
		if (!found)
			refuse(argv[0], argv[i], "no such option; see options.h");
		set(o, argv[0], found, value);
	}
	check(o, argv[0]);
}

void options_log(const struct options *o, const char *format, ...)
{
	va_list arguments;
	if (o->quiet)
		return;
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
}
