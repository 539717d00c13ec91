package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/cases"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/section"
)

// recipe96 writes the table of case 96.
func recipe96(t *testing.T) string {
	return writeTable(t, 1500, 400, func(i, j int) float64 { return float64((i*31+j*17)%101) / 100 })
}

// tallTable writes a table of one column that is too long for a kernel matrix.
func tallTable(t *testing.T) string {
	return writeTable(t, 200000, 1, func(i, j int) float64 { return float64(i % 1009) })
}

// writeTable writes a table of rows of three classes without a header.
func writeTable(t *testing.T, rows, columns int, value func(i, j int) float64) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "train.csv")
	f := must.Get(os.Create(name))(t)
	w := bufio.NewWriter(f)
	for i := range rows {
		for j := range columns {
			w.WriteString(strconv.FormatFloat(value(i, j), 'g', -1, 64) + ",")
		}
		fmt.Fprintln(w, i%3)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

// claimedSection writes a model file whose first section claims to have 2^40
// bytes, with the right checksum of its header.
func claimedSection(t *testing.T) string {
	b := []byte("KFDA\x01\x00\x00\x00S\x01\x05")
	b = append(binary.LittleEndian.AppendUint64(b, 1<<40), "alpha"...)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
	return writeBytes(t, "model", append(b, make([]byte, 1000)...))
}

// claimedMatrix writes a model file whose coefficients claim to have 2^32 rows
// and columns, the number of which is 0 in 64 bits, with right checksums.
func claimedMatrix(t *testing.T) string {
	return changed(t, "alpha", func(data []byte) {
		claim := binary.LittleEndian.AppendUint64(nil, 1<<32)
		copy(data, append(claim, claim...)) // rows and columns come first
	})
}

// changed writes a model file of which one section was changed, with right
// checksums.
func changed(t *testing.T, name string, change func(data []byte)) string {
	t.Helper()
	data := read(t, fitted(t, cases.File(t, "86-labels-after-load/train.csv")))
	sections := must.Get(section.Read(strings.NewReader(data)))(t)
	for _, s := range sections {
		if s.Name == name {
			change(s.Data)
		}
	}
	var b bytes.Buffer
	if _, err := section.Write(&b, sections); err != nil {
		t.Fatal(err)
	}
	return writeBytes(t, "model", b.Bytes())
}

func deepFile(t *testing.T) string {
	return writeBytes(t, "model", bytes.Repeat([]byte("["), 100000))
}

// csvBomb writes ten megabytes that unpack to ten gigabytes of one record.
func csvBomb(t *testing.T) string {
	var member bytes.Buffer
	z := gzip.NewWriter(&member)
	z.Write(bytes.Repeat([]byte("0,"), 1<<19))
	z.Close()
	return writeBytes(t, "bomb.csv.gz", bytes.Repeat(member.Bytes(), 10<<20/member.Len()))
}

// bomb writes a packed file of a head and n times a text.
func bomb(t *testing.T, name, head, text string, n int) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, head)
	block := []byte(strings.Repeat(text, 1<<10))
	for range n >> 10 {
		z.Write(block)
	}
	z.Close()
	return writeBytes(t, name+".gz", b.Bytes())
}

func TestCase83Claims(t *testing.T) {
	table := cases.File(t, "86-labels-after-load/train.csv")
	fails(t, statusData, []string{"1099511627776"}, "predict", claimedSection(t), table)
	fails(t, statusData, []string{`section "alpha"`, "4294967296"}, "predict", claimedMatrix(t), table)
	fails(t, statusData, []string{"KFDA"}, "predict", deepFile(t), table)
	fails(t, statusData, []string{"bomb.csv.gz:1", "1048576 cells"}, "fit", csvBomb(t), "-o", os.DevNull)
}

// Case 96: the memory of 200000 rows.
func TestCase96MemoryLimit(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	unchanged(t, model, func() {
		fails(t, statusData, []string{"200000 rows needs 427 GB (one 200000×200000 matrix needs 320 GB)", "--max-memory allows 1 GB"},
			"fit", tallTable(t), "--max-memory", "1GB", "-o", model)
	})
	fails(t, statusData, []string{"needs 640 GB"}, "fit", tallTable(t), "--scatter", "averaged", "--max-memory", "1GB", "-o", model)
	if have := availableMemory(); have > 0 && have < 427e9 {
		fails(t, statusData, []string{"needs 320 GB", "the machine has", "--solver conjugate", "--landmarks 2000"}, "fit", tallTable(t), "--solver", "direct", "-o", model)
	}
	if r, _ := runProcess(t, "fit", "demo/wine.csv", "--max-memory", "40MB", "-o", model); r.status != statusOK && !raceEnabled {
		t.Error(r.err)
	}
	fails(t, statusUsage, []string{"--max-memory", "500MB"}, "fit", "demo/wine.csv", "--max-memory", "much", "-o", model)
}

