/**
 * Progress of jobs, sent to listeners on the stream: live, so that the newest message counts and none is kept in the
 * log. Promises a message for each stored step, within a second on every instance, to readers of the module that owns the
 * job. Tested in progress.test.ts.
 */
import Type from 'typebox'
import type { TenantId } from '../access/actor.ts'
import { type ModuleName, moduleNames } from '../access/permissions.ts'
import type { Tx } from '../db/port.ts'
import { defineEvent } from '../events/catalogue/catalogue.ts'
import type { LoggedEvent } from '../events/catalogue/logged-event.ts'
import { type ClaimedJob, reportProgress } from './queue.ts'

export const jobProgress = defineEvent({
  channel: 'job.progress',
  type: 'Progress',
  summary:
    'How far a running job is, at least once a second while it tells; only of jobs whose module the receiver may read. Not kept: there is nothing to resume.',
  schema: Type.Object({
    job_id: Type.String({ format: 'uuid' }),
    kind: Type.String(),
    key: Type.Union([Type.String(), Type.Null()], {
      description: 'By which the module finds what the job works on, for instance the id of a simulation',
    }),
    progress: Type.Number({ minimum: 0, maximum: 1 }),
  }),
  conflatable: true,
  live: true,
  readers: moduleNames,
})

/** Topic of the change feed. */
export const progressTopic = 'job.progress'

/** Stores a step and tells of it, unless the job is no longer this worker's. */
export async function storeProgress(
  tx: Pick<Tx, 'execute' | 'announce'>,
  owner: string,
  step: { readonly job: ClaimedJob; readonly fraction: number },
): Promise<void> {
  if ((await reportProgress(tx, owner, step)) > 0) await announceProgress(tx, step)
}

/** Tells of a step that is stored in the same transaction. */
export async function announceProgress(
  tx: Pick<Tx, 'announce'>,
  { job: { id, kind, key }, fraction }: { readonly job: ClaimedJob; readonly fraction: number },
): Promise<void> {
  await tx.announce(progressTopic, id, { kind, key, progress: Math.min(1, Math.max(0, fraction)) })
}

interface Told {
  readonly jobId: string
  readonly tenantId: TenantId
  readonly data: Readonly<Record<string, unknown>>
}

/** The message as receivers get it. */
export function progressEvent(
  { jobId, tenantId, data }: Told,
  made: { readonly id: string; readonly time: string },
): LoggedEvent {
  const { kind, key, progress } = data
  return {
    ...{ ...made, tenantId, channel: jobProgress.channel, type: jobProgress.type, subject: jobId },
    ...{ position: 0, sequence: 0, traceparent: null, causationDepth: 0 },
    data: { job_id: jobId, kind, key: key ?? null, progress, tenant_id: tenantId },
  }
}

/** The module whose readers see a job of this kind; null for an unknown kind. */
export function moduleOfKind(kind: unknown): ModuleName | null {
  const owner = String(kind).split('.', 1)[0]?.replaceAll('_', '-')
  return moduleNames.find((name) => name === owner) ?? null
}
