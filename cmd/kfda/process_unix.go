//go:build unix

package main

import (
	"io/fs"
	"os"
	"os/signal"
	"syscall"
)

// keepOwner gives f the owner and the group of the file that old is of.
func keepOwner(f *os.File, old fs.FileInfo) error {
	now, err := f.Stat()
	if err != nil {
		return err
	}
	want, ok := old.Sys().(*syscall.Stat_t)
	have, also := now.Sys().(*syscall.Stat_t)
	if !ok || !also || want.Uid == have.Uid && want.Gid == have.Gid {
		return nil
	}
	return f.Chown(int(want.Uid), int(want.Gid))
}

// ignoreClosedPipe makes a write to a pipe that nobody reads an error, which lets the
// command remove what is half written.
func ignoreClosedPipe() { signal.Ignore(syscall.SIGPIPE) }
