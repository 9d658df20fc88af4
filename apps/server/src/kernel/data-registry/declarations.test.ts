import { Type } from 'typebox'
import { expect, test } from 'vitest'
import type { DataDeclaration } from '../db/data-declaration.ts'
import { table } from '../db/table.ts'
import { nullable, Uuid } from '../schema/types.ts'
import { formOf, registeredData } from './declarations.ts'
import { daysOf } from './durations.ts'

const declared = (data: Partial<DataDeclaration>) =>
  table({
    name: 'desk_note',
    row: Type.Object({
      ...{ tenant_id: Uuid, id: Uuid, owner_id: nullable(Uuid), readers: Type.Array(Uuid), login: Type.String() },
      ...{ sealed: nullable(Type.Unsafe<Uint8Array>({ description: 'AES-256-GCM' })), created_at: Type.String() },
    }),
    data: { category: 'note', subject: ['owner_id', 'readers'], retention: 'P90D', erasure: 'delete', ...data },
  })

test('a declaration is completed from its table', () => {
  const aliases = [{ column: 'login', kind: 'user_name' }] as const
  expect(registeredData(declared({ aliases }))).toEqual({
    ...{ table: 'desk_note', scope: 'tenant', category: 'note', owner: 'owner_id', others: ['readers'], aliases },
    ...{ basis: 'legitimate_interest', retention: 'P90D', minimum: null, erasure: 'delete', isCopy: false },
    ...{ time: 'created_at', blobs: [], binary: ['sealed'], caches: [] },
  })
  expect(registeredData(declared({ subject: [] })).basis).toBeNull()
})

test('the form of a column of user ids is read from its schema', () => {
  const notes = declared({})
  expect(['owner_id', 'readers', 'login'].map((column) => formOf(notes, column))).toEqual(['uuid', 'uuids', 'text'])
})

test.each<[string, Partial<DataDeclaration>, string]>([
  ['names a column that there is not', { subject: ['author'] }, 'names the column author'],
  ['has an alias in a column that there is not', { aliases: [{ column: 'mail', kind: 'email' }] }, 'the column mail'],
  ['names a column twice', { subject: ['owner_id', 'owner_id'] }, 'twice'],
  ['has no category', { category: '' }, 'no category'],
  ['has a retention that is no duration', { retention: '90 days' }, 'Not a duration'],
  ['has a minimum that is no duration', { minimum: 'P' }, 'Not a duration'],
  ['keeps longer than it keeps', { minimum: 'P1Y' }, 'at least for P1Y'],
])('a declaration that %s stops the start', (_what, data, sentence) => {
  expect(() => registeredData(declared(data))).toThrow(sentence)
})

test.each([
  ['P1Y', 365],
  ['P6M', 180],
  ['P2W', 14],
  ['P1DT12H', 1.5],
  ['PT30M', 1 / 48],
])('%s has %d days', (duration, days) => {
  expect(daysOf(duration)).toBeCloseTo(days, 10)
})
