// Package picture draws what is known of a model and its predictions, as SVG, PNG or PDF.
//
// Classes differ in colour, which colour-blind people tell apart (Okabe and Ito 2008), and in
// the shape of their marks or the dashes of their lines, so that a picture can be read in grey.
// The same data make the same bytes.
package picture
