/*
 * Runs a command on one core and writes its CPU time, peak memory and wall time as counted by the kernel.
 *
 *   meter [-c CORE] [-t SECONDS] [-s PID] [-w SECONDS] -o FILE COMMAND...   runs and measures; kills the command after SECONDS
 *   meter [-c CORE] -x COMMAND...                              only pins, then replaces itself by the command
 *
 * FILE gets one line: user_seconds system_seconds peak_kib wall_seconds exit_code steal foreign steady.
 * exit_code is 124 after a timeout. steal and foreign are percentages of all CPUs over the wall time: time taken by the
 * hypervisor, and busy time in /proc/stat other than that of the command, the server PID and its children.
 * steady is the average number of CPUs that the command used in the -w SECONDS that ended half a second before its end
 * (0 without -w), which excludes its start and its report.
 */
#define _GNU_SOURCE
#include <dirent.h>
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

#define SAMPLES 8192
#define SAMPLE_NANOS 20000000
#define TAIL_SECONDS 0.5

static double sampled_at[SAMPLES], sampled_cpu[SAMPLES];
static long samples;

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

/* Records the CPU time of a process so far, in seconds. */
static void sample(pid_t of) {
    clockid_t its;
    struct timespec used;
    if (clock_getcpuclockid(of, &its) == 0 && clock_gettime(its, &used) == 0) {
        sampled_at[samples % SAMPLES] = now();
        sampled_cpu[samples % SAMPLES] = (double) used.tv_sec + (double) used.tv_nsec / 1e9;
        samples++;
    }
}

/* CPUs used on average in the window. */
static double steady(double window, double end) {
    long first = -1, last = -1;
    for (long i = samples > SAMPLES ? samples - SAMPLES : 0; i < samples; i++) {
        double at = sampled_at[i % SAMPLES];
        if (first < 0 && at >= end - TAIL_SECONDS - window) {
            first = i;
        }
        if (at <= end - TAIL_SECONDS) {
            last = i;
        }
    }
    if (window <= 0 || first < 0 || last <= first) {
        return 0;
    }
    return (sampled_cpu[last % SAMPLES] - sampled_cpu[first % SAMPLES]) / (sampled_at[last % SAMPLES] - sampled_at[first % SAMPLES]);
}

static void pin(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) {
        die("cannot use that core");
    }
}

/* Busy and stolen seconds of all CPUs since the machine's start. */
static void processors(double *busy, double *stolen) {
    unsigned long long user = 0, nice = 0, system = 0, idle, wait, irq = 0, soft = 0, steal = 0;
    FILE *file = fopen("/proc/stat", "r");
    if (file == NULL || fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system, &idle, &wait, &irq,
            &soft, &steal) != 8) {
        die("/proc/stat");
    }
    fclose(file);
    double ticks = (double) sysconf(_SC_CLK_TCK);
    *busy = (double) (user + nice + system + irq + soft) / ticks;
    *stolen = (double) steal / ticks;
}

/* CPU seconds of a process, if it is the given one or its child. */
static double used_by(const char *pid, long of) {
    char path[300];
    long parent = 0;
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return 0;
    }
    int read = fscanf(file, "%*d (%*[^)]) %*c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &parent, &user, &system);
    fclose(file);
    return read == 3 && (atol(pid) == of || parent == of) ? (double) (user + system) / (double) sysconf(_SC_CLK_TCK) : 0;
}

static double used_by_server(long server) {
    double sum = 0;
    DIR *all = server == 0 ? NULL : opendir("/proc");
    for (struct dirent *entry = all == NULL ? NULL : readdir(all); entry != NULL; entry = readdir(all)) {
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9') {
            sum += used_by(entry->d_name, server);
        }
    }
    if (all != NULL) {
        closedir(all);
    }
    return sum;
}

int main(int argc, char **argv) {
    const char *out = NULL;
    int only_pin = 0, limit = 0, option;
    long server = 0;
    double window = 0;
    while ((option = getopt(argc, argv, "+c:t:s:w:o:x")) != -1) {
        switch (option) {
            case 'c': pin(atoi(optarg)); break;
            case 't': limit = atoi(optarg); break;
            case 's': server = atol(optarg); break;
            case 'w': window = atof(optarg); break;
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
    double busy, stolen, busy_after, stolen_after, served = used_by_server(server), start = now();
    processors(&busy, &stolen);
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
    pid_t ended;
    struct timespec pause = {0, SAMPLE_NANOS};
    while ((ended = wait4(child, &status, window > 0 ? WNOHANG : 0, &use)) != child) {
        if (ended < 0 && errno != EINTR) {
            die("wait");
        }
        if (ended == 0) {
            sample(child);
            nanosleep(&pause, NULL);
        }
    }
    int code = timed_out ? 124 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    FILE *file = fopen(out, "w");
    if (file == NULL) {
        die(out);
    }
    double wall = now() - start, ours = seconds(use.ru_utime) + seconds(use.ru_stime) + used_by_server(server) - served;
    processors(&busy_after, &stolen_after);
    double whole = wall * (double) sysconf(_SC_NPROCESSORS_ONLN) / 100;
    double foreign = (busy_after - busy - ours) / whole;
    fprintf(file, "%.6f %.6f %ld %.6f %d %.2f %.2f %.6f\n", seconds(use.ru_utime), seconds(use.ru_stime), use.ru_maxrss, wall, code,
            (stolen_after - stolen) / whole, foreign > 0 ? foreign : 0, steady(window, start + wall));
    fclose(file);
    return code;
}
