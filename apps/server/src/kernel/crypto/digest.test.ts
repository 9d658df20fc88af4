import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256 } from './digest.ts'

describe('a digest', () => {
  it('is that of FIPS 180-4', () => {
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })

  it('is the same of a text and of its UTF-8, in every form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom('hex', 'base64', 'base64url'), (text, form) => {
        const bytes = Buffer.from(text, 'utf8')
        expect(sha256(text, form)).toBe(createHash('sha256').update(bytes).digest(form))
        expect(sha256(bytes, form)).toBe(sha256(text, form))
      }),
    )
  })
})
