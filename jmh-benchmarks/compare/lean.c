/*
 * A minimal HTTP/1.1 client, the baseline for the cost of a tool on this machine.
 *
 *   lean -p PORT [-c CONNECTIONS] [-d SECONDS]                  closed loop at full speed
 *   lean -p PORT -R RATE [-w spin|block] [-c ..] [-d ..]        open loop: the intended time of request i is i / RATE
 *
 * One thread, epoll, keep-alive, one request in flight per connection, no allocation during the run. The open loop
 * measures response and lateness from the intended time; without a free connection, requests wait. Prints lines
 * "name value" with times in microseconds, except for names with a unit. started_monotonic_ns is the intended
 * time of request 0.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MAX_CONNECTIONS 4000
#define SUB_BITS 10
#define DRAIN_NANOS 30000000000LL

/* Log-linear: 2^10 buckets per power of two, for a resolution of 0.1 %. */
struct histogram {
    int64_t count, max;
    int64_t buckets[(64 - SUB_BITS) << SUB_BITS];
};

struct connection {
    int fd, used;
    int64_t intended;
    char bytes[4096];
};

static const char request[] = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
static struct connection connections[MAX_CONNECTIONS];
static int free_ones[MAX_CONNECTIONS], free_count;
static struct histogram response, lateness;

static void die(const char *what) {
    fprintf(stderr, "lean: %s%s%s\n", what, errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : "");
    exit(1);
}

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

static int bucket(int64_t value) {
    if (value < 2 << SUB_BITS) {
        return (int) value;
    }
    int shift = 63 - __builtin_clzll((unsigned long long) value) - SUB_BITS;
    return (int) (((int64_t) (shift + 1) << SUB_BITS) + (value >> shift) - (1 << SUB_BITS));
}

static int64_t highest(int bucket_index) {
    if (bucket_index < 2 << SUB_BITS) {
        return bucket_index;
    }
    int shift = (bucket_index >> SUB_BITS) - 1;
    int64_t sub = (bucket_index & ((1 << SUB_BITS) - 1)) + (1 << SUB_BITS);
    return ((sub + 1) << shift) - 1;
}

static void record(struct histogram *h, int64_t value) {
    value = value < 0 ? 0 : value;
    h->buckets[bucket(value)]++;
    h->count++;
    h->max = value > h->max ? value : h->max;
}

static double quantile_us(const struct histogram *h, double share) {
    int64_t want = (int64_t) (share * (double) h->count + 0.999999), seen = 0;
    for (int i = 0; i < (int) (sizeof h->buckets / sizeof *h->buckets); i++) {
        seen += h->buckets[i];
        if (seen >= want && seen > 0) {
            int64_t value = highest(i);
            return (double) (value < h->max ? value : h->max) / 1e3;
        }
    }
    return 0;
}

static void print(const char *name, const struct histogram *h) {
    printf("%s_p50 %.1f\n%s_p99 %.1f\n", name, quantile_us(h, 0.5), name, quantile_us(h, 0.99));
    printf("%s_p99.9 %.1f\n%s_max %.1f\n", name, quantile_us(h, 0.999), name, (double) h->max / 1e3);
}

static void dial(int poll, int index, int port) {
    struct connection *c = &connections[index];
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t) port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int on = 1;
    c->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (c->fd < 0 || connect(c->fd, (struct sockaddr *) &address, sizeof address) != 0) {
        die("connect");
    }
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t) index};
    epoll_ctl(poll, EPOLL_CTL_ADD, c->fd, &event);
    free_ones[free_count++] = index;
}

static void send_request(struct connection *c, int64_t intended) {
    c->intended = intended;
    c->used = 0;
    if (send(c->fd, request, sizeof request - 1, MSG_NOSIGNAL) != (ssize_t) sizeof request - 1) {
        die("send");
    }
}

/* True if a whole response has arrived. Supports only Content-Length, which the servers of this comparison use. */
static int receive(struct connection *c) {
    ssize_t got = recv(c->fd, c->bytes + c->used, sizeof c->bytes - 1 - (size_t) c->used, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return 0;
    }
    if (got <= 0) {
        die("the server closed a connection");
    }
    c->used += (int) got;
    c->bytes[c->used] = 0;
    char *end = memmem(c->bytes, (size_t) c->used, "\r\n\r\n", 4);
    if (end == NULL) {
        return 0;
    }
    if (memcmp(c->bytes, "HTTP/1.1 200", 12) != 0) {
        errno = 0;
        die("the response status is not 200");
    }
    char *length = strcasestr(c->bytes, "\r\nContent-Length:");
    if (length == NULL || length > end) {
        errno = 0;
        die("a response without Content-Length");
    }
    return c->used >= (int) (end + 4 - c->bytes) + atoi(length + 17);
}

