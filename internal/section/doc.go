// Package section is the container of model files: named sections of bytes, each
// guarded by a checksum, and a codec for the numbers and strings inside them. It
// knows nothing of models.
//
// A file, all integers little-endian:
//
//	file     = magic version section… end
//	magic    = "KFDA"
//	version  = uint32, 1
//	section  = 'S' flags:uint8 nameLength:uint8 size:uint64 name checksum data checksum
//	end      = 'E' count:uint64 checksum
//	checksum = uint32, the CRC-32C of all bytes of the file before it that are not
//	           checksums themselves
//
// Bit 0 of flags marks a critical section: a reader that does not know its name
// must refuse the file, which is the caller's part; any other unknown section may
// be skipped. The other bits are zero. A name is 1 to 64 printable ASCII
// characters without space, used once; a file has at most 256 sections. Nothing follows
// the end marker.
//
// Because a checksum covers everything before it, sections cannot be lost, swapped
// or taken from another file unnoticed. A header's own checksum stands before the
// data, so a size is trusted only after it was checked; memory grows with the
// bytes that really arrive. Every sequence of sections has exactly one encoding.
package section
