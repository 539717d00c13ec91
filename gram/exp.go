package gram

import "math"

var exp = math.Exp
