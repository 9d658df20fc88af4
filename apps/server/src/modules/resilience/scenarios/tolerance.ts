/** Whether a probed value is within its tolerance. Pure. Tested in tolerance.test.ts. */
import { RE2JS } from 're2js'
import type { Tolerance } from '../declared/scenario-schema.ts'
import { readJsonPath, valuesAt } from './json-path.ts'

/** Finding of a probe: a value, or the status and body of an HTTP answer; null where there was nothing to measure. */
export type Probed = number | string | boolean | null | HttpAnswer

export interface HttpAnswer {
  readonly status: number
  readonly body: string
}

/** A probe that measured nothing is within any tolerance but `min`: no calls are no bad calls. */
export function isWithin(value: Probed, tolerance: Tolerance): boolean {
  if (value === null) return tolerance.type !== 'min'
  const scalar = typeof value === 'object' ? value.status : value
  switch (tolerance.type) {
    case 'max':
      return Number(scalar) <= tolerance.value
    case 'min':
      return Number(scalar) >= tolerance.value
    case 'range':
      return Number(scalar) >= tolerance.low && Number(scalar) <= tolerance.high
    case 'equals':
      return scalar === tolerance.value
    case 'one_of':
      return tolerance.values.includes(scalar)
    case 'regex':
      return RE2JS.compile(tolerance.pattern)
        .matcher(textOf(value, tolerance.target ?? 'body'))
        .find()
    case 'jsonpath':
      return matchesPath(textOf(value, 'body'), tolerance)
    default:
      return tolerance satisfies never
  }
}

function textOf(value: Exclude<Probed, null>, target: 'body' | 'status'): string {
  if (typeof value !== 'object') return String(value)
  return target === 'status' ? String(value.status) : value.body
}

/** Without `expect` something has to be there; with it, one of the values. */
function matchesPath(text: string, { path, expect }: Extract<Tolerance, { type: 'jsonpath' }>): boolean {
  const steps = readJsonPath(path)
  if (steps === null) return false
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return false
  }
  const found = valuesAt(document, steps)
  if (expect === undefined) return found.length > 0
  return found.some((value) => expect.some((wanted) => wanted === value))
}
