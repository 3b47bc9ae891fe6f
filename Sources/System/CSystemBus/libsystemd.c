#include "libsystemd.h"

#include <dlfcn.h>
#include <pthread.h>

static struct system_bus_library functions;
static bool is_loaded;

static void load(void) {
  void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  bool has_all = true;
#define FUNCTION(result, name, ...) has_all &= (*(void **)&functions.name = dlsym(library, "sd_bus_" #name)) != NULL;
  SD_BUS_FUNCTIONS(FUNCTION)
#undef FUNCTION
  is_loaded = has_all;
}

const struct system_bus_library *system_bus_library(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded ? &functions : NULL;
}
