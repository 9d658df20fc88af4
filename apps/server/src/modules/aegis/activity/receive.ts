/** Accepts an agent's batch: authorization, parsing, and time bounds of records. Tested in activity.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { ReceivedBytes } from '../../../kernel/module/route.ts'
import { inPlace } from '../../../kernel/threads/thread-task.ts'
import type { AgentRow } from '../agents/schema.ts'
import { agents } from '../agents/tables.ts'
import { errors } from '../errors/errors.ts'
import { ingest } from './ingest.ts'
import { readBatch } from './read-batch.ts'
import type { ActivityRecord, ReadBatch, RefusedBatch, Rejected } from './record/record.ts'
import { type ActivityAnswer, mostRejected } from './schema.ts'

export interface ActivityParts {
  readonly kernel: Kernel
  /** Whether a kill switch stops the agent, or the list of switches is too old to tell. */
  readonly isStopped: (actor: Actor, agent: { readonly tags: readonly string[] }) => boolean
}

/** Bytes above which a batch is read in a thread: below, the journey costs more. */
const threadFrom = 65_536
const oldestMs = 7 * 86_400_000
const newestMs = 5 * 60_000

/** @throws AEGIS-007, AEGIS-008, AEGIS-012 */
export async function receive(
  { kernel, isStopped }: ActivityParts,
  tx: Tx,
  { actor, received }: { readonly actor: Actor; readonly received: ReceivedBytes },
): Promise<ActivityAnswer> {
  // Before the first statement, so that no connection waits for a thread.
  const read = await readBytes(kernel, received)
  const agent = await activeAgent(tx, actor)
  if (isStopped(actor, agent)) throw errors.killed()
  if ('refused' in read) throw errors.unreadable({ what: read.refused })
  const { records, late } = inTime(read.records, kernel.clock.now())
  const { accepted, duplicates } = await ingest(kernel, tx, { agent, records })
  const rejected = [...read.rejected, ...late]
  await tx.audit('aegis.activity.create', {
    target: `agent:${agent.id}`,
    after: { accepted, duplicates, rejected: rejected.length },
  })
  return {
    ...{ accepted, duplicates, ignored: read.ignored },
    rejected: rejected.slice(0, mostRejected),
    rejected_total: rejected.length,
    ...(rejected.length === 0 ? {} : { partialSuccess: partial(rejected) }),
  }
}

async function activeAgent(tx: Tx, { agentId = '' }: Actor): Promise<AgentRow> {
  const agent = await agents.get(tx, agentId)
  if (agent === null) throw errors.agentNotActive({ status: 'not registered' })
  if (agent.status !== 'active') throw errors.agentNotActive({ status: agent.status })
  return agent
}

function readBytes(
  { threads }: Pick<Kernel, 'threads'>,
  { mediaType, content }: ReceivedBytes,
): Promise<ReadBatch | RefusedBatch> | ReadBatch | RefusedBatch {
  const input = { mediaType, content }
  return content.byteLength < threadFrom ? readBatch.run(input, inPlace) : threads.run(readBatch, input)
}

function inTime(records: readonly ActivityRecord[], nowMs: number) {
  const late: Rejected[] = []
  const kept: ActivityRecord[] = []
  for (const [index, record] of records.entries()) {
    const age = nowMs - Date.parse(record.time)
    const { event_id } = record
    if (age > oldestMs) late.push({ index, event_id, reason: 'The event is older than 7 days.' })
    else if (age < -newestMs) late.push({ index, event_id, reason: 'The event is more than 5 minutes in the future.' })
    else kept.push(record)
  }
  return { records: kept, late }
}

function partial(rejected: readonly Rejected[]): NonNullable<ActivityAnswer['partialSuccess']> {
  return { rejectedSpans: rejected.length, errorMessage: rejected[0]?.reason ?? '' }
}
