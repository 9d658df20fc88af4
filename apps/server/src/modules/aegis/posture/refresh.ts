/**
 * Keeps the posture: calculates it after events that may have changed it, stores a point for each change and tells of it.
 * Promises at most one point a minute, except after a kill switch or a critical alert, which count at once. Tested in
 * posture.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { LoggedEvent } from '../../../kernel/events/catalogue/logged-event.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { EventHandlerDeclaration, JobDeclaration } from '../../../kernel/module/module.ts'
import { postureUpdated } from './events.ts'
import { type PostureScore, postureScore } from './posture-score.ts'
import { type PostureDirectory, readInputs } from './read-inputs.ts'
import type { Component, ComponentName, PostureRow } from './schema.ts'
import { postures } from './tables.ts'

const jobKind = 'aegis.posture.refresh'
const spacingMs = 60_000
const hourMs = 3_600_000
const wholeDays = 7
const dayMs = 86_400_000

export interface PostureParts {
  readonly kernel: Pick<Kernel, 'clock' | 'random'>
  readonly directory: PostureDirectory
}

interface Services {
  readonly posture: PostureParts
}

const urgentChannels = ['aegis.kill_switch.activated', 'aegis.kill_switch.deactivated']

/** After a kill switch or a critical alert at once, after everything else when the minute is over. */
export const postureTriggers: EventHandlerDeclaration<Services> = {
  name: jobKind,
  channels: [
    ...urgentChannels,
    ...['aegis.alert.created', 'aegis.alert.updated', 'aegis.agent.status_changed'],
    ...['aegis.guardrail.rolled_out', 'aegis.mcp_tool.changed'],
    'aegis.shadow_ai_ingestion.completed',
  ],
  handle: async ({ tx, events, services: { posture } }) => {
    if (events.some(isUrgent)) await refreshPosture(posture, tx)
    else await requestRefresh(posture.kernel, tx)
  },
}

const isUrgent = ({ channel, data }: LoggedEvent): boolean =>
  urgentChannels.includes(channel) || (channel === 'aegis.alert.created' && data.severity === 'critical')

/** Asks for a calculation as soon as the last point is a minute old. */
export async function requestRefresh({ clock }: Pick<Kernel, 'clock'>, tx: Tx): Promise<void> {
  const last = await lastPoint(tx)
  const runAt = last === null ? clock.now() : Math.max(clock.now(), Date.parse(last.created_at) + spacingMs)
  await tx.enqueue({ kind: jobKind, payload: {}, key: 'posture', runAt })
}

/** Once an hour for changes by the passing of time, and on request. */
export const postureJob: JobDeclaration<Services> = {
  kind: jobKind,
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: hourMs,
  due: ({ ago }) => sql`(
    exists (select from aegis_posture point where point.tenant_id = tenant.id)
    and not exists (select from aegis_posture point
      where point.tenant_id = tenant.id and point.created_at > ${ago(hourMs)}))`,
  run: async ({ tenantId, kernel, services: { posture } }) => {
    await kernel.db.tenant({ tenantId }, async (tx) => {
      await refreshPosture(posture, tx)
      await thin(kernel, tx)
    })
  },
}

/** Calculates the posture, and stores and tells it where it changed. */
export async function refreshPosture({ kernel: { clock, random }, directory }: PostureParts, tx: Tx): Promise<void> {
  await tx.lock('aegis.posture', tx.tenantId)
  const last = await lastPoint(tx)
  const measured = postureScore(await readInputs(directory, tx, clock.now()))
  if (last !== null && isSame(last, measured)) return
  const row: PostureRow = {
    ...{ id: random.uuid(), tenant_id: tx.tenantId, created_at: clock.iso() },
    ...{ previous: last?.score ?? null, ...measured },
  }
  await postures.insert(tx, row)
  const { score, previous, confidence, caps, components } = row
  await tx.emit(postureUpdated, tx.tenantId, { score, previous, confidence, caps, components: valuesOf(components) })
}

function valuesOf(components: readonly Component[]): Record<ComponentName, number> {
  const of = (name: ComponentName): number => components.find((component) => component.name === name)?.value ?? 0
  return {
    agent_governance: of('agent_governance'),
    guardrail_coverage: of('guardrail_coverage'),
    mcp_hygiene: of('mcp_hygiene'),
    detection_response: of('detection_response'),
    threat_load: of('threat_load'),
    shadow_ai: of('shadow_ai'),
  }
}

export const lastPoint = (tx: Tx): Promise<PostureRow | null> =>
  tx.first(sql<PostureRow>`select ${postures.columns} from aegis_posture order by created_at desc, id desc limit 1`)

const isSame = (last: PostureRow, now: PostureScore): boolean =>
  last.score === now.score &&
  last.confidence === now.confidence &&
  last.caps.map(({ reason }) => reason).join() === now.caps.map(({ reason }) => reason).join()

/** The newest point of each hour stays. */
async function thin({ clock }: Pick<Kernel, 'clock'>, tx: Tx): Promise<void> {
  const before = new Date(clock.now() - wholeDays * dayMs).toISOString()
  await tx.execute(sql`
    delete from aegis_posture point where point.created_at < ${before} and exists (
      select from aegis_posture newer
      where newer.created_at < ${before} and date_trunc('hour', newer.created_at) = date_trunc('hour', point.created_at)
        and (newer.created_at, newer.id) > (point.created_at, point.id))`)
}
