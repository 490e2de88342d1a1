/*
 * A small HTTP/1.1 server that records when the kernel received each request.
 *
 *   stamper [-p PORT] [-o FILE] [-n STAMPS] [-z AT:LENGTH]
 *   stamper -q
 *
 * It listens on 127.0.0.1 (PORT 0 takes a free one), prints "port N", and answers every request with "hello" at once.
 * The stamp is the kernel's receive time (SO_TIMESTAMPNS) rather than the time of this process's read, so a late, busy
 * or frozen server does not affect it. On loopback the kernel takes it during the sender's write. One thread, no
 * allocation and no file access while it serves. Writes FILE at SIGTERM or SIGINT, and ends; at SIGUSR1, and goes on
 * without the stamps so far.
 *
 * FILE: lines "# name value", then a line "received index answered" per request, sorted by time, in nanoseconds since
 * the first was received. accepted counts the connections; refused counts those closed for lack of room, whose failed
 * requests are the server's fault. index is the number in a query such as /?i=123, else -1; answered is when the kernel
 * took the response. Stamps are on CLOCK_REALTIME; first_monotonic_ns is the first stamp on CLOCK_MONOTONIC, which
 * System.nanoTime reads on Linux.
 *
 * -z freezes the server (SIGSTOP) AT seconds after its first request for LENGTH seconds (then SIGCONT). frozen_ns is the
 * length of the freeze; woken_by_another is the process that ended it early, or 0.
 * -q only prints a free port.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAX_FD 65536
#define BUFFER 8192

struct stamp {
    int64_t at;
    int64_t index;
    int64_t answered;
};

struct connection {
    int used;
    char bytes[BUFFER + 1];
};

static const char answer[] =
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Type: text/plain\r\n\r\nhello";
static struct connection *connections[MAX_FD];
static struct stamp *stamps;
static size_t stamp_count, stamp_limit = 2000000;
static long without_kernel_stamp, beyond_limit, accepted, refused;
static int64_t offset_at_start;
static volatile sig_atomic_t ending, dumping;
static int starter = -1;

/* Shared with the freezing process: when the freeze began and ended, and who ended it. */
static struct freeze {
    volatile int64_t from, until;
    volatile pid_t freezer, woken_by;
} *freeze;

static void on_signal(int number) {
    if (number == SIGUSR1) {
        dumping = 1;
    } else {
        ending = 1;
    }
}

static int64_t read_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Measures the end of the freeze in the frozen process, because SIGCONT may come from any process. */
static void on_waking(int number, siginfo_t *info, void *context) {
    (void) number;
    (void) context;
    if (freeze->from != 0 && freeze->until == 0) {
        freeze->until = read_clock(CLOCK_MONOTONIC);
        freeze->woken_by = info->si_pid;
    }
}

static void die(const char *what) {
    fprintf(stderr, "stamper: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* CLOCK_REALTIME minus CLOCK_MONOTONIC, from the tightest of many pairs of reads. */
static int64_t clock_offset(void) {
    int64_t best = INT64_MAX, offset = 0;
    for (int i = 0; i < 2000; i++) {
        int64_t before = read_clock(CLOCK_MONOTONIC);
        int64_t real = read_clock(CLOCK_REALTIME);
        int64_t after = read_clock(CLOCK_MONOTONIC);
        if (after - before < best) {
            best = after - before;
            offset = real - (before + (after - before) / 2);
        }
    }
    return offset;
}

static int by_time(const void *a, const void *b) {
    int64_t x = ((const struct stamp *) a)->at, y = ((const struct stamp *) b)->at;
    return x < y ? -1 : x > y;
}

static void dump(const char *path) {
    if (path == NULL) {
        return;
    }
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        die(path);
    }
    int64_t offset_at_end = clock_offset();
    int64_t offset = offset_at_start + (offset_at_end - offset_at_start) / 2;
    qsort(stamps, stamp_count, sizeof *stamps, by_time);
    int64_t first = stamp_count > 0 ? stamps[0].at : 0;
    fprintf(file, "# first_realtime_ns %lld\n", (long long) first);
    fprintf(file, "# first_monotonic_ns %lld\n", (long long) (first - offset));
    fprintf(file, "# clock_offset_change_ns %lld\n", (long long) (offset_at_end - offset_at_start));
    fprintf(file, "# without_kernel_stamp %ld\n", without_kernel_stamp);
    fprintf(file, "# beyond_limit %ld\n", beyond_limit);
    fprintf(file, "# accepted %ld\n", accepted);
    fprintf(file, "# refused %ld\n", refused);
    fprintf(file, "# frozen_ns %lld\n", (long long) (freeze->until - freeze->from));
    fprintf(file, "# woken_by_another %d\n", freeze->woken_by != freeze->freezer ? (int) freeze->woken_by : 0);
    for (size_t i = 0; i < stamp_count; i++) {
        fprintf(file, "%lld %lld %lld\n", (long long) (stamps[i].at - first), (long long) stamps[i].index,
                (long long) (stamps[i].answered - first));
    }
    fclose(file);
    stamp_count = 0;
    without_kernel_stamp = beyond_limit = accepted = refused = 0;
}

/* A separate process, since a frozen one cannot wake itself. */
static void start_freezer(double at, double length) {
    int pipe_ends[2];
    if (pipe(pipe_ends) != 0) {
        die("pipe");
    }
    pid_t server = getpid();
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(pipe_ends[1]);
        char byte;
        if (read(pipe_ends[0], &byte, 1) != 1) {
            _exit(0);
        }
        usleep((useconds_t) (at * 1e6));
        freeze->freezer = getpid();
        freeze->from = read_clock(CLOCK_MONOTONIC);
        kill(server, SIGSTOP);
        usleep((useconds_t) (length * 1e6));
        kill(server, SIGCONT);
        _exit(0);
    }
    close(pipe_ends[0]);
    starter = pipe_ends[1];
}

