/** Checks of patterns and conditions written by tenants. Tested in document.test.ts. */
import { compilePattern } from '@parapet/detect'
import { readCondition } from './conditions.ts'
import type { PolicyDocument } from './document.ts'
import type { Fault } from './fault.ts'

/** Tenants' patterns run on an engine with linear time; patterns that it cannot run are refused here. */
export function patternFaults({ content, injection, sensitive_data: data }: PolicyDocument): readonly Fault[] {
  const written: readonly (readonly [pattern: string, pointer: string])[] = [
    ...content.denied_patterns.map(
      ({ pattern }, index) => [pattern, `content/denied_patterns/${index}/pattern`] as const,
    ),
    ...injection.allow_patterns.map((pattern, index) => [pattern, `injection/allow_patterns/${index}`] as const),
    ...injection.extra_rules.map(({ pattern }, index) => [pattern, `injection/extra_rules/${index}/pattern`] as const),
    ...data.custom.map(({ pattern }, index) => [pattern, `sensitive_data/custom/${index}/pattern`] as const),
  ]
  return written.flatMap(([pattern, pointer]) => {
    const detail = patternFault(pattern)
    return detail === null ? [] : [{ detail, pointer: `/document/${pointer}` }]
  })
}

function patternFault(pattern: string): string | null {
  const compiled = compilePattern(pattern)
  if (!compiled.ok) return `This pattern cannot be used. ${compiled.reason}`
  return compiled.pattern.matchesEmptyText ? 'This pattern matches empty text.' : null
}

export function conditionFaults({ rules }: PolicyDocument): readonly Fault[] {
  return rules.flatMap(({ when }, index) => {
    const read = readCondition(when)
    return read.ok
      ? []
      : [{ detail: `This condition cannot be used. ${read.reason}`, pointer: `/document/rules/${index}/when` }]
  })
}
