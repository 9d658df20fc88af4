import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encoders } from '../../rows/encode.ts'
import { createRandom } from '../../rows/random.ts'
import type { Generator } from '../../rows/row.ts'
import { generator as chat } from './chat.ts'
import { generator as code } from './code.ts'
import { generator as documents } from './documents.ts'
import { generator as elaborate } from './elaborate.ts'
import { generator as encoded } from './encoded.ts'
import { generator as instruct } from './instruct.ts'
import { generator as languages } from './languages.ts'
import { generator as roleplay } from './roleplay.ts'
import { generator as system } from './system.ts'
import { generator as triggers } from './triggers.ts'

// Least numbers of rows: what the groups were planned to give.
const planned: readonly (readonly [Generator, number])[] = [
  [triggers, 2500],
  [chat, 2400],
  [roleplay, 700],
  [elaborate, 350],
  [instruct, 3000],
  [system, 600],
  [documents, 1500],
  [code, 700],
  [encoded, 1000],
  [languages, 600],
]

describe.each(planned)('the harmless rows of %o', (generator, least) => {
  const rows = generator.rows()

  it('are the same every time', () => {
    expect(generator.rows()).toEqual(rows)
  })

  it('are as many as planned, all harmless and of one source', () => {
    expect(rows.length).toBeGreaterThanOrEqual(least)
    expect(new Set(rows.map((row) => `${row.label} ${row.source}`))).toEqual(new Set([`0 gen-${generator.name}`]))
  })

  it('hold text without a mark left to fill', () => {
    const open = rows.filter(
      (row) => row.text.trim() === '' || /«[a-z\d_#-]+»|\{(ignorable|num|city|person|domain|food)\}/i.test(row.text),
    )
    expect(open).toEqual([])
  })

  it('repeat less than two in a hundred texts', () => {
    expect(new Set(rows.map((row) => row.text)).size).toBeGreaterThan(rows.length * 0.98)
  })
})

describe('the encoders', () => {
  const random = () => createRandom(1)

  it('are at least 28 and give something else than their input', () => {
    const changed = Object.entries(encoders).filter(
      ([, encode]) => encode('the quick brown fox jumps', random()) !== 'the quick brown fox jumps',
    )
    expect(changed.length).toBe(Object.keys(encoders).length)
    expect(changed.length).toBeGreaterThanOrEqual(28)
  })

  it('take any string and give the same result for the same seed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...Object.values(encoders)), (text, encode) => {
        expect(encode(text, random())).toBe(encode(text, random()))
      }),
    )
  })

  // RFC 4648, section 10: test vectors of "foobar".
  it('write base64, base32 and hexadecimal as RFC 4648 does', () => {
    expect(encoders.base64?.('foobar', random())).toBe('Zm9vYmFy')
    expect(encoders.base32?.('foobar', random())).toBe('MZXW6YTBOI======')
    expect(encoders.base32?.('foob', random())).toBe('MZXW6YQ=')
    expect(encoders.hex?.('foobar', random()).toLowerCase()).toBe('666f6f626172')
  })
})
