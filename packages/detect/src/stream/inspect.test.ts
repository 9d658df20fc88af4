import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { disjoint, type Finding } from '../finding.ts'
import { findPii } from '../pii/find-pii.ts'
import { createVault } from '../redaction/vault.ts'
import { findSecrets } from '../secrets/find-secrets.ts'
import { base62Checksum } from '../text/crc32.ts'
import { createInspectStream, type InspectAction, type InspectStream } from './inspect.ts'

type Actions = (finding: Finding) => InspectAction

const redactAll: Actions = () => 'redact'

function run(chunks: readonly string[], onMatch: Actions) {
  const stream = createInspectStream({ detectors: ['secret', 'pii'], onMatch, vault: createVault() })
  const answers = [...chunks.map((chunk) => stream.push(chunk)), stream.end()]
  return {
    text: answers.map(({ text }) => text).join(''),
    findings: answers.flatMap(({ findings }) => findings),
    blocked: answers.at(-1)?.blocked,
  }
}

/** The same result from the whole text at once, by the one-shot finders. */
function oneShot(text: string): string {
  const vault = createVault()
  let done = 0
  let out = ''
  for (const { start, end, type } of disjoint([...findPii(text), ...findSecrets(text)])) {
    out += text.slice(done, start) + vault.outPlaceholderFor(type, text.slice(start, end))
    done = end
  }
  return out + text.slice(done)
}

const githubToken = `ghp_${'a1B2c3D4e5'.repeat(3)}${base62Checksum('a1B2c3D4e5'.repeat(3))}`
const pem = `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF\n\n${`${'MIIEow1BAAKC'.repeat(5)}\n`.repeat(6)}-----END RSA PRIVATE KEY-----`
const jwt =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jEmNHl0w5N_XgL0n3I9PlFUP0THsR8U'

const piece = fc.oneof(
  fc.constantFrom(
    'ann@example.com',
    'a@b.co.c@d.org',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111 12/27',
    '378282246310005',
    '+49 (0) 30 1234567',
    'Tel.: 030 / 123 45 67',
    'call me at (415) 555-2671',
    'DE89 3704 0044 0532 0130 00',
    'MT84 MALT 0110 0001 2345 MTLC AST0 01S',
    'gb82west12345698765432',
    githubToken,
    jwt,
    pem,
    'AKIAIOSFODNN7EXAMPLE',
    '-----BEGIN ',
    '-----',
    'PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    'sk-',
    'eyJ',
    '@',
    ' ',
    '  ',
    '\n',
    '1',
    '12 ',
    '-',
    '/',
    'THE',
    'word',
    '\u00a0',
    '\u{1f600}',
    '\u4e2d\u6587',
    'api ',
    '.',
    ',',
    '"',
    '=',
    '0',
    '+',
    '(',
  ),
  fc.string({ maxLength: 6 }),
)
const someText = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''))
const cutText = someText.chain((text) =>
  fc.tuple(fc.constant(text), fc.uniqueArray(fc.nat({ max: text.length }), { maxLength: 30 })).map(([whole, cuts]) => {
    const places = [0, ...cuts.sort((a, b) => a - b), whole.length]
    return { text: whole, chunks: places.slice(1).map((place, i) => whole.slice(places[i] ?? 0, place)) }
  }),
)

describe('split invariance', () => {
  test('output and findings are the same for every way of cutting', () => {
    fc.assert(
      fc.property(cutText, ({ text, chunks }) => {
        expect(run(chunks, redactAll)).toEqual(run([text], redactAll))
      }),
      { numRuns: 1_000 },
    )
  })

  test('the place of a block is the same for every way of cutting', () => {
    const actions: Actions = ({ type }) => (type === 'EMAIL' ? 'redact' : type === 'PHONE' ? 'flag' : 'block')
    fc.assert(
      fc.property(cutText, ({ text, chunks }) => {
        expect(run(chunks, actions)).toEqual(run([text], actions))
      }),
      { numRuns: 500 },
    )
  })

  test('character by character gives the same as the finders on the whole text', () => {
    fc.assert(
      fc.property(someText, (text) => {
        expect(run([...text], redactAll).text).toBe(oneShot(text))
      }),
      { numRuns: 500 },
    )
  })

  test('values far apart in one endless word are found at every offset', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 1, max: 9_000 }), (before, size) => {
        const text = `${'x'.repeat(before)}/${githubToken}/${'y'.repeat(9_000)}-ann@example.com`
        const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
          text.slice(i * size, (i + 1) * size),
        )
        expect(run(chunks, redactAll)).toEqual(run([text], redactAll))
        expect(run(chunks, redactAll).text).toBe(oneShot(text))
      }),
      { numRuns: 40 },
    )
  })

  test('a card in an endless row of numbers is found at every offset', () => {
    for (let before = 0; before < 140; before += 1) {
      const text = `${'12 '.repeat(before)}4111 1111 1111 1111 ${'34 '.repeat(60)}`
      expect(run([...text], redactAll).text).toBe(oneShot(text))
      expect(run([text], redactAll).findings.map(({ type }) => type)).toEqual(['CREDIT_CARD'])
    }
  })
})

