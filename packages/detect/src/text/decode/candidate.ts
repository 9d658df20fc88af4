import type { Mapping } from '../view/view.ts'

/** A text that a decoder found in a source. */
export interface Candidate {
  /** Name of the encoding, for `via`. */
  readonly name: string
  readonly text: string
  readonly map: Mapping
  /** Characters of the source that were decoded. */
  readonly consumed: number
}

/** A candidate made from one run of the source as a whole. */
export function wholeRun(name: string, text: string, run: { readonly start: number; readonly end: number }): Candidate {
  return { name, text, map: () => ({ start: run.start, end: run.end }), consumed: run.end - run.start }
}