static int64_t run_closed(int poll, int64_t end) {
    struct epoll_event ready[256];
    int64_t done = 0;
    int in_flight = free_count;
    while (free_count > 0) {
        send_request(&connections[free_ones[--free_count]], now());
    }
    while (in_flight > 0) {
        int count = epoll_wait(poll, ready, 256, 1000);
        for (int i = 0; i < count; i++) {
            struct connection *c = &connections[ready[i].data.u32];
            if (!receive(c)) {
                continue;
            }
            int64_t at = now();
            record(&response, at - c->intended);
            done++;
            if (at < end) {
                send_request(c, at);
            } else {
                in_flight--;
            }
        }
        if (count == 0 && now() > end + DRAIN_NANOS) {
            break;
        }
    }
    return done;
}

static int wait_for(int poll, struct epoll_event *ready, int64_t nanos) {
#ifdef SYS_epoll_pwait2
    static int has_pwait2 = 1;
    if (has_pwait2) {
        struct timespec t = {.tv_sec = nanos / 1000000000, .tv_nsec = nanos % 1000000000};
        int count = (int) syscall(SYS_epoll_pwait2, poll, ready, 256, &t, NULL, 0);
        if (count >= 0 || errno != ENOSYS) {
            return count;
        }
        has_pwait2 = 0;
    }
#endif
    return epoll_wait(poll, ready, 256, (int) (nanos / 1000000));
}

static int64_t run_open(int poll, int64_t start, double rate, int64_t planned, int spin) {
    struct epoll_event ready[256];
    int64_t next = 0, done = 0;
    int64_t give_up = start + (int64_t) ((double) planned * 1e9 / rate) + DRAIN_NANOS;
    while (done < planned && now() < give_up) {
        int64_t due = start + (int64_t) ((double) next * 1e9 / rate);
        int64_t at = now();
        while (next < planned && due <= at && free_count > 0) {
            record(&lateness, at - due);
            send_request(&connections[free_ones[--free_count]], due);
            next++;
            due = start + (int64_t) ((double) next * 1e9 / rate);
            at = now();
        }
        int64_t pause = next < planned && free_count > 0 ? due - at : 1000000;
        int count = wait_for(poll, ready, spin || pause < 0 ? 0 : pause);
        for (int i = 0; i < count; i++) {
            struct connection *c = &connections[ready[i].data.u32];
            if (receive(c)) {
                record(&response, now() - c->intended);
                free_ones[free_count++] = (int) ready[i].data.u32;
                done++;
            }
        }
    }
    return done;
}

int main(int argc, char **argv) {
    int port = 0, size = 64, spin = 1, option;
    double length = 1, rate = 0;
    while ((option = getopt(argc, argv, "p:c:d:R:w:")) != -1) {
        switch (option) {
            case 'p': port = atoi(optarg); break;
            case 'c': size = atoi(optarg); break;
            case 'd': length = atof(optarg); break;
            case 'R': rate = atof(optarg); break;
            case 'w': spin = strcmp(optarg, "block") != 0; break;
            default: return 2;
        }
    }
    errno = 0;
    if (port < 1 || size < 1 || size > MAX_CONNECTIONS || length <= 0 || rate < 0) {
        die("usage: lean -p PORT [-c CONNECTIONS] [-d SECONDS] [-R RATE [-w spin|block]]");
    }
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    int poll = epoll_create1(0);
    for (int i = 0; i < size; i++) {
        dial(poll, i, port);
    }
    int64_t start = now() + (rate > 0 ? 20000000 : 0);
    int64_t planned = (int64_t) (rate * length + 0.5);
    int64_t done = rate > 0 ? run_open(poll, start, rate, planned, spin)
                            : run_closed(poll, start + (int64_t) (length * 1e9));
    double seconds = (double) (now() - start) / 1e9;
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    double cpu = (double) (use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1e6
            + (double) (use.ru_utime.tv_usec + use.ru_stime.tv_usec);
    printf("requests %lld\nplanned %lld\nseconds %.6f\n", (long long) done, (long long) planned, seconds);
    printf("per_second %.1f\ncpu_per_request %.3f\n", (double) done / seconds, cpu / (double) (done > 0 ? done : 1));
    printf("started_monotonic_ns %lld\n", (long long) start);
    print("response", &response);
    if (rate > 0) {
        print("lateness", &lateness);
    }
    return rate > 0 && done < planned;
}