const open = (onMatch: Actions): InspectStream => createInspectStream({ detectors: ['secret', 'pii'], onMatch })

describe('what leaves and when', () => {
  test('ordinary words leave as soon as they end', () => {
    const stream = open(redactAll)
    expect(stream.push('Hello wor').text).toBe('Hello ')
    expect(stream.push('ld, how').text).toBe('world, ')
    expect(stream.end().text).toBe('how')
  })

  test('text without blanks in other scripts is not held back', () => {
    expect(open(redactAll).push('\u4f60\u597d\u4e16\u754c').text).toBe('\u4f60\u597d\u4e16\u754c')
  })

  test('half of a surrogate pair waits for the other half', () => {
    const stream = open(redactAll)
    expect(stream.push('ok \ud83d').text).toBe('ok ')
    expect(stream.push('\ude00').text).toBe('\ud83d\ude00')
  })

  test('no prefix of a private key leaves before the key is known', () => {
    const stream = open(redactAll)
    const released = [...`key: ${pem} end`].map((char) => stream.push(char).text).join('') + stream.end().text
    expect(released).toBe('key: \u27e6OUT_PRIVATE_KEY_1\u27e7 end')
  })

  test('a public certificate is not held back to its end', () => {
    const stream = open(redactAll)
    expect(stream.push(`-----BEGIN CERTIFICATE-----\n${'MIIB'.repeat(16)}\n`).text).toContain('MIIB')
  })

  test('a block ends the stream before the value and keeps what came earlier', () => {
    const stream = open(({ detector }) => (detector === 'secret' ? 'block' : 'redact'))
    const answer = stream.push(`mail ann@example.com then ${githubToken}, more`)
    expect(answer.text).toBe('mail \u27e6OUT_EMAIL_1\u27e7 then ')
    expect(answer.blocked).toMatchObject({ type: 'github_token', start: 26 })
    expect(stream.push('and more').text + stream.end().text).toBe('')
  })

  test('a flagged value leaves unchanged and is reported once', () => {
    const answer = run(['write to ann@exa', 'mple.com now'], () => 'flag')
    expect(answer.text).toBe('write to ann@example.com now')
    expect(answer.findings).toHaveLength(1)
  })

  test('equal values get equal placeholders', () => {
    expect(run(['a@b.co x c@d.org x a@b.co'], redactAll).text).toBe(
      '\u27e6OUT_EMAIL_1\u27e7 x \u27e6OUT_EMAIL_2\u27e7 x \u27e6OUT_EMAIL_1\u27e7',
    )
  })
})

describe('cost', () => {
  test.each([
    ['prose', 'the quick brown fox jumps over the lazy dog. '],
    ['digits', '1 '],
    ['one word', 'a'],
    ['key starts', 'sk-'],
    ['at signs', 'a@'],
    ['armor', '-----BEGIN PRIVATE KEY-----\n'],
    ['token starts', 'eyJ.'],
    ['dashes', '-'],
    ['iban starts', 'DE89 '],
  ])('a megabyte of %s takes less than three seconds in chunks of 64 characters', (_name, unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
    const stream = open(redactAll)
    const started = performance.now()
    for (let i = 0; i < text.length; i += 64) stream.push(text.slice(i, i + 64))
    stream.end()
    expect(performance.now() - started).toBeLessThan(3_000)
  })
})
