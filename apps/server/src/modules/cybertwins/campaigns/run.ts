/** Runs campaigns in the background, and ends them. Tested in campaigns.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import type { CampaignResult, CampaignRow } from '../declared/campaign-schema.ts'
import { campaignCompleted } from '../declared/events.ts'
import { campaigns } from '../declared/tables.ts'
import { beginRun, type Clock, endRunWithJob, failureOf, type RunKind } from '../runs/run-kind.ts'
import type { TwinServices } from '../services/twin-services.ts'
import { campaignJob } from './create.ts'
import { runCampaign } from './task.ts'

export const campaignRun: RunKind<CampaignRow> = {
  ...{ noun: 'campaign', job: campaignJob, idMember: 'campaign_id' },
  ...{ get: campaigns.get, patch: campaigns.patch },
  unfinished: (tx, id) =>
    tx.first(sql<CampaignRow>`
      select ${campaigns.columns} from cybertwins_campaign
      where id = ${id} and status in ('queued', 'running') for update`),
  end: (kernel, tx, ending) => end(kernel, tx, { ...ending, result: null }),
}

export const cancelCampaignWithJob = endRunWithJob(campaignRun, 'cancelled')
export const failCampaignWithJob = endRunWithJob(campaignRun, 'failed')

export const campaignRuns: JobDeclaration<TwinServices> = {
  kind: campaignJob,
  lane: 'long',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: null,
  mostAtOnce: 1,
  run: (context) => run(context),
}

async function run(context: JobContext<TwinServices>): Promise<void> {
  const { kernel, payload } = context
  const row = await context.transaction((tx) => beginRun(campaignRun, kernel, tx, String(payload.campaign_id)))
  if (row === null) return
  const { inputs, runs, seed } = row
  const result = await context.thread(runCampaign, { inputs, runs, seed })
  if (result === null) return
  await context.complete(async (tx) => {
    const held = await campaignRun.unfinished(tx, row.id)
    if (held !== null) await end(kernel, tx, { row: held, status: 'completed', result })
  })
}

interface Ending {
  readonly row: CampaignRow
  readonly status: 'completed' | 'cancelled' | 'failed'
  readonly result: CampaignResult | null
}

async function end({ clock }: Clock, tx: Tx, { row, status, result }: Ending): Promise<CampaignRow> {
  const now = clock.iso()
  const failure = status === 'failed' ? failureOf('campaign') : null
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
