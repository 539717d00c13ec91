// Package bigref computes kernel Fisher discriminant analysis in
// arbitrary-precision arithmetic, exactly as the definitions read. It is the
// independent truth for tests of problems that no golden file covers: nothing
// in it is clever, blocked or scaled, and it shares no code with the packages
// under test.
//
// The definitions (n rows, c classes of l_j rows, K the n×n Gram matrix, M_j
// the mean of the columns of K that belong to class j, M_* the mean of all):
//
//	sum       N = Σ_j K_j (I − 1_{l_j}) K_jᵀ,            M = Σ_j l_j (M_j − M_*)(M_j − M_*)ᵀ
//	averaged  N = Σ_j (1/l_j) K_j (I − 1_{l_j}) K_jᵀ,    M = Σ_{i<j} (M_i − M_j)(M_i − M_j)ᵀ
//	identity  N_ε = N + εI          rkhs  N_ε = N + εK
//	M α = λ N_ε α,  αᵀ N_ε α = 1,  λ descending
//
// Mika, Rätsch, Weston, Schölkopf and Müller, "Fisher discriminant analysis
// with kernels" (1999); Baudat and Anouar, "Generalized discriminant analysis
// using a kernel approach" (2000).
//
// At 500 bits a problem with n = 40 rows takes well under a second; the cost
// grows as n³.
package bigref
