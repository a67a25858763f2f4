// Moves the wall clock of a process by MOVED_CLOCK seconds (LD_PRELOAD; scripts/moved-clock.ts). Clocks that measure durations stay as they are.
// libfaketime cannot be used: within a signal handler it gives the real time, so no timeout of PostgreSQL ever fires.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t moved_by;

__attribute__((constructor)) static void read_variable(void) {
  const char *seconds = getenv("MOVED_CLOCK");
  if (seconds != NULL) moved_by = atol(seconds);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += moved_by;
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  int result = syscall(SYS_gettimeofday, time, zone);
  if (result == 0) time->tv_sec += moved_by;
  return result;
}

time_t time(time_t *seconds) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (seconds != NULL) *seconds = now.tv_sec;
  return now.tv_sec;
}
