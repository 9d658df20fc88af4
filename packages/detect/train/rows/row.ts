/** One labelled text, as the data files and the generators give it. */
export interface Row {
  readonly text: string
  /** 1: tries to supersede, extract or evade instructions, or is data that gives the model orders. 0: everything else. */
  readonly label: 0 | 1
  /** Kind of the text, in the words of the data sets: `direct-override`, `hard-negative`, `long-document` … */
  readonly kind: string
  /** Where it comes from; models are chosen by leaving one source out. Generators use `gen-<name>`. */
  readonly source: string
  readonly lang: string
  /** Package and version it was published in. */
  readonly from?: string
  readonly enc?: string
  readonly sub?: string
  /** Fold of the rows it was made from, for a row made from others: a copy of what a model has seen is no news to it. */
  readonly fold?: number
  /** Where the attack stands in a harmless carrier, if known (UTF-16). */
  readonly planted?: readonly [start: number, end: number]
}

/** A source of made-up rows. The same seed gives the same rows in the same order. */
export interface Generator {
  readonly name: string
  readonly seed: number
  rows(): Row[]
}

/** Whether texts of a source were written one by one. */
export const isWritten = (source: string): boolean => source.startsWith('written-')
