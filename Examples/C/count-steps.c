// Counts the steps in recordings, and in samples on standard input, with the C interface.
//
//     count-steps walk.csv week.cwa     a thread for each recording
//     count-steps - <samples.txt        t x y z in each line, in seconds and g
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pedometer.h"

static int print_totals(pedometer *walk, const char *name) {
  pedometer_total total = {.size = sizeof total};
  int32_t result = pedometer_totals(walk, &total);
  if (result != PEDOMETER_OK) return result;
  printf("%s: %" PRId64 " steps, %.0f m", name, total.steps, total.distance_travelled);
  if (!isnan(total.mean_cadence)) printf(", %.0f steps/min", total.mean_cadence * 60);
  printf("\n");
  for (int64_t i = 0; i < total.warnings; i++) fprintf(stderr, "%s: %s\n", name, pedometer_warning(walk, i));
  return PEDOMETER_OK;
}

// The error text belongs to the thread, so the thread itself prints it.
static void *count_recording(void *name) {
  pedometer *walk = NULL;
  int32_t result = pedometer_create(NULL, &walk);
  if (result == PEDOMETER_OK) result = pedometer_count_file(walk, name);
  if (result == PEDOMETER_OK) result = print_totals(walk, name);
  if (result != PEDOMETER_OK) fprintf(stderr, "%s\n", pedometer_error());
  pedometer_destroy(walk);
  return (void *)(intptr_t)result;
}

static int count_samples(FILE *input) {
  enum { rows = 1000 };
  // Rows of four numbers: times and axes lie in one array, so strides lead from one to the next.
  double table[rows][4];
  pedometer_samples samples = {
      .size = sizeof samples,
      .times = &table[0][0],
      .times_type = PEDOMETER_FLOAT64,
      .times_stride = sizeof table[0],
      .xyz = &table[0][1],
      .xyz_type = PEDOMETER_FLOAT64,
      .row_stride = sizeof table[0],
      .axis_stride = sizeof table[0][0],
  };
  pedometer_options options = {.size = sizeof options, .units = "g"};
  pedometer *walk = NULL;
  int32_t result = pedometer_create(&options, &walk);
  int isEnd = 0;
  while (result == PEDOMETER_OK && !isEnd) {
    int64_t count = 0;
    while (count < rows) {
      double *row = table[count];
      isEnd = fscanf(input, "%lf %lf %lf %lf", &row[0], &row[1], &row[2], &row[3]) != 4;
      if (isEnd) break;
      count++;
    }
    samples.count = count;
    if (count > 0) result = pedometer_process(walk, &samples);
  }
  if (result == PEDOMETER_OK) result = pedometer_finish(walk);
  if (result == PEDOMETER_OK) result = print_totals(walk, "samples");
  if (result != PEDOMETER_OK) fprintf(stderr, "%s\n", pedometer_error());
  pedometer_destroy(walk);
  return result;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: count-steps RECORDING... or - (pedometer %s)\n", pedometer_version());
    return PEDOMETER_USAGE;
  }
  if (strcmp(argv[1], "-") == 0) return count_samples(stdin);
  pthread_t *threads = calloc((size_t)argc, sizeof *threads);
  if (threads == NULL) return EXIT_FAILURE;
  int status = PEDOMETER_OK;
  for (int i = 1; i < argc; i++) {
    if (pthread_create(&threads[i], NULL, count_recording, argv[i]) != 0) return EXIT_FAILURE;
  }
  for (int i = 1; i < argc; i++) {
    void *result = NULL;
    pthread_join(threads[i], &result);
    if ((intptr_t)result > status) status = (int)(intptr_t)result;
  }
  free(threads);
  return status;
}
