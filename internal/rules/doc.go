// Package rules holds, as tests, the rules that the source itself must keep:
// which package may import which, what the module requires, and how floating-point
// products are written.
package rules
