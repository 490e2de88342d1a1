// A worker for `downbeat run exec:'./worker URL'`: one GET for each line, over a connection that the transport keeps.
package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"os"
	"time"
)

func main() {
	opened, position := 0, 0
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if lines.Text() == "ping" {
			fmt.Println("pong")
			continue
		}
		begin, connect := time.Now(), time.Duration(0)
		request, _ := http.NewRequest("GET", os.Args[1], nil)
		trace := &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) {
			position++
			if !got.Reused {
				opened, position, connect = opened+1, 1, time.Since(begin)
			}
		}}
		response, failure := http.DefaultClient.Do(request.WithContext(httptrace.WithClientTrace(request.Context(), trace)))
		if failure != nil {
			fmt.Println("fail no response")
			continue
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
		said := "ok"
		if response.StatusCode >= 400 {
			said = fmt.Sprint("fail HTTP ", response.StatusCode)
		}
		fmt.Printf("%s {\"connect_ns\": %d, \"connection\": %d, \"position\": %d}\n", said, connect.Nanoseconds(), opened, position)
	}
}
