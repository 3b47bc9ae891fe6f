// Calls every function with memory that ends where the interface says, for AddressSanitizer to watch: arrays in several layouts,
// results of exactly the capacity, failures, and threads that share nothing. Ends with 0 if the counts agree.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pedometer.h"

#define REQUIRE(condition) \
  do { \
    if (!(condition)) { \
      fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, pedometer_error()); \
      exit(1); \
    } \
  } while (0)

enum { samples_per_second = 50, seconds = 60, rows = samples_per_second * seconds };

// Two steps a second.
static void sample(int row, double *t, double xyz[3]) {
  *t = (double)row / samples_per_second;
  xyz[0] = 0.1 * sin(2 * M_PI * *t);
  xyz[1] = 0.05 * cos(4 * M_PI * *t);
  xyz[2] = 1 + 0.3 * sin(4 * M_PI * *t) + 0.1 * sin(8 * M_PI * *t);
}

static pedometer *make(const char *units) {
  pedometer_options *options = calloc(1, sizeof *options);
  options->size = sizeof *options;
  char *copy = strdup(units);
  options->units = copy;
  pedometer *walk = NULL;
  REQUIRE(pedometer_create(options, &walk) == PEDOMETER_OK);
  // The options are only read during the call.
  free(copy);
  free(options);
  return walk;
}

static int64_t finish(pedometer *walk) {
  pedometer_total *total = calloc(1, sizeof *total);
  total->size = sizeof *total;
  REQUIRE(pedometer_finish(walk) == PEDOMETER_OK);
  REQUIRE(pedometer_totals(walk, total) == PEDOMETER_OK);
  int64_t steps = total->steps, count = 0;
  free(total);
  for (int64_t capacity = 0; capacity <= steps; capacity += steps > 0 ? steps : 1) {
    double *times = malloc((size_t)capacity * sizeof *times + 1), *confidences = malloc((size_t)capacity * sizeof *times + 1);
    REQUIRE(pedometer_steps(walk, times, confidences, capacity, &count) == PEDOMETER_OK && count == steps);
    free(times);
    free(confidences);
  }
  REQUIRE(pedometer_epochs(walk, 7, NULL, 0, &count) == PEDOMETER_OK && count == 9);
  pedometer_epoch *epochs = malloc((size_t)count * sizeof *epochs);
  REQUIRE(pedometer_epochs(walk, 7, epochs, count, &count) == PEDOMETER_OK);
  free(epochs);
  REQUIRE(pedometer_bouts(walk, NULL, 0, &count) == PEDOMETER_OK && count > 0);
  pedometer_bout *bouts = malloc((size_t)count * sizeof *bouts);
  REQUIRE(pedometer_bouts(walk, bouts, count, &count) == PEDOMETER_OK);
  free(bouts);
  REQUIRE(pedometer_warning(walk, -1) == NULL && pedometer_warning(walk, INT64_MAX) == NULL);
  REQUIRE(pedometer_start(walk) == NULL && pedometer_end(walk) == NULL && pedometer_origin(walk) == NULL);
  pedometer_destroy(walk);
  return steps;
}

// Single or double precision, rows or columns one behind the other, forwards or backwards, one byte off.
static int64_t layout(int is_double, int is_columns, int is_backwards) {
  size_t size = is_double ? sizeof(double) : sizeof(float);
  char *t = malloc(rows * size + 1), *xyz = malloc(3 * rows * size + 1);
  for (int row = 0; row < rows; row++) {
    double time, values[3];
    sample(row, &time, values);
    size_t place = (size_t)(is_backwards ? rows - 1 - row : row);
    for (int axis = -1; axis < 3; axis++) {
      double value = axis < 0 ? time : values[axis];
      float single = (float)value;
      size_t index = axis < 0 ? place : is_columns ? (size_t)axis * rows + place : place * 3 + (size_t)axis;
      memcpy((axis < 0 ? t : xyz) + 1 + index * size, is_double ? (void *)&value : (void *)&single, size);
    }
  }
  int64_t step = (int64_t)size * (is_backwards ? -1 : 1);
  size_t first = is_backwards ? rows - 1 : 0;
  pedometer_samples samples = {
      .size = sizeof samples,
      .count = rows,
      .times = t + 1 + first * size,
      .times_stride = step,
      .xyz = xyz + 1 + first * size * (is_columns ? 1 : 3),
      .row_stride = step * (is_columns ? 1 : 3),
      .axis_stride = (int64_t)size * (is_columns ? rows : 1),
      .times_type = is_double ? PEDOMETER_FLOAT64 : PEDOMETER_FLOAT32,
      .xyz_type = is_double ? PEDOMETER_FLOAT64 : PEDOMETER_FLOAT32,
  };
  pedometer *walk = make("g");
  REQUIRE(pedometer_process(walk, &samples) == PEDOMETER_OK);
  REQUIRE(pedometer_process(walk, &samples) == PEDOMETER_BAD_DATA);
  free(t);
  free(xyz);
  return finish(walk);
}

static void *layouts(void *steps) {
  int64_t *found = steps;
  for (int i = 0; i < 8; i++) found[i] = layout(i & 1, i >> 1 & 1, i >> 2 & 1);
  return NULL;
}

int main(int argc, char **argv) {
  int64_t found[2][8];
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) REQUIRE(pthread_create(&threads[i], NULL, layouts, found[i]) == 0);
  for (int i = 0; i < 2; i++) REQUIRE(pthread_join(threads[i], NULL) == 0);
  for (int i = 0; i < 16; i++) REQUIRE(found[i / 8][i % 8] == found[0][0]);
  REQUIRE(llabs((long long)found[0][0] - 2 * seconds) <= 4);

  pedometer *walk = NULL;
  REQUIRE(pedometer_create(NULL, NULL) == PEDOMETER_USAGE && pedometer_process(NULL, NULL) == PEDOMETER_USAGE);
  REQUIRE(pedometer_create(NULL, &walk) == PEDOMETER_OK && pedometer_finish(walk) == PEDOMETER_BAD_DATA);
  REQUIRE(pedometer_count_file(walk, "/there/is/none") == PEDOMETER_NO_INPUT && strlen(pedometer_error()) > 0);
  // A handle that has failed keeps its answer.
  pedometer_total total = {.size = sizeof total};
  (void)pedometer_totals(walk, &total);
  pedometer_destroy(walk);
  pedometer_destroy(NULL);
  // Recordings, damaged ones too: a sentence or a count.
  for (int i = 1; i < argc; i++) {
    REQUIRE(pedometer_create(NULL, &walk) == PEDOMETER_OK);
    int32_t result = pedometer_count_file(walk, argv[i]);
    REQUIRE(result != PEDOMETER_OK || pedometer_totals(walk, &total) == PEDOMETER_OK);
    printf("%s: %d %s\n", argv[i], result, result == PEDOMETER_OK ? "" : pedometer_error());
    pedometer_destroy(walk);
  }
  printf("%lld steps in every layout\n", (long long)found[0][0]);
  return 0;
}
