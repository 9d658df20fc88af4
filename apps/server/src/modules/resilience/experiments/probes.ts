/**
 * Runs the probes of an experiment. Promises that a probe only looks, through facts that modules declare or through the
 * egress guard, and that one that cannot look is a breach. Tested in experiments.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { isRecord } from '../../../kernel/base/is-record.ts'
import { systemCaller } from '../../../kernel/facts/facts.ts'
import type { Probe } from '../declared/scenario-schema.ts'
import { isWithin, type Probed } from '../scenarios/tolerance.ts'
import type { ResilienceServices } from '../services/resilience-services.ts'

export interface ProbeResult {
  readonly name: string
  readonly value: string | number | boolean | null
  readonly within: boolean
  readonly hard: boolean
  /** Why it could not look. */
  readonly fault: string | null
}

/** The fact that metrics are members of. */
export const recentCalls = 'gateway.recent_calls'

type Parts = Pick<ResilienceServices, 'kernel' | 'facts'>

export function runProbes(parts: Parts, tenantId: TenantId, probes: readonly Probe[]): Promise<readonly ProbeResult[]> {
  return Promise.all(probes.map((probe) => runProbe(parts, tenantId, probe)))
}

async function runProbe(parts: Parts, tenantId: TenantId, probe: Probe): Promise<ProbeResult> {
  const { name, hard = false, tolerance } = probe
  try {
    const value = await look(parts, tenantId, probe)
    const shown = isRecord(value) ? Number(value.status) : (value as string | number | boolean | null)
    return { name, hard, value: shown, within: isWithin(value, tolerance), fault: null }
  } catch (error) {
    const fault = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 300) : 'unknown'
    return { name, hard, value: null, within: false, fault }
  }
}

const timeouts = { connectMs: 2000, firstByteMs: 3000, idleMs: 3000, totalMs: 5000 }
const maxBytes = 65_536

async function look({ kernel, facts }: Parts, tenantId: TenantId, probe: Probe): Promise<Probed> {
  if (probe.kind === 'http') {
    const response = await kernel.egress.fetch({
      ...{ url: probe.url ?? '', method: 'GET', headers: { accept: 'application/json' }, timeouts, maxBytes },
    })
    return { status: response.status, body: new TextDecoder().decode(await response.bytes()) }
  }
  const isMetric = probe.kind === 'metric'
  const name = isMetric ? recentCalls : (probe.fact ?? '')
  const query = isMetric
    ? { seconds: probe.window_seconds ?? 60, ...(probe.provider === undefined ? {} : { provider: probe.provider }) }
    : {}
  const { data } = await kernel.db.tenant({ tenantId, readOnly: true }, (tx) =>
    facts().read(tx, name, { caller: systemCaller, query }),
  )
  return scalarOf(isMetric ? data[probe.metric ?? 'calls'] : valueAtPointer(data, probe.pointer ?? ''))
}

function scalarOf(value: unknown): Probed {
  if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean') return value
  return value === null || value === undefined ? null : JSON.stringify(value).slice(0, 500)
}

/** RFC 6901. */
function valueAtPointer(document: unknown, pointer: string): unknown {
  let at = document
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as Record<string, unknown>)[name]
  }
  return at
}
