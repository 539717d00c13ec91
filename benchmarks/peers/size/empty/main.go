// Command empty does nothing. The size of the program beside it is measured against it.
package main

func main() {}
