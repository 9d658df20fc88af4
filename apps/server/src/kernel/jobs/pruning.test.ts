import { expect, test } from 'vitest'
import { table } from '../db/table.ts'
import { strictObject, Timestamp, Uuid } from '../schema/types.ts'
import { pruning } from './pruning.ts'

const row = strictObject({ id: Uuid, tenant_id: Uuid, ended_at: Timestamp })
const data = { category: 'test', subject: [], retention: 'P1D', erasure: 'none' } as const
const things = table({ name: 'test_thing', row, dueBy: ['ended_at'], data })

test('asks for tenants with rows past their time, and for a column that the schedule may read', () => {
  const job = pruning({ kind: 'test.upkeep', table: things, column: 'ended_at', keptDays: 2 })
  const ago = (ms: number) => new Date(10 * 86_400_000 - ms).toISOString()
  const asked = job.due?.({ now: ago(0), ago })
  expect(asked?.text).toContain('from test_thing held')
  expect(asked?.values).toEqual(['1970-01-09T00:00:00.000Z'])
  expect(() => pruning({ kind: 'test.upkeep', table: things, column: 'id', keptDays: 2 })).toThrow('dueBy')
})
