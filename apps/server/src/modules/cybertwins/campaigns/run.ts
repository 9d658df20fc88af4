/** Runs campaigns in the background, and ends them. Tested in campaigns.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import type { CancelledJob, DeadJob, Notice } from '../../../kernel/notices/notices.ts'
import type { CampaignResult, CampaignRow } from '../declared/campaign-schema.ts'
import { campaignCompleted } from '../declared/events.ts'
import { campaigns } from '../declared/tables.ts'
import { errors } from '../errors/errors.ts'
import type { TwinServices } from '../services/twin-services.ts'
import { campaignJob } from './create.ts'
import { runCampaign } from './task.ts'

export const campaignRuns: JobDeclaration<TwinServices> = {
  kind: campaignJob,
  lane: 'long',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: null,
  mostAtOnce: 1,
  run: (context) => run(context),
}

type Clock = Pick<Kernel, 'clock'>

async function run(context: JobContext<TwinServices>): Promise<void> {
  const { kernel, payload } = context
  const row = await context.transaction((tx) => begin(kernel, tx, String(payload.campaign_id)))
  if (row === null) return
  const { inputs, runs, seed } = row
  const result = await context.thread(runCampaign, { inputs, runs, seed })
  if (result === null) return
  await context.complete(async (tx) => {
    const held = await unfinished(tx, row.id)
    if (held !== null) await end(kernel, tx, held, { status: 'completed', result })
  })
}

async function begin({ clock }: Clock, tx: Tx, id: string): Promise<CampaignRow | null> {
  const row = await unfinished(tx, id)
  if (row === null) return null
  const now = clock.iso()
  await campaigns.patch(tx, id, { status: 'running', started_at: now, updated_at: now })
  return row
}

/** The campaign, locked; null where it has ended. */
function unfinished(tx: Tx, id: string): Promise<CampaignRow | null> {
  return tx.first(sql<CampaignRow>`
    select ${campaigns.columns} from cybertwins_campaign
    where id = ${id} and status in ('queued', 'running') for update`)
}

interface Ending {
  readonly status: 'completed' | 'cancelled' | 'failed'
  readonly result: CampaignResult | null
}

async function end({ clock }: Clock, tx: Tx, row: CampaignRow, { status, result }: Ending): Promise<CampaignRow> {
  const now = clock.iso()
  const failure = status === 'failed' ? 'The campaign failed; an administrator finds the reason in the log.' : null
  const changes = { status, result, failure, finished_at: now, updated_at: now }
  await campaigns.patch(tx, row.id, changes)
  if (status !== 'completed')
    await tx.audit('cybertwins.campaign.create', {
      target: `cybertwins_campaign:${row.id}`,
      before: { status: row.status },
      after: { status },
    })
  await tx.emit(campaignCompleted, row.id, {
    ...{ campaign_id: row.id, status, p_goal: result?.p_goal ?? null, ttc_p50_hours: result?.ttc?.p50 ?? null },
    p_detected: result?.p_detected ?? null,
    duration_ms: Math.max(0, Date.parse(now) - Date.parse(row.started_at ?? now)),
  })
  return { ...row, ...changes }
}

/** @throws TWIN-006, TWIN-012 */
export async function cancelCampaign(kernel: Clock, tx: Tx, id: string): Promise<CampaignRow> {
  const row = await campaigns.get(tx, id)
  if (row === null)
    throw errors
      .unknownReference({ what: 'campaign' })
      .at([{ detail: 'There is no such campaign.', pointer: '/cancel' }])
  const held = await unfinished(tx, id)
  if (held === null) throw errors.alreadyFinished({ status: row.status })
  await tx.cancel(id)
  return end(kernel, tx, held, { status: 'cancelled', result: null })
}

/** A campaign whose job an administrator cancelled is cancelled in the same transaction. */
export const cancelCampaignWithJob =
  (kernel: Clock): Notice<CancelledJob> =>
  (tx, job) =>
    endWithJob(kernel, tx, job, 'cancelled')

/** A campaign whose job failed for the last time has failed. */
export const failCampaignWithJob =
  (kernel: Clock): Notice<DeadJob> =>
  (tx, job) =>
    endWithJob(kernel, tx, job, 'failed')

async function endWithJob(
  kernel: Clock,
  tx: Tx,
  { kind, payload }: CancelledJob,
  status: 'cancelled' | 'failed',
): Promise<void> {
  if (kind !== campaignJob) return
  const row = await unfinished(tx, String(payload.campaign_id))
  if (row !== null) await end(kernel, tx, row, { status, result: null })
}
