/** Stands for "no clause" where clauses are numbers: larger than the number of any clause, and still a small integer. */
export const NONE = 0x3fffffff;
