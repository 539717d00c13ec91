package main

import (
	"maps"
	"testing"
)

const (
	meminfo = "MemTotal:       24683020 kB\nMemFree:        22000000 kB\nMemAvailable:    8000000 kB\nSwapFree: 1 kB\n"
	free    = 8e6 * 1024

	group2  = "0::/user.slice/job.scope\n"
	mounts2 = "24 29 0:22 / /sys rw - sysfs sysfs rw\n35 24 0:30 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"

	group1  = "9:name=systemd:/\n4:cpu,memory:/docker/abc\n1:memoryx:/other\n0::/\n"
	mounts1 = "30 22 0:27 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n34 30 0:31 / /cg/memory rw,relatime - cgroup cgroup rw,cpu,memory\n35 30 0:32 / /cg/devices rw - cgroup cgroup rw,devices\n"
)

func TestAvailableMemory(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  float64
	}{
		"nothing known":       {nil, 0},
		"no group":            {map[string]string{"/proc/meminfo": meminfo}, free},
		"another unit":        {map[string]string{"/proc/meminfo": "MemAvailable: 8000000 MB\n"}, 0},
		"a limit alone":       {map[string]string{"/sys/fs/cgroup/memory.max": "5000\n"}, 5000},
		"limit":               {map[string]string{"/proc/meminfo": meminfo, "/sys/fs/cgroup/memory.max": "104857600\n"}, 100 << 20},
		"more than there is":  {map[string]string{"/proc/meminfo": meminfo, "/sys/fs/cgroup/memory.max": "104857600000\n"}, free},
		"max":                 {map[string]string{"/proc/meminfo": meminfo, "/sys/fs/cgroup/memory.max": "max\n"}, free},
		"of the own group":    {map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": group2, "/proc/self/mountinfo": mounts2, "/sys/fs/cgroup/user.slice/job.scope/memory.max": "1000000\n", "/sys/fs/cgroup/user.slice/memory.max": "max\n"}, 1e6},
		"of a group above":    {map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": group2, "/proc/self/mountinfo": mounts2, "/sys/fs/cgroup/user.slice/job.scope/memory.max": "max\n", "/sys/fs/cgroup/user.slice/memory.max": "2000000\n"}, 2e6},
		"the least":           {map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": group2, "/proc/self/mountinfo": mounts2, "/sys/fs/cgroup/user.slice/job.scope/memory.max": "3000000\n", "/sys/fs/cgroup/user.slice/memory.max": "2000000\n"}, 2e6},
		"of another group":    {map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": group2, "/proc/self/mountinfo": mounts2, "/sys/fs/cgroup/system.slice/memory.max": "1000\n"}, free},
		"case 138: version 1": {map[string]string{"/proc/meminfo": meminfo, "/sys/fs/cgroup/memory/memory.limit_in_bytes": "104857600\n"}, 100 << 20},
		"version 1, no limit": {map[string]string{"/proc/meminfo": meminfo, "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, free},
		"version 1 at a level": {map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": group1, "/proc/self/mountinfo": mounts1,
			"/cg/memory/docker/abc/memory.limit_in_bytes": "9223372036854771712\n", "/cg/memory/docker/memory.limit_in_bytes": "7000000\n", "/cg/devices/docker/abc/memory.limit_in_bytes": "1000\n"}, 7e6},
		"a container that sees the paths of the machine": {map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": group1,
			"/proc/self/mountinfo": "34 30 0:31 /docker/abc /cg/memory rw - cgroup cgroup rw,memory\n", "/cg/memory/memory.limit_in_bytes": "6000000\n"}, 6e6},
		"a group outside of the mount": {map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": "0::/../other\n", "/proc/self/mountinfo": mounts2,
			"/sys/fs/cgroup/memory.max": "4000000\n", "/sys/fs/other/memory.max": "1000\n"}, 4e6},
	} {
		t.Run(name, func(t *testing.T) {
			asked := maps.Clone(c.files)
			if got := availableIn(func(path string) string { return asked[path] }); got != c.want {
				t.Errorf("%v bytes, want %v", got, c.want)
			}
		})
	}
}
