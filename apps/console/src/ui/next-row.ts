/** The row that a key leads to; -1 for none is before the first. Pure. Tested in next-row.test.ts. */
export function nextRow(at: number, step: 1 | -1, count: number): number {
  return Math.min(Math.max(at + step, 0), count - 1)
}
