/** Faults of a scenario, by field. Pure. Tested in check-scenario.test.ts. */
import { ModelError } from '@parapet/quant'
import { RE2JS } from 're2js'
import type { SeamName } from '../../../kernel/faults/seams.ts'
import { protectedTarget } from '../chaos/protected.ts'
import type { FaultBody, Probe, ScenarioRow } from '../declared/scenario-schema.ts'
import { declaredLaw } from '../engine/plan.ts'
import { readJsonPath } from './json-path.ts'

export interface ScenarioFault {
  readonly pointer: string
  readonly detail: string
  /** The target that no fault may reach. */
  readonly isProtected?: string
}

/** Kinds of faults that each seam can make. */
const kindsOf: Readonly<Record<SeamName, readonly FaultBody['kind'][]>> = {
  upstream: [
    ...(['latency', 'first_token_delay', 'unavailable', 'timeout', 'blackhole'] as const),
    ...(['error', 'rate_limit', 'reset', 'malformed'] as const),
  ],
  database: ['latency', 'unavailable'],
  cache: ['latency', 'unavailable'],
  blob: ['latency', 'unavailable'],
  job: ['latency', 'error'],
  bus: ['latency', 'unavailable', 'duplicate'],
  http_out: ['latency', 'unavailable', 'timeout', 'blackhole', 'error', 'rate_limit'],
}

export function faultsOfScenario({
  faults,
  hypothesis,
}: Pick<ScenarioRow, 'faults' | 'hypothesis'>): readonly ScenarioFault[] {
  return [
    ...faults.flatMap((fault, i) => faultFaults(fault, `/faults/${i}`)),
    ...hypothesis.probes.flatMap((probe, i) => probeFaults(probe, `/hypothesis/probes/${i}`)),
  ].slice(0, 20)
}

function faultFaults(fault: FaultBody, at: string): readonly ScenarioFault[] {
  const { seam, kind, targets = [], delay_ms: delay } = fault
  if (!kindsOf[seam].includes(kind))
    return [{ pointer: `${at}/kind`, detail: `The seam ${seam} makes ${kindsOf[seam].join(', ')}.` }]
  const touched = targets.flatMap((target, i) =>
    protectedTarget(seam, target)
      ? [{ pointer: `${at}/targets/${i}`, detail: `No fault may reach ${target}.`, isProtected: target }]
      : [],
  )
  const takesDelay = kind === 'latency' || kind === 'first_token_delay'
  if (takesDelay && delay === undefined)
    return [...touched, { pointer: `${at}/delay_ms`, detail: `A fault of kind ${kind} says its delay.` }]
  try {
    if (delay !== undefined) declaredLaw(delay, `${at}/delay_ms`)
    return touched
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    return [...touched, { pointer: error.pointer, detail: error.message }]
  }
}

export function probeFaults(probe: Probe, at: string): readonly ScenarioFault[] {
  const { kind, metric, fact, url, tolerance } = probe
  const missing = { metric: metric === undefined, fact: fact === undefined, http: url === undefined }[kind]
  const name = kind === 'http' ? 'url' : kind
  if (missing) return [{ pointer: `${at}/${name}`, detail: `A probe of kind ${kind} names its ${name}.` }]
  if (tolerance.type === 'range' && tolerance.low > tolerance.high)
    return [{ pointer: `${at}/tolerance/low`, detail: 'The range is empty.' }]
  if (tolerance.type === 'regex' && !isPattern(tolerance.pattern))
    return [{ pointer: `${at}/tolerance/pattern`, detail: 'This is no regular expression of RE2.' }]
  if (tolerance.type === 'jsonpath' && readJsonPath(tolerance.path) === null)
    return [{ pointer: `${at}/tolerance/path`, detail: 'Paths consist of `$`, `.name`, `["name"]`, `[0]` and `[*]`.' }]
  return []
}

function isPattern(text: string): boolean {
  try {
    RE2JS.compile(text)
    return true
  } catch {
    return false
  }
}
