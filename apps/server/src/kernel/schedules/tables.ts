/**
 * Work for later: `schedule` has a row for each repeating wish of a module, `schedule_wait` one for each wait for
 * an event or a time. A row goes, or moves on, in the transaction that adds its job. Tested in schedules.test.ts and
 * waits.test.ts.
 */
import { Type } from 'typebox'
import { table } from '../db/table.ts'
import { nullable } from '../schema/types.ts'

const uuid = Type.String({ format: 'uuid' })
const instant = Type.String({ format: 'date-time' })
const object = Type.Record(Type.String(), Type.Unknown(), { jsonb: true })
const data = { category: 'operation', subject: [], retention: 'tenant', erasure: 'none' } as const

export const schedule = table({
  name: 'schedule',
  row: Type.Object({
    tenant_id: uuid,
    owner: Type.String(),
    key: Type.String(),
    kind: Type.String(),
    payload: object,
    /** With its time zone, or null where the schedule has a period. */
    cron: nullable(Type.String()),
    time_zone: nullable(Type.String()),
    every_ms: nullable(Type.Integer({ minimum: 1 })),
    missed_runs: Type.Union([Type.Literal('skip'), Type.Literal('run_once'), Type.Literal('run_all')]),
    most_runs: Type.Integer({ minimum: 1 }),
    enabled: Type.Boolean(),
    /** Null for one that is never due again. */
    next_at: nullable(instant),
    fired_at: nullable(instant),
    /** Why it was switched off by the program. */
    fault: nullable(Type.String()),
    created_at: instant,
    updated_at: instant,
  }),
  system: true,
  key: ['owner', 'key'],
  data,
})

export const scheduleWait = table({
  name: 'schedule_wait',
  row: Type.Object({
    tenant_id: uuid,
    owner: Type.String(),
    key: Type.String(),
    kind: Type.String(),
    payload: object,
    /** Null for a wait for a time alone. */
    channel: nullable(Type.String()),
    subject: nullable(Type.String()),
    /** Members that the event's data has. */
    matching: object,
    /** Events up to here were there before it. */
    after_position: Type.Integer({ minimum: 0 }),
    until_at: nullable(instant),
    created_at: instant,
  }),
  system: true,
  key: ['owner', 'key'],
  data,
})

export const scheduleTables = [schedule, scheduleWait] as const
