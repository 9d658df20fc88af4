/**
 * An identifier as data: how it is printed, when it is valid, which words name it.
 * A layout is a printed form: `0` a digit, `A` a letter, `X` either, a blank any single blank, `-` any dash, and any
 * other character itself.
 */
export interface Identifier {
  /** Name reported as the rule, for example `de-tax-id`. */
  readonly id: string
  readonly type: string
  /** ISO 3166-1 alpha-2. */
  readonly country?: string
  readonly layouts: readonly string[]
  /** Check digits and ranges over the compact form: upper-case letters and ASCII digits. */
  readonly valid: (compact: string, printed: string) => boolean
  /** Words that name it, see lexicon/lexicon.ts for how they are matched. */
  readonly context: readonly string[]
  /** Score of a valid one that nothing names: how rare the shape is by chance. */
  readonly chance: number
  /** Least score of a valid one that words for other things stand before, such as `order`. Absent: they may dismiss it. */
  readonly leastScore?: number
  /** Shape and ranges only: a valid form proves little. */
  readonly unchecked?: boolean
  /** Topics shared by several identifiers, for example `phone`. */
  readonly topic?: string
}

/** All layouts of digit groups: unbroken and with each separator. */
export function groups(lengths: readonly number[], separators: string): string[] {
  const parts = lengths.map((length) => '0'.repeat(length))
  return [parts.join(''), ...[...separators].map((separator) => parts.join(separator))]
}
