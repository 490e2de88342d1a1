/*
 * Runs a command on one core and writes what it cost: CPU time, peak memory and wall time, as the kernel counted them.
 *
 *   meter [-c CORE] [-t SECONDS] -o FILE COMMAND...   runs and measures; kills what outlives SECONDS
 *   meter [-c CORE] -x COMMAND...                     only pins, then becomes the command
 *
 * FILE gets one line: user_seconds system_seconds peak_kib wall_seconds exit_code (124 after a timeout).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile pid_t child;
static volatile sig_atomic_t timed_out;

static void end_child(int signal_number) {
    timed_out = signal_number == SIGALRM;
    if (child > 0) {
        kill(-child, SIGKILL);
    }
}

static void die(const char *what) {
    fprintf(stderr, "meter: %s: %s\n", what, strerror(errno));
    exit(125);
}

static double seconds(struct timeval t) {
    return (double) t.tv_sec + (double) t.tv_usec / 1e6;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}

static void pin(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) {
        die("cannot use that core");
    }
}

int main(int argc, char **argv) {
    const char *out = NULL;
    int only_pin = 0, limit = 0, option;
    while ((option = getopt(argc, argv, "+c:t:o:x")) != -1) {
        switch (option) {
            case 'c': pin(atoi(optarg)); break;
            case 't': limit = atoi(optarg); break;
            case 'o': out = optarg; break;
            case 'x': only_pin = 1; break;
            default: return 125;
        }
    }
    if (optind >= argc || (!only_pin && out == NULL)) {
        fprintf(stderr, "usage: meter [-c CORE] [-t SECONDS] (-o FILE | -x) COMMAND...\n");
        return 125;
    }
    if (only_pin) {
        execvp(argv[optind], argv + optind);
        die(argv[optind]);
    }
    signal(SIGALRM, end_child);
    signal(SIGTERM, end_child);
    signal(SIGINT, end_child);
    double start = now();
    child = fork();
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        execvp(argv[optind], argv + optind);
        fprintf(stderr, "meter: %s: %s\n", argv[optind], strerror(errno));
        _exit(127);
    }
    setpgid(child, child);
    alarm((unsigned) limit);
    int status;
    struct rusage use;
    while (wait4(child, &status, 0, &use) < 0) {
        if (errno != EINTR) {
            die("wait");
        }
    }
    int code = timed_out ? 124 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    FILE *file = fopen(out, "w");
    if (file == NULL) {
        die(out);
    }
    fprintf(file, "%.6f %.6f %ld %.6f %d\n", seconds(use.ru_utime), seconds(use.ru_stime), use.ru_maxrss, now() - start, code);
    fclose(file);
    return code;
}
