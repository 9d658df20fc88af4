/**
 * Plans or starts an experiment. Promises that nothing starts while a lever is engaged, in a blackout window, beside another
 * experiment on the same target, or without the second person that its reach takes. Tested in experiments.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import { create, newRow } from '../../../kernel/resource/resource.ts'
import type { ExperimentRow, NewExperiment, Status } from '../declared/experiment-schema.ts'
import { experimentResource } from '../declared/experiment-tables.ts'
import type { ServiceRow } from '../declared/model-schema.ts'
import type { ScenarioRow } from '../declared/scenario-schema.ts'
import type { ResilienceServices } from '../services/resilience-services.ts'
import { expectedOf, servicesOf } from './expected.ts'
import {
  refuseGuards,
  refuseNoTraffic,
  refuseOverlap,
  refuseProtected,
  refuseStopped,
  refuseTimetable,
  refuseUnknownServices,
  refuseUnreadable,
  scenarioOf,
} from './refusals.ts'
import { arm } from './schedule.ts'
import { syntheticFaults } from './synthetic.ts'

export const experimentJob = 'resilience.experiment'

/** Up to here one person decides, in per cent of the calls. */
const smallPercentage = 10
const highestCriticality = 5

export interface ExperimentRequest {
  readonly actor: Actor
  readonly body: NewExperiment
  /** Whether the lever of the platform is engaged. */
  readonly platformStopped: boolean
  /** The timetable that this is a run of; its approval counts for the run, if it had one. */
  readonly plan?: ExperimentRow
}

/** @throws API-001, API-030, API-031, AUTH-004, RES-003, RES-005, RES-009, RES-010, RES-011 */
export async function createExperiment(
  parts: ResilienceServices,
  tx: Tx,
  request: ExperimentRequest,
): Promise<ExperimentRow> {
  const { actor, body, platformStopped } = request
  refuseTimetable(body)
  refuseWithoutRight(actor, body)
  const isLive = body.mode !== 'dry_run' && body.scope !== 'synthetic'
  const scenario = await scenarioOf(tx, body, isLive)
  refuseProtected(scenario.faults)
  refuseGuards(body)
  refuseUnreadable(parts, actor, [...scenario.hypothesis.probes, ...(body.guards ?? [])])
  const rows = await servicesOf(tx, body.services ?? [])
  refuseUnknownServices(
    body,
    rows.map(({ key }) => key),
  )
  if (body.scope === 'synthetic') await refuseNoTraffic(parts, tx, { actor, faults: scenario.faults })
  if (body.mode === 'automated') {
    await refuseStopped(parts.kernel, tx, { seconds: body.ttl_seconds, platformStopped })
    if (isLive) await refuseOverlap(tx, scenario.faults)
  }
  const row = await rowOf(parts, tx, { ...request, scenario, rows })
  await create(tx, experimentResource, row, { action: 'resilience.experiment.create' })
  if (row.status === 'ready') await start(tx, row)
  if (row.status === 'scheduled') await arm(parts.kernel, tx, row)
  return row
}

/** @throws AUTH-004 */
function refuseWithoutRight(actor: Actor, { mode, scope, blast_radius: { percentage } }: NewExperiment): void {
  const isWide = mode !== 'dry_run' && scope !== 'synthetic' && percentage > smallPercentage
  if ((isWide || mode === 'scheduled') && !holds(actor.permissions, 'resilience:admin'))
    throw authErrors.forbidden({ permission: 'resilience:admin' })
}

interface Known extends ExperimentRequest {
  readonly scenario: ScenarioRow
  readonly rows: readonly ServiceRow[]
}

async function rowOf(
  parts: ResilienceServices,
  tx: Tx,
  { actor, body, plan, scenario, rows }: Known,
): Promise<ExperimentRow> {
  const { kernel } = parts
  const isDry = body.mode === 'dry_run'
  const isSynthetic = body.scope === 'synthetic'
  const criticality = Math.max(1, ...rows.map((row) => row.criticality))
  const takesTwo = body.blast_radius.percentage > smallPercentage || criticality >= highestCriticality
  const approvals = takesTwo && !isSynthetic ? 1 : 0
  const faults = isSynthetic ? syntheticFaults(scenario.faults) : scenario.faults
  const { version, ...stamps } = newRow(kernel, tx)
  return {
    ...{ ...stamps, version, scenario_id: scenario.id, mode: body.mode, scope: body.scope ?? 'live' },
    status: statusOf(body, approvals > 0 && (plan?.approved_by ?? null) === null),
    ...{ verdict: null, blast_radius: body.blast_radius, ttl_seconds: body.ttl_seconds, criticality },
    ...{ faults, probes: scenario.hypothesis.probes, guards: body.guards ?? [] },
    ...{ services: rows.map(({ key }) => key), seed: body.seed ?? kernel.random.hex(8) },
    ...{ abort_cause: null, stop_wanted: false, affected_calls: 0, claimed_calls: 0 },
    ...{ schedule: body.schedule ?? null, scheduled_by: plan?.id ?? null },
    expected: await expectedOf(parts, tx, { actor, faults, body, approvals, rows }),
    ...{ checks: { met: 0, total: 0 }, measured: null, created_by: actor.userId },
    approved_by: plan?.approved_by ?? null,
    ...{ started_at: null, injected_at: null, finished_at: isDry ? stamps.created_at : null },
  }
}

function statusOf({ mode }: Pick<NewExperiment, 'mode'>, needsSecond: boolean): Status {
  if (mode === 'dry_run') return 'completed'
  if (needsSecond) return 'pending_approval'
  return mode === 'scheduled' ? 'scheduled' : 'ready'
}

/** Adds the job that runs a ready experiment; it has the same id. */
export function start(tx: Tx, { id }: Pick<ExperimentRow, 'id'>): Promise<void> {
  return tx.enqueue({ id, kind: experimentJob, payload: { experiment_id: id } })
}
