/** Input and output of every recognizer: the text, its words, and the findings. Tested through find-pii.test.ts. */
import type { Finding } from '../../base/finding.ts'
import type { Budget } from '../../text/view/budget.ts'
import type { Context, Near } from '../lexicon/context.ts'

export interface Scan {
  readonly text: string
  readonly context: Context
  readonly found: Finding[]
  readonly effort: Budget
}

/** A recognizer asked at the beginning of each word that holds a digit or may begin an identifier. */
export type Recognizer = (scan: Scan, start: number, end: number) => void

export const nowhere = Number.POSITIVE_INFINITY

/** Distance of a topic on either side of a value; `nowhere` when it is not named. */
export function distanceOf(topic: string, before: Near, after?: Near): number {
  const distance = before.size === 0 ? nowhere : (before.get(topic) ?? nowhere)
  return after === undefined || after.size === 0 ? distance : Math.min(distance, after.get(topic) ?? nowhere)
}

/** Distance of the nearest of some topics. */
export function nearestOf(topics: readonly string[], before: Near, after?: Near): number {
  let least = nowhere
  if (before.size === 0 && (after === undefined || after.size === 0)) return least
  for (const topic of topics) least = Math.min(least, distanceOf(topic, before, after))
  return least
}

/** The topic of things that are numbered but belong to no person. */
export const otherThing = 'other-thing'

/** Distance of the nearest word for such a thing, when it stands in the same sentence before the value. */
export const distanceOfOther = (before: Near): number => {
  const distance = distanceOf(otherThing, before)
  return distance <= 32 ? distance : nowhere
}
