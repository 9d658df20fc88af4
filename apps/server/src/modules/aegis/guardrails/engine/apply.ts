/**
 * The arguments of a call after its guardrails: texts without what is redacted, values put in the place of others. The
 * given ones stay as they are. Pure. Tested in combine.test.ts.
 */

import type { Redaction, Transform } from './combine.ts'
import { disjoint } from './spans.ts'

export interface Changes {
  readonly redactions: readonly Redaction[]
  readonly transforms: readonly Transform[]
}

/** Transforms count after redactions; of several at one place the last by its guardrail's id. */
export function applyChanges(args: unknown, { redactions, transforms }: Changes): unknown {
  const byLocation = new Map<string, Redaction[]>()
  for (const redaction of redactions)
    byLocation.set(redaction.location, [...(byLocation.get(redaction.location) ?? []), redaction])
  let changed = args
  for (const [location, spans] of byLocation)
    changed = replaced(changed, stepsOf(location), (value) =>
      typeof value === 'string' ? withoutSpans(value, spans) : value,
    )
  for (const { pointer, value } of transforms) changed = replaced(changed, stepsOf(pointer), () => value)
  return changed
}

export function withoutSpans(text: string, spans: readonly Redaction[]): string {
  let left = ''
  let done = 0
  for (const { start, end, rule } of disjoint(spans)) {
    left += `${text.slice(done, start)}[removed: ${rule}]`
    done = end
  }
  return left + text.slice(done)
}

const stepsOf = (pointer: string): readonly string[] =>
  pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** A place that is not there is left alone: a transform changes arguments and adds none. */
function replaced(value: unknown, [step, ...rest]: readonly string[], by: (value: unknown) => unknown): unknown {
  if (step === undefined) return by(value)
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === step ? replaced(item, rest, by) : item))
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === step ? replaced(member, rest, by) : member]),
  )
}
