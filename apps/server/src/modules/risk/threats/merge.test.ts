import { describe, expect, test } from 'vitest'
import { merged, type Stored } from './merge.ts'

const read = (key: string, fields: object = {}) => ({
  key,
  fields: {
    source: 'attack' as const,
    external_id: key.toUpperCase(),
    type: 'attack-pattern' as const,
    name: key,
    ...fields,
  },
})
const library = (rows: readonly Stored[]) => new Map(rows.map((row) => [row.key, row]))

describe('an import', () => {
  test('creates what is new and changes nothing the second time', () => {
    const relations = [{ kind: 'mitigation', source: 'm', target: 't' } as const]
    const objects = [read('t'), { ...read('m'), fields: { ...read('m').fields, type: 'course-of-action' as const } }]
    const first = merged(objects, relations, new Map())
    expect(first).toMatchObject({ unchanged: 0, updated: [] })
    expect(first.created.find(({ key }) => key === 't')).toMatchObject({ mitigations: ['M'] })
    expect(merged(objects, relations, library(first.created))).toMatchObject({ created: [], updated: [], unchanged: 2 })
  })

  test('keeps the newer of two', () => {
    const { created } = merged([read('t', { modified_at: '2025-06-01T00:00:00.000Z' })], [], new Map())
    const older = merged([read('t', { name: 'old', modified_at: '2024-06-01T00:00:00.000Z' })], [], library(created))
    expect(older).toMatchObject({ updated: [], unchanged: 1, skipped: [{ pointer: '/content' }] })
    const newer = merged([read('t', { name: 'new', modified_at: '2026-06-01T00:00:00.000Z' })], [], library(created))
    expect(newer.updated).toMatchObject([{ name: 'new' }])
  })

  test('counts what is revoked, and names its successor', () => {
    const { created } = merged([read('a'), read('b')], [], new Map())
    const relations = [{ kind: 'successor', source: 'a', target: 'b' } as const]
    const after = merged([read('a', { revoked: true }), read('b')], relations, library(created))
    expect(after).toMatchObject({ revoked: 1, updated: [{ key: 'a', revoked_by: 'B' }] })
  })

  test('takes scores of EPSS for known vulnerabilities only', () => {
    const score = (key: string) => ({ key, fields: { epss: 0.5 }, onlyKnown: true })
    const { created } = merged([read('cve:1', { type: 'vulnerability' })], [], new Map())
    const after = merged([score('cve:1'), score('cve:2')], [], library(created))
    expect(after).toMatchObject({
      created: [],
      updated: [{ key: 'cve:1', epss: 0.5 }],
      skipped: [{ reason: expect.stringMatching(/^1 /) }],
    })
  })

  test('decides by SSVC, and a listing in KEV is active exploitation', () => {
    const points = { automatable: 'yes', technical_impact: 'total', mission: 'high' } as const
    const { created } = merged([{ ...read('cve:1'), points }], [], new Map())
    expect(created[0]?.ssvc).toMatchObject({ exploitation: 'none', decision: 'attend' })
    const kev = { date_added: '2026-01-01', due_date: null, ransomware: false }
    const after = merged([{ key: 'cve:1', fields: { kev } }], [], library(created))
    expect(after.updated[0]?.ssvc).toMatchObject({ exploitation: 'active', decision: 'act' })
  })
})
