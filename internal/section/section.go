package section

import (
	"fmt"
	"hash/crc32"
)

// Section is a named piece of a model file.
type Section struct {
	Name     string // 1 to 64 printable ASCII characters without space
	Critical bool   // a reader that does not know the name must refuse the file
	Data     []byte

	// Put stores the data in place of Data, where they are too many to be held twice: Size bytes.
	Put  func(*Encoder)
	Size int
}

func (s *Section) size() int {
	if s.Put != nil {
		return s.Size
	}
	return len(s.Data)
}

const (
	magic   = "KFDA"
	version = 1

	tagSection   = 'S'
	tagEnd       = 'E'
	flagCritical = 1

	maxName     = 64
	maxSections = 256
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checkName returns what is wrong with a name, "" for a good one.
func checkName(name string) string {
	if len(name) == 0 || len(name) > maxName {
		return fmt.Sprintf("a name has 1 to %d characters, this one %d", maxName, len(name))
	}
	for i := range len(name) {
		if name[i] <= ' ' || name[i] > '~' {
			return fmt.Sprintf("character %d is not printable ASCII", i)
		}
	}
	return ""
}
