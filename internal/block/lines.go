package block

import "github.com/seed92411348/kfda/internal/asm/f64"

// byLines reports whether the job is to be done row by row without packing: for
// few rows of C, where B is stored by rows, packing would cost more than the work.
func (job *Job) byLines(m int) bool {
	return m <= f64.TileShape().Rows/4 && !job.TransB && !job.Backward && job.Part == Whole && job.Mode != Subtract
}

// lineCols columns are a task.
const lineCols = 960

// runLines is Run for such a job.
func runLines(team *Team, job *Job, m, n, k int) {
	if team == nil {
		for i := range m {
			job.line(i, 0, n, k)
		}
		return
	}
	tasks := (n + lineCols - 1) / lineCols
	shared := *job
	team.Do(m*tasks, func(t int) {
		lo, hi := divide(n, 8, tasks, t%tasks)
		shared.line(t/tasks, lo, hi, k)
	})
}

// line does the columns j0 … j1−1 of row i.
func (job *Job) line(i, j0, j1, k int) {
	row := job.C.Data[i*job.C.Stride+j0:][:j1-j0]
	if k > 0 {
		a := job.rowsOfA(i, 0, k)
		f64.Line(job.Op, row, a.Data[a.Start:], a.ColStride, job.B.Data[j0:], job.B.Stride, k, job.Mode == Add)
	} else if job.Mode == Overwrite {
		clear(row)
	}
	if job.Epilogue != nil && len(row) > 0 {
		job.Epilogue(row, i, j0)
	}
}
