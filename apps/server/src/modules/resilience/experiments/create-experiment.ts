/**
 * Plans or starts an experiment. Promises that nothing starts while a lever is engaged, beside another experiment on the
 * same target, or without the second person that its reach takes. Tested in experiments.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import { create, newRow } from '../../../kernel/resource/resource.ts'
import { protectedTarget } from '../chaos/protected.ts'
import { isLike } from '../chaos/rules.ts'
import type { ExperimentRow, NewExperiment } from '../declared/experiment-schema.ts'
import { experimentResource } from '../declared/experiment-tables.ts'
import type { FaultBody, Probe, ScenarioRow } from '../declared/scenario-schema.ts'
import { scenarios } from '../declared/scenario-tables.ts'
import { errors } from '../errors/errors.ts'
import { probeFaults } from '../scenarios/check-scenario.ts'
import type { ResilienceServices } from '../services/resilience-services.ts'
import { expectedOf, servicesOf } from './expected.ts'
import { leverState } from './lever.ts'
import { recentCalls } from './probes.ts'

export const experimentJob = 'resilience.experiment'

/** Up to here one person decides, in per cent of the calls. */
const smallPercentage = 10
const highestCriticality = 5

export interface ExperimentRequest {
  readonly actor: Actor
  readonly body: NewExperiment
  /** Whether the lever of the platform is engaged. */
  readonly platformStopped: boolean
}

/** @throws AUTH-004, RES-003, RES-005, RES-009, RES-010, RES-011 */
export async function createExperiment(
  parts: ResilienceServices,
  tx: Tx,
  { actor, body, platformStopped }: ExperimentRequest,
): Promise<ExperimentRow> {
  const { kernel } = parts
  const { percentage } = body.blast_radius
  const isDry = body.mode === 'dry_run'
  if (percentage > smallPercentage && !isDry && !holds(actor.permissions, 'resilience:admin'))
    throw authErrors.forbidden({ permission: 'resilience:admin' })
  const scenario = await scenarioOf(tx, body, isDry)
  refuseProtected(scenario.faults)
  refuseGuards(body)
  refuseUnreadable(parts, actor, [...scenario.hypothesis.probes, ...(body.guards ?? [])])
  const rows = await servicesOf(tx, body.services ?? [])
  refuseUnknownServices(
    body,
    rows.map(({ key }) => key),
  )
  if (!isDry) await refuseBlocked(tx, scenario.faults, platformStopped)
  const criticality = Math.max(1, ...rows.map((row) => row.criticality))
  const approvals = percentage > smallPercentage || criticality >= highestCriticality ? 1 : 0
  const { version, ...stamps } = newRow(kernel, tx)
  const row: ExperimentRow = {
    ...{ ...stamps, version, scenario_id: scenario.id, mode: body.mode, scope: body.scope ?? 'live' },
    status: isDry ? 'completed' : approvals > 0 ? 'pending_approval' : 'ready',
    ...{ verdict: null, blast_radius: body.blast_radius, ttl_seconds: body.ttl_seconds, criticality },
    ...{ faults: scenario.faults, probes: scenario.hypothesis.probes, guards: body.guards ?? [] },
    ...{ services: rows.map(({ key }) => key), seed: body.seed ?? kernel.random.hex(8) },
    ...{ abort_cause: null, stop_wanted: false, affected_calls: 0, claimed_calls: 0 },
    expected: await expectedOf(parts, tx, { actor, faults: scenario.faults, body, approvals, rows }),
    ...{ checks: { met: 0, total: 0 }, measured: null, created_by: actor.userId, approved_by: null },
    ...{ started_at: null, injected_at: null, finished_at: isDry ? stamps.created_at : null },
  }
  await create(tx, experimentResource, row, { action: 'resilience.experiment.create' })
  if (row.status === 'ready') await start(tx, row)
  return row
}

/** Adds the job that runs a ready experiment; it has the same id. */
export function start(tx: Tx, { id }: Pick<ExperimentRow, 'id'>): Promise<void> {
  return tx.enqueue({ id, kind: experimentJob, payload: { experiment_id: id } })
}

