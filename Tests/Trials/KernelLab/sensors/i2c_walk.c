/* i2c_walk - simulates a walk of a chip behind i2c-stub with a real driver: acceleration registers follow the motion,
 * and the bma400's step counter counts it.
 *   i2c_walk BUS ADDRESS kxcjk1013|bma400|bma250e [options of options.h]     the walk starts at once, or at SIGUSR1 (wait=1)
 * The chips measure +-4 g, the drivers' default, unless RANGE=2|4|8 in the environment. */
#include "sensor.h"
#include "smbus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int chip, is_bma400, is_bma250e;
static double counts_per_g;
static long counted = -1;

static int plug(struct sensor *s)
{
	s->listened = true; /* registers do not know who reads them */
	return -1;
}

static void unplug(struct sensor *s) { (void)s; }
static bool serve(struct sensor *s) { (void)s; return true; }

/* Adds the steps completed so far to the chip's 24-bit counter. */
static void count(const struct sensor *s)
{
	static long before;
	const struct options *o = &s->options;
	double walked = (s->motion.time - o->lead) * o->cadence;
	long steps = walked < 0 ? 0 : (long)(walked + 0.5);
	if (o->steps >= 0 && steps > o->steps)
		steps = o->steps;
	if (counted < 0)
		before = smbus_read(chip, 0x15) | smbus_read(chip, 0x16) << 8 | smbus_read(chip, 0x17) << 16;
	if (steps == counted)
		return;
	counted = steps;
	for (int k = 0; k < 3; k++)
		smbus_write(chip, 0x15 + k, ((before + steps) >> (8 * k)) & 0xff);
	smbus_write(chip, 0x18, steps > 0 && (o->steps < 0 || steps < o->steps)); /* activity: still, walking */
}

static bool report(struct sensor *s, const double g[3])
{
	for (int k = 0; k < 3; k++) {
		double v = g[k] * counts_per_g;
		int most = is_bma250e ? 511 : 2047;
		int raw = (int)lround(v < -most - 1 ? -most - 1 : v > most ? most : v);
		if (is_bma250e) { /* ten bits, by blocks of bytes */
			smbus_write(chip, 0x02 + 2 * k, (raw << 6) & 0xff);
			smbus_write(chip, 0x03 + 2 * k, ((raw << 6) >> 8) & 0xff);
		} else if (is_bma400) {
			smbus_write(chip, 0x04 + 2 * k, raw & 0xff);
			smbus_write(chip, 0x05 + 2 * k, (raw >> 8) & 0x0f);
		} else { /* the driver polls by words, and fills its buffer by blocks of bytes */
			smbus_write_word(chip, 0x06 + 2 * k, (uint16_t)(raw << 4));
			smbus_write(chip, 0x07 + 2 * k, (uint16_t)(raw << 4) >> 8);
		}
	}
	if (is_bma400)
		count(s);
	s->sent++;
	return true;
}

int main(int argc, char **argv)
{
	struct sensor s = { .options = options_default, .plug = plug, .unplug = unplug, .serve = serve, .report = report };
	if (argc < 4 || (strcmp(argv[3], "bma400") && strcmp(argv[3], "kxcjk1013") && strcmp(argv[3], "bma250e"))) {
		fprintf(stderr, "i2c_walk BUS ADDRESS kxcjk1013|bma400|bma250e [name=value ...]\n");
		return 2;
	}
	is_bma400 = !strcmp(argv[3], "bma400");
	is_bma250e = !strcmp(argv[3], "bma250e");
	double range = getenv("RANGE") ? atof(getenv("RANGE")) : 4;
	counts_per_g = (is_bma250e ? 512 : 2048) / range;
	chip = smbus_open(atoi(argv[1]), (int)strtol(argv[2], NULL, 0));
	options_parse(&s.options, argc - 3, argv + 3);
	return sensor_run(&s, "i2c_walk");
}