static struct stamp *keep(int64_t at, const char *request) {
    if (starter >= 0) {
        if (write(starter, "x", 1) != 1) {
            die("freezer");
        }
        close(starter);
        starter = -1;
    }
    if (stamp_count == stamp_limit) {
        beyond_limit++;
        return NULL;
    }
    const char *line_end = strchr(request, '\n');
    const char *query = strstr(request, "?i=");
    stamps[stamp_count].at = at;
    stamps[stamp_count].index = query != NULL && query < line_end ? atoll(query + 3) : -1;
    return &stamps[stamp_count++];
}

static int64_t kernel_stamp(struct msghdr *message) {
    for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c != NULL; c = CMSG_NXTHDR(message, c)) {
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) {
            struct timespec t;
            memcpy(&t, CMSG_DATA(c), sizeof t);
            return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
        }
    }
    without_kernel_stamp++;
    return read_clock(CLOCK_REALTIME);
}

static void drop(int fd) {
    close(fd);
    connections[fd]->used = 0;
}

/* Answers each complete request in the buffer. Requests have no body. */
static void serve(int fd, int64_t at) {
    struct connection *c = connections[fd];
    char *from = c->bytes, *end;
    while ((end = strstr(from, "\r\n\r\n")) != NULL) {
        char kept = end[4];
        end[4] = 0;
        struct stamp *stamp = keep(at, from);
        int last = strcasestr(from, "\r\nconnection: close") != NULL;
        end[4] = kept;
        from = end + 4;
        int sent = send(fd, answer, sizeof answer - 1, MSG_NOSIGNAL) == (ssize_t) sizeof answer - 1;
        if (stamp != NULL) {
            stamp->answered = read_clock(CLOCK_REALTIME);
        }
        if (!sent || last) {
            drop(fd);
            return;
        }
    }
    c->used -= (int) (from - c->bytes);
    memmove(c->bytes, from, (size_t) c->used + 1);
}

static void readable(int fd) {
    struct connection *c = connections[fd];
    char control[256];
    struct iovec part = {.iov_base = c->bytes + c->used, .iov_len = (size_t) (BUFFER - c->used)};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t got = recvmsg(fd, &message, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (got <= 0) {
        drop(fd);
        return;
    }
    c->used += (int) got;
    c->bytes[c->used] = 0;
    serve(fd, kernel_stamp(&message));
}

static int listen_at(int port) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t) port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    /* Set on the listener, so that a connection inherits it before its first byte. */
    if (setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) != 0) {
        die("SO_TIMESTAMPNS");
    }
    if (bind(fd, (struct sockaddr *) &address, sizeof address) != 0 || listen(fd, MAX_FD) != 0) {
        die("listen");
    }
    socklen_t length = sizeof address;
    getsockname(fd, (struct sockaddr *) &address, &length);
    printf("port %d\n", ntohs(address.sin_port));
    fflush(stdout);
    return fd;
}

static void accept_all(int poll, int listener) {
    int fd, on = 1;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        if (fd >= MAX_FD) {
            close(fd);
            refused++;
            continue;
        }
        accepted++;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        if (connections[fd] == NULL && (connections[fd] = calloc(1, sizeof **connections)) == NULL) {
            die("memory");
        }
        connections[fd]->used = 0;
        struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
        epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event);
    }
}

/* Raises the limit of open files: a connection that cannot be accepted would wait, with its request. */
static void allow_many_connections(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int main(int argc, char **argv) {
    const char *out = NULL;
    int port = 0, option;
    double freeze_at = 0, freeze_length = 0;
    while ((option = getopt(argc, argv, "p:o:n:z:q")) != -1) {
        switch (option) {
            case 'p': port = atoi(optarg); break;
            case 'o': out = optarg; break;
            case 'n': stamp_limit = (size_t) atol(optarg); break;
            case 'z':
                if (sscanf(optarg, "%lf:%lf", &freeze_at, &freeze_length) != 2) {
                    fprintf(stderr, "stamper: -z must be AT:LENGTH in seconds, but was %s\n", optarg);
                    return 2;
                }
                break;
            case 'q': listen_at(0); return 0;
            default: return 2;
        }
    }
    freeze = mmap(NULL, sizeof *freeze, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    stamps = malloc(stamp_limit * sizeof *stamps);
    if (freeze == MAP_FAILED || stamps == NULL) {
        die("memory");
    }
    memset(stamps, 0, stamp_limit * sizeof *stamps);
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    struct sigaction waking = {.sa_sigaction = on_waking, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigaction(SIGCONT, &waking, NULL);
    signal(SIGCHLD, SIG_IGN);
    if (freeze_length > 0) {
        start_freezer(freeze_at, freeze_length);
    }
    allow_many_connections();
    offset_at_start = clock_offset();
    int listener = listen_at(port), poll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, ready[256];
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
    while (!ending) {
        int count = epoll_wait(poll, ready, 256, 200);
        for (int i = 0; i < count; i++) {
            if (ready[i].data.fd == listener) {
                accept_all(poll, listener);
            } else {
                readable(ready[i].data.fd);
            }
        }
        if (dumping) {
            dumping = 0;
            dump(out);
        }
    }
    dump(out);
    return 0;
}