async function scenarioOf(tx: Tx, { scenario_id: id }: NewExperiment, isDry: boolean): Promise<ScenarioRow> {
  const scenario = await scenarios.get(tx, id)
  const refuse = (detail: string) =>
    errors.unknownReference({ what: 'scenario' }).at([{ detail, pointer: '/scenario_id' }])
  if (scenario === null) throw refuse('There is no such scenario.')
  if (scenario.faults.length === 0)
    throw errors
      .blastRadius({ what: 'The scenario has no faults that can be injected. Add some to its `faults`.' })
      .at([{ detail: 'The scenario has no faults.', pointer: '/scenario_id' }])
  if (!isDry && scenario.status !== 'approved')
    throw errors.blocked({ what: `The scenario is ${scenario.status}. Have it approved first.` })
  return scenario
}

/** Asked again here: the list of protected targets may have grown since the scenario was stored. @throws RES-009 */
function refuseProtected(faults: readonly FaultBody[]): void {
  for (const { seam, targets = [] } of faults) {
    const target = targets.find((each) => protectedTarget(seam, each))
    if (target !== undefined) throw errors.protectedTarget({ target })
  }
}

/** @throws RES-003 */
function refuseGuards({ guards = [] }: NewExperiment): void {
  const wrong = guards.flatMap((guard, i) => probeFaults(guard, `/guards/${i}`))
  if (wrong.length > 0)
    throw errors
      .scenarioInvalid({ what: wrong[0]?.detail ?? 'A guard is not valid.' })
      .at(wrong.map(({ pointer, detail }) => ({ pointer, detail })))
}

/** Probes run as the system: whoever sets one up must be allowed to read what it reads. @throws AUTH-004, RES-005 */
function refuseUnreadable({ facts }: ResilienceServices, actor: Actor, probes: readonly Probe[]): void {
  for (const { name, kind, fact = '' } of probes) {
    if (kind === 'http') continue
    const declared = facts().all.get(kind === 'metric' ? recentCalls : fact)
    if (declared === undefined)
      throw errors
        .unknownReference({ what: 'fact' })
        .at([{ detail: `The probe ${name} reads ${fact}, which is no fact.`, pointer: '/scenario_id' }])
    const { permission } = declared
    if (!holds(actor.permissions, permission)) throw authErrors.forbidden({ permission }).withMembers({ permission })
  }
}

/** @throws RES-005 */
function refuseUnknownServices({ services = [] }: NewExperiment, known: readonly string[]): void {
  const wrong = services.flatMap((key, i) =>
    known.includes(key) ? [] : [{ detail: `The model has no service ${key}.`, pointer: `/services/${i}` }],
  )
  if (wrong.length > 0) throw errors.unknownReference({ what: 'service' }).at(wrong)
}

/** @throws RES-010 */
async function refuseBlocked(tx: Tx, faults: readonly FaultBody[], platformStopped: boolean): Promise<void> {
  await tx.lock('resilience.experiments', tx.tenantId)
  const lever = await leverState(tx, platformStopped)
  if (lever.tenant || lever.platform)
    throw errors.blocked({ what: `The safety lever of the ${lever.platform ? 'platform' : 'tenant'} is engaged.` })
  const running = await tx.query(sql<Pick<ExperimentRow, 'id' | 'faults'>>`
    select id, faults from resilience_experiment where status in ('ready', 'checking', 'injecting', 'recovering')`)
  const other = running.find((each) => each.faults.some((one) => faults.some((fault) => overlap(one, fault))))
  if (other !== undefined) throw errors.blocked({ what: `The experiment ${other.id} runs on the same target.` })
}

function overlap(a: FaultBody, b: FaultBody): boolean {
  if (a.seam !== b.seam) return false
  const { targets: first = ['*'] } = a
  const { targets: second = ['*'] } = b
  const bare = (pattern: string): string => (pattern.endsWith('*') ? pattern.slice(0, -1) : pattern)
  return first.some((x) => second.some((y) => isLike(bare(x), y) || isLike(bare(y), x)))
}
