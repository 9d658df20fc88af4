export type Family = 'role-override' | 'instruction-leak' | 'delimiter-attack'

/** A rule is data: where a trigger occurs, the pattern is tried inside a window around it. */
export interface Rule {
  readonly id: string
  readonly family: Family
  readonly lang: string
  /** Literal parts of normalized text (lower case, no accents on Latin letters). */
  readonly triggers: readonly string[]
  /** Tried on normalized text; bounded repeats only. */
  readonly pattern: RegExp
  /** Half of it is read before the trigger and all of it after; together at most 256 characters. */
  readonly window: number
  /** Probability-like strength, 0..1. */
  readonly weight: number
  /** Whether quoting and "what does … mean" weaken it; false where the text itself is the attack. */
  readonly guarded: boolean
  readonly tests: { readonly hit: readonly string[]; readonly miss: readonly string[] }
}

/** Up to `characters` of anything but a sentence end, as few as possible. */
export const gap = (characters: number): string => `[^.!?。]{0,${characters}}?`

/** One of the given alternatives, each a pattern. */
export const any = (...alternatives: readonly string[]): string => `(?:${alternatives.join('|')})`

/** Joins pattern parts into one expression. */
export const pattern = (...parts: readonly string[]): RegExp => new RegExp(parts.join(''))
