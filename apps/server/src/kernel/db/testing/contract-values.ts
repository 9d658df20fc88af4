import { describe, expect, test } from 'vitest'
import { DatabaseError } from '../errors.ts'
import { json, sql } from '../sql.ts'
import { type ContractWorld, newTenant } from './contract-world.ts'

/** One SQL value each: its text in a statement, and the JavaScript value that must come back. */
const literals: readonly (readonly [expression: string, value: unknown])[] = [
  ["'text'", 'text'],
  ["''", ''],
  ["'Zürich 😀'", 'Zürich 😀'],
  ['null::text', null],
  ['42::int4', 42],
  ['7::int2', 7],
  ['9007199254740991::int8', Number.MAX_SAFE_INTEGER],
  ['-1::int8', -1],
  ['1.50::numeric', '1.50'],
  ['123456789012345678901234567890.123456789::numeric', '123456789012345678901234567890.123456789'],
  ['0.1::float8', 0.1],
  ['0.5::float4', 0.5],
  ["'NaN'::float8", Number.NaN],
  ['true', true],
  ['false', false],
  ["'019a9b5e-0000-7000-8000-000000000001'::uuid", '019a9b5e-0000-7000-8000-000000000001'],
  ["'2026-11-20T19:13:55.123Z'::timestamptz(3)", '2026-11-20T19:13:55.123Z'],
  ["'2026-11-20T19:13:55.100Z'::timestamptz(3)", '2026-11-20T19:13:55.100Z'],
  ["'2026-11-20T19:13:55Z'::timestamptz(3)", '2026-11-20T19:13:55.000Z'],
  ["'2026-07-01T02:00:00+02:00'::timestamptz", '2026-07-01T00:00:00.000Z'],
  ["'0001-01-01T00:00:00Z'::timestamptz(3)", '0001-01-01T00:00:00.000Z'],
  ["'2026-11-20T19:13:55.123999Z'::timestamptz", '2026-11-20T19:13:55.123Z'],
  ["'infinity'::timestamptz", 'infinity'],
  ["'2026-11-20'::date", '2026-11-20'],
  [`'{"a": [1, null, "x"]}'::jsonb`, { a: [1, null, 'x'] }],
  ["'3'::jsonb", 3],
  ["'null'::jsonb", null],
  ["'\\x00ff10'::bytea", Buffer.from([0, 255, 16])],
  ["array['a', null, 'b \"c\\ {},', '', 'NULL']", ['a', null, 'b "c\\ {},', '', 'NULL']],
  ["'{}'::text[]", []],
  [
    'array[[1, 2], [3, 4]]',
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ["array['019a9b5e-0000-7000-8000-000000000001']::uuid[]", ['019a9b5e-0000-7000-8000-000000000001']],
  ['array[1, 2]::int8[]', [1, 2]],
  ['array[true, false]', [true, false]],
  ["array['2026-11-20T19:13:55.1Z']::timestamptz(3)[]", ['2026-11-20T19:13:55.100Z']],
  [`array['{"a":1}']::jsonb[]`, [{ a: 1 }]],
  ["'[0:1]={1,2}'::int4[]", [1, 2]],
]

/** A parameter and its type; it must come back as it went. */
const parameters: readonly (readonly [type: string, value: unknown])[] = [
  ['text', `'; drop table x; -- "\\`],
  ['int4', 42],
  ['float8', 0.1],
  ['bool', false],
  ['text[]', ['a', null, '"\\{},', '', 'NULL']],
  ['uuid[]', []],
  [
    'int4[]',
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ['bytea', Buffer.from([0, 1, 255])],
  ['bytea[]', [Buffer.from([0, 255])]],
  ['jsonb', { nested: { list: [1, 'two', null] } }],
  ['timestamptz(3)', '2026-11-20T19:13:55.120Z'],
]

export function valueContract(world: () => ContractWorld): void {
  describe('values', () => {
    test.each(literals)('%s has its JavaScript value', async (expression, value) => {
      const statement = { text: `select ${expression} as value`, name: '', values: [] }
      const [row] = await world().db.read(newTenant(), statement)
      expect(row).toEqual({ value })
    })

    test.each(parameters)('a %s parameter comes back as it went: %j', async (type, value) => {
      const statement = { text: `select $1::${type} as value`, name: '', values: [value] }
      const [row] = await world().db.read(newTenant(), statement)
      expect(row).toEqual({ value })
    })

    test('jsonb takes arrays through json()', async () => {
      const [row] = await world().db.read(newTenant(), sql`select ${json([1, { a: null }])}::jsonb as value`)
      expect(row).toEqual({ value: [1, { a: null }] })
    })

    test('a bigint beyond 2^53 is refused rather than rounded', async () => {
      const reading = world().db.read(newTenant(), sql`select 9007199254740993::int8 as value`)
      await expect(reading).rejects.toThrow(/does not fit/)
    })

    test('a value that cannot be sent leaves nothing behind', async () => {
      const tenant = newTenant()
      const writing = world().db.tenant({ tenantId: tenant }, (tx) =>
        Promise.all([tx.audit('half', { target: 'x:1' }), tx.query(sql`select ${undefined}`)]),
      )
      await expect(writing).rejects.toThrow(TypeError)
      expect(await world().db.read(tenant, sql`select from contract_record`)).toEqual([])
    })

    test('a refused statement carries its SQLSTATE, constraint and text', async () => {
      const error = await world()
        .db.tenant({ tenantId: newTenant() }, (tx) =>
          tx.execute(sql`insert into contract_counter (id, value) values (gen_random_uuid(), ${-1})`),
        )
        .catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(DatabaseError)
      expect(error).toMatchObject({ code: '23514', constraint: 'contract_counter_positive', table: 'contract_counter' })
    })

    test('rows touched are counted, and several results keep their order', async () => {
      await world().db.tenant({ tenantId: newTenant() }, async (tx) => {
        const insert = sql`insert into contract_counter (id, value) select gen_random_uuid(), g from generate_series(1, 3) g`
        const [inserted, found, updated] = await Promise.all([
          tx.execute(insert),
          tx.query(sql<{ value: number }>`select value from contract_counter order by value`),
          tx.execute(sql`update contract_counter set value = value + 1 where value > 1`),
        ])
        expect([inserted, found.map(({ value }) => value), updated]).toEqual([3, [1, 2, 3], 2])
      })
    })
  })
}
