/** One labelled text, as the data files and the generators give it. */
export interface Row {
  readonly text: string
  /** 1: tries to supersede, extract or evade instructions, or is data that gives the model orders. 0: everything else. */
  readonly label: 0 | 1
  /** What the text is, in the words of the data sets: `direct-override`, `hard-negative`, `long-document` … */
  readonly kind: string
  /** Where it comes from; models are chosen by leaving one source out. Generators use `gen-<name>`. */
  readonly source: string
  readonly lang: string
  readonly enc?: string
  readonly sub?: string
  /** Source of the text around it, for a row made from rows of several; decides which fold it belongs to. */
  readonly within?: string
  /** Where the attack stands in a harmless carrier, if known (UTF-16). */
  readonly planted?: readonly [start: number, end: number]
}

/** A source of made-up rows. The same seed gives the same rows in the same order. */
export interface Generator {
  readonly name: string
  readonly seed: number
  rows(): Row[]
}
