import { describe, expect, test } from 'vitest'
import type { Finding } from '../base/finding.ts'
import { redact } from './redact.ts'
import { createRestoreStream, restore, restoreJson, restoreReport } from './restore.ts'
import { createVault, type Vault } from './vault.ts'

const at = (start: number, end: number, type: string): Finding => ({ detector: 'pii', type, start, end, score: 1 })

function filled(): Vault {
  const vault = createVault()
  redact('ann@b.co 4111', [at(0, 8, 'EMAIL'), at(9, 13, 'CREDIT_CARD')], vault)
  return vault
}

describe('what models make of a placeholder', () => {
  test.each([
    '\u27e6EMAIL_1\u27e7',
    '\u27e6 Email_1 \u27e7',
    '\u27e6EMAIL 1\u27e7',
    '\u27e6email-1\u27e7',
    '\u27e6**EMAIL_1**\u27e7',
    '\u27e6`EMAIL_1`\u27e7',
    '\u27e6"EMAIL_1"\u27e7',
    '\u27e6EMAIL\\_1\u27e7',
    '\\[EMAIL\\_1\\]',
    '\\[EMAIL_1\\]',
    '&lt;EMAIL_1&gt;',
    '\uff3bEMAIL_1\uff3d',
    '\u3010EMAIL_1\u3011',
    '\u3014EMAIL_1\u3015',
    '\u00abEMAIL_1\u00bb',
    '(EMAIL_1)',
    '[[EMAIL_1]]',
    '{{ EMAIL_1 }}',
    'EMAIL_1',
  ])('%s is restored', (form) => {
    expect(restore(`\u8bf7 ${form}\u3002`, filled())).toBe('\u8bf7 ann@b.co\u3002')
  })

  test.each([
    ['\u27e6EMAIL_1\u27e7', 0],
    ['[EMAIL_1] and \u27e6Email_1\u27e7', 2],
    ['\u27e6EMAIL_1\u27e7 and {{EMAIL_1}}', 1],
    ['\u27e6EMAIL_2\u27e7', 0],
  ])('%s is counted as written in another form %s times', (text, times) => {
    const stream = createRestoreStream(filled())
    for (const character of text) stream.push(character)
    stream.end()
    expect(stream.changed()).toBe(times)
  })

  test('a possessive ending stays, outside and inside', () => {
    expect(restore("\u27e6EMAIL_1\u27e7's \u27e6EMAIL_1's\u27e7 EMAIL_1's", filled())).toBe(
      "ann@b.co's ann@b.co's ann@b.co's",
    )
  })

  test('emphasis around the brackets stays', () => {
    expect(restore('**\u27e6EMAIL_1\u27e7**', filled())).toBe('**ann@b.co**')
  })

  test('a type of several words is found without its underscores', () => {
    expect(restore('[credit card 1]', filled())).toBe('4111')
  })

  test.each(['MY_EMAIL_1', 'EMAIL_1x', 'email_1', 'EMAIL_12', 'XEMAIL_1', '[EMAIL_1 and more', '[1]', '(email)'])(
    '%s stays as it is',
    (text) => {
      expect(restore(text, filled())).toBe(text.replace('[EMAIL_1 ', '[ann@b.co '))
    },
  )

  test('a bare name stands between Chinese characters', () => {
    expect(restore('\u662fEMAIL_1\u7684', filled())).toBe('\u662fann@b.co\u7684')
  })
})

describe('JSON', () => {
  test('quotes and escapes inside brackets are understood', () => {
    const vault = filled()
    expect(restoreJson('{"a":"[\\"EMAIL_1\\"]\\nEMAIL_1"}', vault)).toBe('{"a":"ann@b.co\\nann@b.co"}')
    expect(restoreJson('{"a":"\\\\[EMAIL\\\\_1\\\\]"}', vault)).toBe('{"a":"ann@b.co"}')
    expect(restoreJson('{"a":"\\u003cEMAIL_1\\u003e"}', vault)).toBe('{"a":"ann@b.co"}')
  })

  test('a quote that ends the string is never taken for a mark', () => {
    expect(restoreJson('["(","EMAIL_1",")"]', filled())).toBe('["(","ann@b.co",")"]')
  })
})

describe('what the caller typed', () => {
  test.each(['[EMAIL_1]', 'EMAIL_1', '(email 1)', '\\[EMAIL\\_1\\]', '&lt;email_1&gt;', '\u3010EMAIL_1\u3011'])(
    'after %s was typed only the exact form is restored',
    (typed) => {
      const vault = filled()
      const text = `about ${typed}`
      expect(restore(redact(text, [], vault).text, vault)).toBe(text)
      expect(restore(`${typed} [EMAIL_1] \u27e6EMAIL_1\u27e7`, vault)).toBe(`${typed} [EMAIL_1] ann@b.co`)
    },
  )

  test('own brackets in any form are hidden', () => {
    const vault = filled()
    expect(redact('\u27e6 email 1 \u27e7', [], vault).text).toBe('\u27e6LITERAL_1\u27e7')
  })
})

describe('unknown placeholders', () => {
  test('numbers that were never given out are reported and stay', () => {
    const report = restoreReport(
      '\u27e6EMAIL_1\u27e7 \u27e6EMAIL_7\u27e7 [email 9] [RFC_2119] \u27e6OUT_EMAIL_1\u27e7',
      filled(),
    )
    expect(report).toEqual({
      text: 'ann@b.co \u27e6EMAIL_7\u27e7 [email 9] [RFC_2119] \u27e6OUT_EMAIL_1\u27e7',
      unknown: ['\u27e6EMAIL_7\u27e7', '[email 9]'],
    })
  })
})

test('ordinary text in brackets is released at once', () => {
  const stream = createRestoreStream(filled())
  expect(stream.push('(see Figure 3) [citation')).toBe('(see Figure 3) [citation')
})

test('what is held of a stream is what was given and has not left, also after a failure', () => {
  const vault = filled()
  const stream = createRestoreStream(vault)
  expect([stream.push('To ⟦EMA'), stream.held()]).toEqual(['To ', '⟦EMA'])
  expect([stream.push('IL_1⟧ now'), stream.held()]).toEqual(['ann@b.co now', ''])
  const broken = createRestoreStream({
    ...vault,
    valueOf: () => {
      throw new Error('broken')
    },
  })
  expect(broken.push('To ⟦EMA')).toBe('To ')
  expect(() => broken.push('IL_1⟧ now')).toThrow('broken')
  expect(broken.held()).toBe('⟦EMAIL_1⟧ now')
})
