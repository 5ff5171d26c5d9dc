// Command redis serves the Redis that Argo CD asks for, on a free port of 127.0.0.1, until its stdin reaches its end.
// It keeps everything in memory and prints its address.
package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/alicebob/miniredis/v2"
)

func main() {
	server := miniredis.NewMiniRedis()
	if err := server.StartAddr("127.0.0.1:0"); err != nil {
		fmt.Fprintln(os.Stderr, "redis:", err)
		os.Exit(1)
	}
	defer server.Close()
	fmt.Println(server.Addr())
	go expire(server)
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// expire lets the time of the keys pass, which the server does not do by itself.
func expire(server *miniredis.Miniredis) {
	for range time.Tick(time.Second) {
		server.FastForward(time.Second)
	}
}
