/** Reasons for which an experiment is not made. Tested in refusals.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { requireTiming } from '../../../kernel/schedules/timetable.ts'
import { protectedTarget } from '../chaos/protected.ts'
import { isLike } from '../chaos/rules.ts'
import type { ExperimentRow, NewExperiment } from '../declared/experiment-schema.ts'
import type { FaultBody, Probe, ScenarioRow } from '../declared/scenario-schema.ts'
import { scenarios } from '../declared/scenario-tables.ts'
import { errors } from '../errors/errors.ts'
import { probeFaults } from '../scenarios/check-scenario.ts'
import type { ResilienceServices } from '../services/resilience-services.ts'
import { blackoutOf } from './blackout.ts'
import { leverState } from './lever.ts'
import { recentCalls } from './probes.ts'
import { timingOf, timingPointers } from './schedule.ts'
import { offlineProvider } from './synthetic.ts'

/** @throws RES-005, RES-010, RES-011 */
export async function scenarioOf(
  tx: Tx,
  { scenario_id: id }: NewExperiment,
  needsApproval: boolean,
): Promise<ScenarioRow> {
  const scenario = await scenarios.get(tx, id)
  const refuse = (detail: string) =>
    errors.unknownReference({ what: 'scenario' }).at([{ detail, pointer: '/scenario_id' }])
  if (scenario === null) throw refuse('There is no such scenario.')
  if (scenario.faults.length === 0)
    throw errors
      .blastRadius({ what: 'The scenario has no faults that can be injected. Add some to its `faults`.' })
      .at([{ detail: 'The scenario has no faults.', pointer: '/scenario_id' }])
  if (needsApproval && scenario.status !== 'approved')
    throw errors.blocked({ what: `The scenario is ${scenario.status}. Have it approved first.` })
  return scenario
}

/** Asked again here: the list of protected targets may have grown since the scenario was stored. @throws RES-009 */
export function refuseProtected(faults: readonly FaultBody[]): void {
  for (const { seam, targets = [] } of faults) {
    const target = targets.find((each) => protectedTarget(seam, each))
    if (target !== undefined) throw errors.protectedTarget({ target })
  }
}

/** @throws RES-003 */
export function refuseGuards({ guards = [] }: NewExperiment): void {
  const wrong = guards.flatMap((guard, i) => probeFaults(guard, `/guards/${i}`))
  if (wrong.length > 0)
    throw errors
      .scenarioInvalid({ what: wrong[0]?.detail ?? 'A guard is not valid.' })
      .at(wrong.map(({ pointer, detail }) => ({ pointer, detail })))
}

/** Probes run as the system, so the author must be allowed to read their facts. @throws AUTH-004, RES-005 */
export function refuseUnreadable({ facts }: ResilienceServices, actor: Actor, probes: readonly Probe[]): void {
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
export function refuseUnknownServices({ services = [] }: NewExperiment, known: readonly string[]): void {
  const wrong = services.flatMap((key, i) =>
    known.includes(key) ? [] : [{ detail: `The model has no service ${key}.`, pointer: `/services/${i}` }],
  )
  if (wrong.length > 0) throw errors.unknownReference({ what: 'service' }).at(wrong)
}

/** While a safety lever is engaged or a blackout window meets the time of the experiment. @throws RES-010 */
export async function refuseStopped(
  kernel: Pick<Kernel, 'settings' | 'clock'>,
  tx: Tx,
  { seconds, platformStopped }: { readonly seconds: number; readonly platformStopped: boolean },
): Promise<void> {
  const lever = await leverState(tx, platformStopped)
  if (lever.tenant || lever.platform)
    throw errors.blocked({ what: `The safety lever of the ${lever.platform ? 'platform' : 'tenant'} is engaged.` })
  const window = blackoutOf(kernel, tx.tenantId, seconds)
  if (window !== null)
    throw errors.blocked({ what: `The blackout window "${window.name}" meets the time of the experiment.` })
}

/** Beside another experiment on the same target. @throws RES-010 */
export async function refuseOverlap(tx: Tx, faults: readonly FaultBody[]): Promise<void> {
  await tx.lock('resilience.experiments', tx.tenantId)
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

/** Calls of its own take an offline provider, the right to ask it, and faults of model calls. @throws AUTH-004, RES-010, RES-011 */
export async function refuseNoTraffic(
  parts: Pick<ResilienceServices, 'facts'>,
  tx: Tx,
  { actor, faults }: { readonly actor: Actor; readonly faults: readonly FaultBody[] },
): Promise<void> {
  if (!holds(actor.permissions, 'gateway:write')) throw authErrors.forbidden({ permission: 'gateway:write' })
  const other = faults.find(({ seam }) => seam !== 'upstream')
  if (other !== undefined)
    throw errors
      .blastRadius({ what: `Synthetic calls meet faults of the seam upstream; the scenario has one of ${other.seam}.` })
      .at([{ detail: 'Use a scenario with faults of the seam upstream.', pointer: '/scenario_id' }])
  if ((await offlineProvider(parts, tx)) === null)
    throw errors.blocked({ what: 'The tenant has no enabled offline provider. Register one of kind echo.' })
}

/** A timetable belongs to the mode scheduled, and to no other. @throws API-001, API-030, API-031 */
export function refuseTimetable({ mode, schedule }: NewExperiment): void {
  if (mode === 'scheduled' && schedule !== undefined) {
    requireTiming(timingOf(schedule), timingPointers)
    return
  }
  if (mode !== 'scheduled' && schedule === undefined) return
  const detail =
    mode === 'scheduled' ? 'The mode scheduled takes a schedule.' : `The mode ${mode} takes no schedule; leave it out.`
  throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/schedule' }])
}
