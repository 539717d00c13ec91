// Package assess has the statistics of how well predictions agree with labels: intervals of
// shares, ROC and precision-recall curves, reliability, and what pictures of rows show of them.
package assess
