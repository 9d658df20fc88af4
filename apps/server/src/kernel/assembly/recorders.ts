import { auditInserts, auditRow } from '../audit/record.ts'
import type { Digest } from '../audit/redact.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../crypto/random.ts'
import type { Recorders } from '../db/recorders.ts'
import { together } from '../db/sql.ts'
import { outboxInserts, outboxRow } from '../events/outbox.ts'
import { cancelledTopic, jobCancel, jobInsert } from '../jobs/queue.ts'
import { type Change, changeInsert, makeChange } from '../live/feed.ts'

export interface RecorderParts {
  readonly clock: Pick<Clock, 'now' | 'iso'>
  readonly random: Pick<Random, 'uuid' | 'bytes'>
  readonly digest: Digest
  /** Validates event payloads; on outside production. */
  readonly check: boolean
  /** Called after a commit; the readers do not exist yet when the database is made, hence one late-bound object. */
  readonly committed: { event(): void; job(runAt: number): void; audit(): void; change(change: Change): void }
}

/** Makes the statements behind `tx.audit`, `tx.emit`, `tx.enqueue`, `tx.cancel` and `tx.announce`. */
export function createRecorders(parts: RecorderParts): Recorders {
  const { committed } = parts
  const change: Recorders['change'] = (tx, topic, key, data = {}) => {
    const made = makeChange(parts.random, tx, { topic, key, data })
    tx.afterCommit(() => committed.change(made))
    return changeInsert(made)
  }
  return {
    audit: (tx, action, entries) => {
      tx.afterCommit(() => committed.audit())
      return together([auditInserts(entries.map((fields) => auditRow(parts, tx, { action, fields })))])
    },
    event: (tx, definition, happened) => {
      tx.afterCommit(() => committed.event())
      return together([
        outboxInserts(happened.map(({ subject, data }) => outboxRow(parts, tx, { definition, subject, data }))),
      ])
    },
    job: (tx, request) => {
      tx.afterCommit(() => committed.job(request.runAt ?? parts.clock.now()))
      return jobInsert(parts, tx, request)
    },
    cancel: (tx, jobId) => jobCancel(parts, tx, jobId),
    cancelled: (tx, jobId) => change(tx, cancelledTopic, jobId),
    change,
  }
}
