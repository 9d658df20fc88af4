import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

export const jobStatuses = ['queued', 'running', 'completed', 'failed', 'dead', 'cancelled'] as const
const Status = oneOf(...jobStatuses)
const Kind = Type.String({ minLength: 1, maxLength: 100 })

/** Whose jobs: those of the caller’s tenant, or the installation’s own, which operators see and change. */
const Scope = oneOf('tenant', 'platform')
export const OfJobScope = strictObject({ scope: Type.Optional(Scope) })

export const JobFilter = strictObject({
  scope: Type.Optional(Scope),
  id: Type.Optional(Uuid),
  status: Type.Optional(Status),
  kind: Type.Optional(Kind),
  view: Type.Optional(oneOf('queues')),
})
export type JobFilter = Static<typeof JobFilter>

export const Job = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  kind: Type.String(),
  status: Status,
  attempts: Type.Integer({ minimum: 0 }),
  max_attempts: nullable(Type.Integer({ minimum: 1 })),
  run_at: Timestamp,
  started_at: nullable(Timestamp),
  finished_at: nullable(Timestamp),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  last_error: nullable(
    strictObject({
      class: Type.String(),
      message: nullable(Type.String({ description: 'For operators of the installation; null for others.' })),
    }),
  ),
  payload_digest: Type.String({ description: 'SHA-256 of the canonical JSON of what the job was given.' }),
  result: Type.Unknown({ description: 'What the job had to say in the end; its form is that of its kind.' }),
  created_by: nullable(Uuid),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Job = Static<typeof Job>

export const ChangeJob = strictObject({
  cancel: Type.Optional(Type.Boolean()),
  run_at: Type.Optional(Timestamp),
})
export type ChangeJob = Static<typeof ChangeJob>

/** Of `meta.queues`. */
export interface Queue {
  readonly kind: string
  readonly depth: number
  readonly running: number
  readonly failed: number
  readonly dead: number
  readonly completed_last_hour: number
  readonly oldest_waiting_seconds: number | null
}
