import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { genesis, sealHash } from '../../../kernel/audit/chain.ts'
import { sha256 } from '../../../kernel/crypto/digest.ts'
import { firstBroken, type LinkRow } from './chain.ts'
import { inclusionOf, isIncluded } from './merkle.ts'

const record = (seq: number): LinkRow['record'] => ({
  ...{ form: 'parapet/evidence/1', tenant_id: 't', seq, evidence_id: `e${seq}`, number: 1, kind: 'document' },
  ...{ title: `Evidence ${seq}`, check_id: null, source_ref: null, sha256: sha256(String(seq)), bytes: seq },
  ...{ media_type: 'text/plain', file_name: null, scan: 'not_scanned', actor_id: null },
  ...{ collected_at: '2026-01-01T00:00:00.000Z', valid_until: '2027-01-01T00:00:00.000Z' },
})

function chainOf(size: number): LinkRow[] {
  let hash = genesis
  return Array.from({ length: size }, (_, index) => {
    const row = { seq: index + 1, record: record(index + 1), prev_hash: hash, hash: sealHash(hash, record(index + 1)) }
    hash = row.hash
    return row
  })
}

const start = { seq: 0, hash: genesis }
const rows = chainOf(9)

describe('the chain', () => {
  test('is whole as it was made', () => {
    expect(firstBroken(rows, start)).toBeNull()
    expect(firstBroken([], start)).toBeNull()
  })

  test.each<[string, readonly LinkRow[], number]>([
    ['a changed record', rows.with(4, { ...rows[4], record: { ...record(5), bytes: 6 } } as LinkRow), 5],
    ['a record that is gone', rows.toSpliced(3, 1), 4],
    ['a changed hash', rows.with(8, { ...rows[8], hash: genesis } as LinkRow), 9],
    ['two records in each other’s place', [...rows.slice(0, 2), ...rows.slice(2, 4).reverse(), ...rows.slice(4)], 3],
  ])('shows %s', (_what, broken, seq) => {
    expect(firstBroken(broken, start)).toBe(seq)
  })
})

test('a path proves its hash and no other, in trees of any size', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 70 }), fc.nat(), (size, chosen) => {
      const hashes = Array.from({ length: size }, (_, index) => sha256(String(index)))
      const index = chosen % size
      const { root, path } = inclusionOf(hashes, index)
      const hash = hashes[index] ?? ''
      expect(isIncluded({ hash, index, size, path, root })).toBe(true)
      expect(isIncluded({ hash: sha256('other'), index, size, path, root })).toBe(false)
      if (size > 1) expect(isIncluded({ hash, index: (index + 1) % size, size, path, root })).toBe(false)
    }),
  )
})
