/**
 * Tables of the job queue. A job row is added by the transaction that wants the work done and claimed with a lease;
 * `job_schedule` remembers which period of a repeating job was already handed out. Tested in worker.test.ts.
 */
import { Type } from 'typebox'
import { table } from '../db/table.ts'

const uuid = Type.String({ format: 'uuid' })
const instant = Type.String({ format: 'date-time' })
const maybe = <const S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])

export const job = table({
  name: 'job',
  row: Type.Object({
    tenant_id: uuid,
    id: uuid,
    kind: Type.String(),
    key: maybe(Type.String()),
    payload: Type.Record(Type.String(), Type.Unknown(), { jsonb: true }),
    status: Type.Union([
      Type.Literal('waiting'),
      Type.Literal('running'),
      Type.Literal('done'),
      Type.Literal('dead'),
      Type.Literal('replaced'),
      Type.Literal('cancelled'),
    ]),
    run_at: instant,
    lease_until: maybe(instant),
    lease_owner: maybe(Type.String()),
    attempts: Type.Integer({ minimum: 0 }),
    progress: Type.Number({ minimum: 0, maximum: 1 }),
    error: maybe(Type.String()),
    created_at: instant,
    finished_at: maybe(instant),
    /** The user who asked for it; null for jobs of the program itself. */
    created_by: maybe(uuid),
    /** Of the latest attempt. */
    started_at: maybe(instant),
    /** Result of the job. */
    result: maybe(Type.Unknown({ jsonb: true })),
  }),
  sorts: ['created_at'],
  system: true,
  data: { category: 'operation', subject: ['created_by'], retention: 'P30D', erasure: 'keep_pseudonymous' },
})

export const jobSchedule = table({
  name: 'job_schedule',
  outlivesRestore: true,
  row: Type.Object({ kind: Type.String(), period: Type.Integer() }),
  scope: 'platform',
  key: ['kind'],
  data: { category: 'operation', subject: [], retention: 'tenant', erasure: 'none' },
})

export const jobTables = [job, jobSchedule] as const