func TestCheckMemory(t *testing.T) {
	plan := discriminant.Plan{Bytes: 2e9}
	if err := checkMemory("f", 1, plan, 2e9, ""); err != nil {
		t.Error(err)
	}
	if err := checkMemory("f", 1, plan, 1.9e9, ""); err == nil {
		t.Error("2 GB of 1.9 GB accepted")
	}
	if have := availableMemory(); have > 0 {
		if err := checkMemory("f", 1, discriminant.Plan{Bytes: 2 * have}, 3*have, ""); err != nil {
			t.Errorf("--max-memory does not override: %v", err)
		}
		for _, remedy := range []string{"", ", or say a word"} { // cv and tune have no --max-memory
			err := checkMemory("f", 1, discriminant.Plan{Bytes: 2 * have}, 0, remedy)
			if err == nil || !strings.HasSuffix(err.Error(), "; select fewer rows with --rows"+remedy) {
				t.Errorf("twice the memory of the machine: %v", err)
			}
			err = checkMemory("f", 3_000_000, discriminant.Plan{Bytes: 2 * have}, 0, remedy)
			if err == nil || !strings.HasSuffix(err.Error(), "; select fewer rows with --rows, such as --rows ::1500"+remedy) {
				t.Errorf("3,000,000 rows: %v", err)
			}
		}
	}
}

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]float64{
		"1": 1, "500MB": 5e8, "1.5GB": 1.5e9, "1.5 gb": 1.5e9, "2GiB": 1 << 31, "1e3kB": 1e6, "7B": 7, "3TiB": 3 << 40,
	} {
		if got, err := parseBytes(text); got != want || err != nil {
			t.Errorf("%q is %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "GB", "0", "-1GB", "1XB", "nan", "inf", "1e999GB", "8G B"} {
		if got, err := parseBytes(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
	for v, want := range map[float64]string{12: "12 B", 999.9: "1 kB", 2.2e9: "2.2 GB", 320e9: "320 GB", 5e16: "5e+04 TB"} {
		if got := bytesText(v); got != want {
			t.Errorf("%v is %s, want %s", v, got, want)
		}
	}
}

func TestPlanInReport(t *testing.T) {
	r := object(t, works(t, "fit", "demo/wine.csv", "--json", "-o", os.DevNull))
	plan := r["plan"].(map[string]any)
	want := discriminant.KFDA{Scaling: discriminant.AutoScaling}.Plan(178, 13, 3)
	if plan["bytes"].(float64) < want.Bytes || plan["model_bytes"] != want.ModelBytes || plan["flops"] != math.Ceil(want.Flops) || plan["bytes"] != math.Trunc(plan["bytes"].(float64)) {
		t.Errorf("plan %v, want %+v", plan, want)
	}
}

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

// What a fit is planned to take is what its process takes, within a quarter; three tenths
// less where a collection takes the matrices that a ridge was chosen with before the fit makes
// its own, and a third where landmarks leave out a matrix. The classes overlap, so that the machines keep the kernel values of most rows.
func TestPlannedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("fits of 1500 rows are left to the long tests")
	}
	if raceEnabled {
		t.Skip("the race detector multiplies the memory of a process")
	}
	if peakMemory() == 0 {
		t.Skip("the memory of a process is not known here")
	}
	random := rand.New(rand.NewPCG(1, 2))
	noise := func(i, j int) float64 { return random.NormFloat64() + 0.2*float64(i%3) }
	landmarks := []string{"--landmarks 500", "--landmarks 500 --relative-ridge 0.1 --scale none"}
	for name, table := range map[string]string{"tall": writeTable(t, 1500, 8, noise), "wide": writeTable(t, 700, 300, noise), "long": writeTable(t, 70_000, 4, noise)} {
		all := append(landmarks, []string{
			"", "--regularizer ridge", "--ridge 1 --scale none", "--relative-ridge 0.1 --scale none --leave-one-out=false", "--regularizer ridge --ridge 1 --scale none", "--shrink 0.5 --scale standard", "--scatter averaged",
			"--solver conjugate --relative-ridge 0.1 --scale none", "--solver conjugate --regularizer ridge --relative-ridge 0.1 --scale none", "--classifier knn", "--classifier svm", "--model lda", "--model lda --classifier svm",
			"--model kpca", "--model kpca --components 5 --classifier gaussian", "--model ridge", "--model svm", "--model svm --probability",
		}...)
		if name == "long" {
			all = landmarks
		}
		for _, flags := range all {
			t.Run(name+" "+flags, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "peak")
				cmd := process(t, append([]string{"fit", table, "--json", "-o", filepath.Join(t.TempDir(), "m")}, strings.Fields(flags)...)...)
				cmd.Env = append(cmd.Env, peakFile+"="+file)
				var out, errs bytes.Buffer
				cmd.Stdout, cmd.Stderr = &out, &errs
				if err := cmd.Run(); err != nil {
					t.Fatal(err, errs.String())
				}
				text := read(t, file)
				peak, err := strconv.ParseFloat(text, 64)
				if err != nil {
					t.Fatal(err)
				}
				planned := object(t, out.String())["plan"].(map[string]any)["bytes"].(float64)
				t.Logf("planned %s, peak %s, %.2f", bytesText(planned), bytesText(peak), peak/planned)
				least := 0.8
				if strings.Contains(flags, "--landmarks") {
					least = 0.67
				} else if _, chosen := object(t, out.String())["chosen"]; chosen {
					least = 0.7
				}
				if ratio := peak / planned; ratio > 1.25 || ratio < least {
					t.Errorf("planned %s, peak %s", bytesText(planned), bytesText(peak))
				}
			})
		}
	}
}
