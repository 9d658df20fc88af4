/** How long the lists are that a loop goes over, known from the values before it runs. Tested in cel.test.ts. */
import type { CelShape } from './shape.ts'

/** Looks up the value of a path of fields; undefined where there is none. */
export type Lookup = (path: readonly string[]) => unknown

export type Count = (lookup: Lookup) => number

export interface Local {
  readonly shape: CelShape | null
  /** Lists inside an element are as long as the longest of this list of lists. */
  readonly from: readonly string[] | null
}

/** Of a list or map at a path: its own length; `[]` in a path stands for every element of a list. */
export function lengthOf({ shape, from }: Local): Count | null {
  const hasLength = shape === 'dyn' || (shape !== null && typeof shape === 'object' && !('fields' in shape))
  if (!hasLength || from === null) return null
  return (lookup) => longest(lookup([from[0] ?? '']), from.slice(1))
}

function longest(value: unknown, path: readonly string[]): number {
  const [step, ...rest] = path
  if (value === undefined || value === null) return 0
  if (step === undefined) return Array.isArray(value) ? value.length : value instanceof Map ? value.size : 0
  if (step !== eachElement) return longest(value instanceof Map ? value.get(step) : undefined, rest)
  const elements: readonly unknown[] = Array.isArray(value) ? value : value instanceof Map ? [...value.values()] : []
  return elements.reduce<number>((most, element) => Math.max(most, longest(element, rest)), 0)
}

/** Stands in a path for every element of a list. */
export const eachElement = '[]'
