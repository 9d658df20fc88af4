import { describe, expect, test } from 'vitest'
import { createRedactStream } from '../stream/redact-stream.ts'
import { findPii } from './find-pii.ts'

const found = (text: string, minScore = 0.6) =>
  findPii(text, { minScore }).map(({ type, start, end }) => [type, text.slice(start, end)])

describe('an e-mail address is found', () => {
  test.each([
    ['percent-encoded', 'jane.early%40example.org'],
    ['percent-encoded throughout', 'jane%2Eearly%40example%2Eorg'],
    ['percent-encoded twice', 'jane.early%2540example.org'],
    ['with decimal references', 'jane&#46;early&#64;example&#46;org'],
    ['with hexadecimal references', 'jane.early&#x40;example.org'],
    ['with named references', 'jane&period;early&commat;example&period;org'],
    ['with JSON escapes', 'jane\\u002eearly\\u0040example.org'],
    ['with escaped JSON escapes', 'jane.early\\\\u0040example.org'],
    ['with hexadecimal escapes', 'jane.early\\x40example.org'],
    ['full-width', 'ｊａｎｅ．ｅａｒｌｙ＠ｅｘａｍｐｌｅ．ｏｒｇ'],
    ['with a small at sign', 'jane.early﹫example.org'],
    ['with soft hyphens', 'jane\u00ad.ear\u00adly@example.org'],
    ['with zero-width characters', 'ja\u200bne.early@exam\u200d\u2060ple.org'],
    ['with variation selectors', 'jane\ufe0f.early@example.org'],
    ['in base64', 'amFuZS5lYXJseUBleGFtcGxlLm9yZw=='],
    ['in a JSON in base64', Buffer.from('{"to":"jane.early@example.org"}').toString('base64')],
  ])('%s', (_, written) => {
    expect(found(`Write to ${written} today`)).toEqual([['EMAIL', written]])
  })
})

describe('a card number is found', () => {
  test.each([
    ['with tabs', '4111\t1111\t1111\t1111'],
    ['on four lines', '4111\n1111\n1111\n1111'],
    ['on four lines of a form', '4111\r\n1111\r\n1111\r\n1111'],
    ['broken over two lines', '4111 1111\n1111 1111'],
    ['with soft hyphens between its groups', '4111\u00ad1111\u00ad1111\u00ad1111'],
    ['with a soft hyphen in a group', '41\u00ad11 1111 1111 1111'],
    ['with zero-width characters after each digit', [...'4111111111111111'].join('\u200b')],
    ['with a word joiner', '41111111\u206011111111'],
    ['with references for blanks', '4111&nbsp;1111&nbsp;1111&nbsp;1111'],
    ['with encoded blanks', '4111%201111%201111%201111'],
    ['with plus signs of a form', '4111+1111+1111+1111'],
    ['with escaped tabs', '4111\\t1111\\t1111\\t1111'],
    ['with escaped digits', '\\u0034111 1111 1111 1111'],
    ['with wide gaps', '4111 - 1111 - 1111 - 1111'],
    ['after the word order', 'Order 4111 1111 1111 1111'.slice(6)],
    ['in base64', 'NDExMTExMTExMTExMTExMQ=='],
  ])('%s', (_, written) => {
    expect(found(`Order ${written}`)).toEqual([['CREDIT_CARD', written]])
  })
})

test.each([
  ['a table of numbers', '4111\t1111\t1111\t1111\t2222'],
  ['a list of numbers', '4111\n1111\n1111\n1111\n1112'],
  ['a column before it', '17\n4111\n1111\n1111\n1111'],
  ['a number that fails its check digit', '4111\u00ad1111\u00ad1111\u00ad1112'],
  ['an escape without an address', 'a%40b and 100%25 of &#64;'],
  ['words with soft hyphens', 'Donau\u00addampf\u00adschiff@home'],
  ['base64 of other text', Buffer.from('The harbor opens at nine in the morning.').toString('base64')],
])('%s is none', (_, text) => {
  expect(found(text)).toEqual([])
})

test('a stream finds them however it is cut', () => {
  const text = `Write to jane%2Eearly%40example%2Eorg or ${[...'4111111111111111'].join('\u200b')}, not later than noon.`
  for (const size of [1, 2, 5, 17, 500]) {
    const stream = createRedactStream()
    let out = ''
    for (let at = 0; at < text.length; at += size) out += stream.push(text.slice(at, at + size)).text
    out += stream.end().text
    expect(out).not.toMatch(/early|4\u200b1/)
    expect(out).toContain('not later than noon.')
  }
})
