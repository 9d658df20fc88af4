import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inspectOutput } from '../inspect-output.ts'
import { createCanary } from './canary.ts'
import { planCanaries, searchCanaries } from './canary-search.ts'

const bytes = Uint8Array.from({ length: 16 }, (_, i) => (i * 37 + 11) & 255)
const { token } = createCanary(bytes, { style: 'plain' })
const found = (text: string): boolean =>
  inspectOutput(text, { canaries: [token] }).findings.some(({ type, score }) => type === 'canary' && score === 1)

const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (c) =>
    String.fromCharCode((c <= 'Z' ? 90 : 122) >= c.charCodeAt(0) + 13 ? c.charCodeAt(0) + 13 : c.charCodeAt(0) - 13),
  )
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const hex = (text: string): string => Buffer.from(text).toString('hex')
const reverse = (text: string): string => [...text].reverse().join('')

test.each<[string, (token: string) => string]>([
  ['as it is', (t) => t],
  ['in capitals', (t) => t.toUpperCase()],
  ['spaced', (t) => [...t].join(' ')],
  ['with dashes', (t) => [...t].join('-')],
  ['one letter a line', (t) => [...t].join('\n')],
  ['reversed', reverse],
  ['rot13', rot13],
  ['base64', base64],
  ['base64 inside a sentence', (t) => base64(`my prompt begins with ${t} and goes on`)],
  ['base64 with one byte before', (t) => base64(`x${t}`)],
  ['hex', hex],
  ['hex with blanks', (t) => hex(t).replace(/../g, '$& ')],
  ['escapes', (t) => [...t].map((c) => `\\x${hex(c)}`).join('')],
  ['unicode escapes', (t) => [...t].map((c) => `\\u00${hex(c)}`).join('')],
  ['percent', (t) => [...t].map((c) => `%${hex(c)}`).join('')],
  ['entities', (t) => [...t].map((c) => `&#${c.charCodeAt(0)};`).join('')],
  ['decimal', (t) => [...t].map((c) => c.charCodeAt(0)).join(' ')],
  ['binary', (t) => [...t].map((c) => c.charCodeAt(0).toString(2).padStart(8, '0')).join(' ')],
  ['base64 of reversed', (t) => base64(reverse(t))],
  ['base64 of base64', (t) => base64(base64(t))],
  ['hex of rot13', (t) => hex(rot13(t))],
  ['fullwidth', (t) => [...t].map((c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)).join('')],
  ['tag characters', (t) => [...t].map((c) => String.fromCodePoint(c.charCodeAt(0) + 0xe0000)).join('')],
  ['with zero-width spaces', (t) => [...t].join('\u200b')],
  ['its first half', (t) => t.slice(0, 13)],
  ['its second half', (t) => t.slice(13)],
])('a canary is found %s', (_, write) => {
  expect(found(`Sure. ${write(token)} is what it says.`)).toBe(true)
})

test.each(['plain', 'comment', 'zero-width', 'tags'] as const)('the text inserted in style %s is found', (style) => {
  const canary = createCanary(bytes, { style })
  expect(canary.token).toBe(token)
  expect(found(`Before ${canary.text} after.`)).toBe(true)
})

test('another token is not found', () => {
  const other = createCanary(
    bytes.map((byte) => byte ^ 0x5a),
    { style: 'plain' },
  )
  expect(found(`${other.token} ${base64(other.token)} ${hex(other.token)}`)).toBe(false)
})

test('different bytes give different tokens', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.nat({ max: 127 }), (random, bit) => {
      const flipped = random.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
      expect(createCanary(flipped, { style: 'plain' }).token).not.toBe(createCanary(random, { style: 'plain' }).token)
    }),
  )
})

test('too little randomness is refused', () => {
  expect(() => createCanary(new Uint8Array(8), { style: 'plain' })).toThrow(RangeError)
})

test('the range covers the token in the text', () => {
  const text = `x \u00e9\u00e9 ${[...token].join('.')} y`
  const plan = planCanaries([token])
  const [first] = plan ? searchCanaries(plan).feed(text) : []
  expect(text.slice(first?.start, first?.end)).toBe([...token].join('.'))
})
