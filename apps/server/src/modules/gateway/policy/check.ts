import { compilePattern } from '@parapet/detect'
import type { ProblemError } from '../../../kernel/http/problem.ts'
import { errors } from '../errors.ts'
import type { PolicyDocument } from './document.ts'

interface Fault {
  readonly detail: string
  readonly pointer: string
}

/** Checks what a schema cannot say: patterns compile, thresholds are ordered, limits are complete. @throws GW-026 */
export function checkDocument(document: PolicyDocument): void {
  const faults = [
    ...patternFaults(document),
    ...thresholdFaults(document),
    ...limitFaults(document),
    ...idFaults(document),
    ...contradictions(document),
  ]
  const [first] = faults
  if (first !== undefined) throw invalid(first).at(faults)
}

function invalid(fault: Fault): ProblemError {
  return errors.policyInvalid({ what: fault.detail })
}

/** Tenants' patterns run on an engine with linear time; what it cannot run is refused here. */
function patternFaults(document: PolicyDocument): readonly Fault[] {
  return document.content.denied_patterns.flatMap(({ pattern }, index) => {
    const compiled = compilePattern(pattern)
    if (!compiled.ok) return [fault(`This pattern cannot be used. ${compiled.reason}`, index)]
    return compiled.pattern.matchesEmptyText ? [fault('This pattern matches empty text.', index)] : []
  })
}

function fault(detail: string, index: number): Fault {
  return { detail, pointer: `/document/content/denied_patterns/${index}/pattern` }
}

function thresholdFaults({ injection }: PolicyDocument): readonly Fault[] {
  if (injection.flag_at <= injection.block_at) return []
  return [{ detail: 'flag_at is above block_at, so nothing would be flagged.', pointer: '/document/injection/flag_at' }]
}

function limitFaults({ limits }: PolicyDocument): readonly Fault[] {
  return limits.flatMap((limit, index) => {
    const needsWindow = limit.unit === 'requests'
    if (needsWindow === (limit.window_seconds !== undefined)) return []
    const detail = needsWindow
      ? 'A limit of requests needs window_seconds.'
      : 'A limit of concurrent calls has no window.'
    return [{ detail, pointer: `/document/limits/${index}/window_seconds` }]
  })
}

function idFaults({ content, limits }: PolicyDocument): readonly Fault[] {
  const lists = {
    'content/denied_terms': content.denied_terms,
    'content/denied_patterns': content.denied_patterns,
    limits,
  }
  return Object.entries(lists).flatMap(([where, rules]) =>
    rules.flatMap(({ id }, index) =>
      rules.findIndex((other) => other.id === id) === index
        ? []
        : [{ detail: `The id ${id} is used twice.`, pointer: `/document/${where}/${index}/id` }],
    ),
  )
}

/** What is named on both lists is denied, whatever its author meant. */
function contradictions({ models, providers, content }: PolicyDocument): readonly Fault[] {
  const lists = { models, providers, 'content/tools': content.tools }
  return Object.entries(lists).flatMap(([where, { allow, deny }]) =>
    deny.flatMap((name, index) =>
      allow.includes(name)
        ? [{ detail: `${name} is allowed and denied.`, pointer: `/document/${where}/deny/${index}` }]
        : [],
    ),
  )
}
