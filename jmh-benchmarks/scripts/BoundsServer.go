// A service of known times for bounds.py: sixteen workers share one queue, and each request's demand follows a distribution. It
// records when each request arrived, began and ended, and when the service itself was paused.
package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

const workers = 16

// A pulse that is later than this means that the service was paused.
const pauseThreshold = 900 * time.Microsecond

var (
	lock   sync.Mutex
	cliff  bool
	seed   uint64
	count  uint64
	served []int64 // arrived, began, ended and demand, of each request
	stills []int64 // from, until
	places = make(chan struct{}, workers)
	born   = time.Now()
	origin = monotonic()
)

func monotonic() int64 {
	var at syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, 1, uintptr(unsafe.Pointer(&at)), 0)
	return at.Nano()
}

func now() int64 { return origin + int64(time.Since(born)) }

func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// 3 ms plus an exponential part of 2 ms; or 4 ms, but 40 ms for one in 25, so that a percentile lies next to a cliff.
func demand(index uint64) time.Duration {
	u := (float64(mix(seed*1000003+index)>>11) + 0.5) / (1 << 53)
	if cliff {
		if u < 0.04 {
			return 40 * time.Millisecond
		}
		return 4 * time.Millisecond
	}
	return time.Duration((3 - 2*math.Log(u)) * float64(time.Millisecond))
}

func serve(out http.ResponseWriter, _ *http.Request) {
	came := now()
	lock.Lock()
	takes := demand(count)
	count++
	lock.Unlock()
	places <- struct{}{}
	began := now()
	time.Sleep(takes)
	done := now()
	<-places
	lock.Lock()
	served = append(served, came, began, done, int64(takes))
	lock.Unlock()
	out.Write([]byte("ok"))
}

func pulse() {
	for last := now(); ; {
		time.Sleep(500 * time.Microsecond)
		at := now()
		if at-last > int64(pauseThreshold) {
			lock.Lock()
			stills = append(stills, last+int64(500*time.Microsecond), at)
			lock.Unlock()
		}
		last = at
	}
}

func reset(out http.ResponseWriter, in *http.Request) {
	lock.Lock()
	defer lock.Unlock()
	cliff = in.FormValue("law") == "cliff"
	seed, _ = strconv.ParseUint(in.FormValue("seed"), 10, 64)
	count, served, stills = 0, nil, nil
}

func log(out http.ResponseWriter, _ *http.Request) {
	lock.Lock()
	defer lock.Unlock()
	binary.Write(out, binary.LittleEndian, []int64{int64(len(served) / 4), int64(len(stills) / 2)})
	binary.Write(out, binary.LittleEndian, served)
	binary.Write(out, binary.LittleEndian, stills)
}

func seen(out http.ResponseWriter, _ *http.Request) {
	lock.Lock()
	defer lock.Unlock()
	fmt.Fprint(out, count)
}

func main() {
	load, err := net.Listen("tcp", "127.0.0.1:0")
	control, also := net.Listen("tcp", "127.0.0.1:0")
	if err != nil || also != nil {
		os.Exit(1)
	}
	fmt.Println(load.Addr().(*net.TCPAddr).Port, control.Addr().(*net.TCPAddr).Port)
	go pulse()
	ways := http.NewServeMux()
	ways.HandleFunc("/reset", reset)
	ways.HandleFunc("/log", log)
	ways.HandleFunc("/seen", seen)
	go http.Serve(control, ways)
	http.Serve(load, http.HandlerFunc(serve))
}
