import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { disjoint, type Finding } from '../base/finding.ts'
import { findPii, type PiiOptions, piiMatchers } from '../pii/find-pii.ts'
import { createVault } from '../redaction/vault.ts'
import { findSecrets } from '../secrets/find-secrets.ts'
import { base62Checksum } from '../text/bytes/crc32.ts'
import { createInspectStream, type InspectAction, type InspectStream } from './inspect.ts'

type Actions = (finding: Finding) => InspectAction

const redactAll: Actions = () => 'redact'

function run(chunks: readonly string[], onMatch: Actions, types?: readonly string[]) {
  const vault = createVault()
  const stream = createInspectStream({ detectors: ['secret', 'pii'], onMatch, vault, ...(types && { types }) })
  const answers = [...chunks.map((chunk) => stream.push(chunk)), stream.end()]
  return {
    text: answers.map(({ text }) => text).join(''),
    findings: answers.flatMap(({ findings }) => findings),
    blocked: answers.at(-1)?.blocked,
  }
}

function runWhole(text: string, onMatch: Actions, types?: readonly string[]) {
  return createInspectStream({ detectors: ['secret', 'pii'], onMatch, ...(types && { types }) }).whole(text)
}

/** Everything but names and addresses, which may begin at any word. */
const structured = piiMatchers.flatMap(({ types }) => types).filter((type) => type !== 'PERSON' && type !== 'ADDRESS')
const someTypes = fc.constantFrom(undefined, structured, ['EMAIL'], ['DATE_OF_BIRTH', 'PHONE'], ['ADDRESS', 'IBAN'], [])

/** Parts of a finding that every detector reports alike: one-shot secrets carry evidence too. */
const outline = ({ detector, type, start, end, score }: Finding) => ({ detector, type, start, end, score })

/** The same result from the whole text at once, by the one-shot finders. */
function oneShot(text: string, options: PiiOptions = {}): string {
  const vault = createVault()
  let done = 0
  let out = ''
  for (const { start, end, type } of disjoint([...findPii(text, options), ...findSecrets(text)])) {
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
    'My name is Anna Smith',
    'Dr. Peter Jones ',
    'Maria',
    'Jane Doe, ',
    '12 Main Street, Springfield, IL 62704',
    'Hauptstra\u00dfe 5\n10115 Berlin',
    'my name is john smith',
    '\u6211\u53eb\u738b\u5c0f\u660e\uff0c',
    'born March 5, 1980',
    'password = hunter2Xy9! ',
    'https://bob:pa55w0rd@db.example.com/x',
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
/** Values that go on over blanks, their labels, and the words over which they do or do not go on. */
const numberedPiece = fc.constantFrom(
  ...[
    'born ',
    '12 de enero de 1985',
    'March 5',
    'Mar. 5, 1985',
    '5 July ',
    '1985 m. ',
    '昭和55年3月2日',
    '1985年\n3月 5日',
  ],
  ...[
    'HEGG 560427 MVZRRL 04',
    'AB 12 34 56 C',
    '48° 51′ 24″ N, 2° 21′ 3″ E',
    '48.8566, 2.3522',
    '+ 49 30 1234567',
    ' ext. 12',
  ],
  ...[
    'ann (at) example dot com',
    'ann2 (at) the-longest-domain-of-any-company dot org',
    'a-name-with-25-letters(at) ',
    'fe80::dead:beef',
    'dead:beef::cafe',
    'ab:cd:ef:ab:cd:ef',
    'DEUTDEFF',
    ' BIC ',
    'passport ',
  ],
  ...[
    'AB 1234567',
    '123 ABC 45',
    'driving licence ',
    ' tel ',
    ' of ',
    ' the ',
    ' and ',
    'letter ',
    '\n',
    ' ',
    '. ',
    '1. ',
    'IBAN ',
  ],
  ...[
    'The key: ',
    'password: ',
    'x9#kQ2!mz',
    'os.getenv( ',
    '"',
    'Bearer ',
    'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
  ],
)
const numberedText = fc.array(numberedPiece, { maxLength: 24 }).map((pieces) => pieces.join(''))
const cutText = fc.oneof(someText, numberedText).chain((text) =>
  fc.tuple(fc.constant(text), fc.uniqueArray(fc.nat({ max: text.length }), { maxLength: 30 })).map(([whole, cuts]) => {
    const places = [0, ...cuts.sort((a, b) => a - b), whole.length]
    return { text: whole, chunks: places.slice(1).map((place, i) => whole.slice(places[i] ?? 0, place)) }
  }),
)

describe('split invariance', () => {
  test('output and findings are the same for every way of cutting', () => {
    fc.assert(
      fc.property(cutText, someTypes, ({ text, chunks }, types) => {
        expect(run(chunks, redactAll, types)).toEqual(run([text], redactAll, types))
      }),
      { numRuns: 1_000 },
    )
  })

  test('a text that is all there gives what it gives in pieces', () => {
    const actions: Actions = ({ type }) => (type === 'PHONE' ? 'flag' : type === 'IBAN' ? 'block' : 'redact')
    fc.assert(
      fc.property(cutText, someTypes, ({ text, chunks }, types) => {
        expect(runWhole(text, actions, types)).toEqual(run(chunks, actions, types))
      }),
      { numRuns: 1_000 },
    )
    const long = `${'My card is 4111 1111 1111 1111. '.repeat(600)}ann@example.com`
    expect(runWhole(long, redactAll)).toEqual(run([...long], redactAll))
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
      fc.property(fc.oneof(someText, numberedText), someTypes, (text, types) => {
        const options = types ? { types } : {}
        const streamed = run(text.split(''), redactAll, types)
        expect(streamed.text).toBe(oneShot(text, options))
        const whole = disjoint([...findPii(text, options), ...findSecrets(text)])
        expect(streamed.findings.map(outline)).toEqual(whole.map(outline))
      }),
      { numRuns: 1_000 },
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

describe('what does not count', () => {
  const text = 'Write to ann@example.org or to otto@example.com.'

  test('is ignored by its value, and stays', () => {
    const onMatch = (_: Finding, value: string): InspectAction => (value.endsWith('.com') ? 'ignore' : 'redact')
    for (const chunks of [[text], [...text]]) {
      const stream = createInspectStream({ detectors: ['pii'], onMatch })
      const answers = [...chunks.map((chunk) => stream.push(chunk)), stream.end()]
      expect(answers.map((answer) => answer.text).join('')).toBe('Write to ⟦OUT_EMAIL_1⟧ or to otto@example.com.')
      expect(answers.flatMap(({ findings }) => findings)).toHaveLength(1)
    }
  })

  test('is less sure than is wanted of its kind', () => {
    const minScore = ({ type }: Finding): number => (type === 'EMAIL' ? 1 : 0)
    const stream = createInspectStream({ detectors: ['pii'], onMatch: redactAll, minScore })
    expect(stream.whole(text)).toMatchObject({ text, findings: [] })
  })
})

describe('what leaves and when', () => {
  test('ordinary text is held back by at most 304 characters', () => {
    // 192 characters of the longest phrase and 48 of its context, and 64 between two searches.
    const stream = open(redactAll)
    const text = 'the quick brown fox jumps over the lazy dog. \u4f60\u597d '.repeat(40)
    let released = 0
    for (const [index, char] of text.split('').entries()) {
      released += stream.push(char).text.length
      expect(index + 1 - released).toBeLessThanOrEqual(304)
    }
  })

  describe('without names and addresses', () => {
    const lean = (): InspectStream =>
      createInspectStream({ detectors: ['secret', 'pii'], types: structured, onMatch: redactAll })

    test('of prose at most the last 48 characters are held back', () => {
      // A word of 12 characters at most, the one before it with 8 characters after it, 8 between two searches.
      const stream = lean()
      const text = 'The quick brown fox, as they say: "jumps" over (almost) everything \u2014 even fences.\nIt\'s fun! '
      let released = 0
      for (const [index, char] of text.repeat(20).split('').entries()) {
        released += stream.push(char).text.length
        expect(index + 1 - released).toBeLessThanOrEqual(48)
      }
    })

    test('a list with numbers is held back by less than 120 characters', () => {
      // 48 characters of context after a number, a word before it and one or two of three letters after it.
      const stream = lean()
      let released = 0
      for (const [index, char] of '1. First of all, wait 20 minutes.\n2. Then leave.\n'
        .repeat(20)
        .split('')
        .entries()) {
        released += stream.push(char).text.length
        expect(index + 1 - released).toBeLessThan(120)
      }
    })

    test.each([
      ['The key: AKIA', 'The key: '],
      ['Hello, how are you?', 'Hello, how are '],
      ['The quarterly ', 'The '],
      ['My mail is ann@exam', 'My mail is '],
    ])('of %j the part %j leaves at once', (arrived, left) => {
      expect(lean().push(arrived).text).toBe(left)
    })
  })

  test('a name and an address that arrive word by word are redacted', () => {
    const text = `Dear Anna Smith, we met at 12 Main Street, Springfield, IL 62704. ${'It was nice. '.repeat(40)}`
    expect(run(text.split(/(?<= )/), redactAll).text).toBe(oneShot(text))
    expect(oneShot(text)).toContain('OUT_PERSON_1')
  })

  test('half of a surrogate pair waits for the other half', () => {
    const stream = open(redactAll)
    for (const char of '\u{1f600}'.repeat(400).split('')) {
      expect(stream.push(char).text).not.toMatch(/[\ud800-\udbff]$/)
    }
  })

  test('no prefix of a private key leaves before the key is known', () => {
    const stream = open(redactAll)
    const released = [...`key: ${pem} end`].map((char) => stream.push(char).text).join('') + stream.end().text
    expect(released).toBe('key: \u27e6OUT_PRIVATE_KEY_1\u27e7 end')
  })

  test.each([[undefined], [structured]])('no line of a PuTTY key leaves', (types) => {
    const text = `x\nPrivate-Lines: 8\n${`${'MIIEow1BAAKCq9Zx'.repeat(4)}\n`.repeat(8)}end of it\n`
    expect(run(text.split(''), redactAll, types).text).toBe('x\n\u27e6OUT_PRIVATE_KEY_1\u27e7 of it\n')
    expect(run([text], redactAll, types).text).toBe(oneShot(text))
  })

  test('a public certificate is not held back to its end', () => {
    const line = `${'MIIB'.repeat(16)}\n`
    expect(open(redactAll).push(`-----BEGIN CERTIFICATE-----\n${line.repeat(8)}`).text).toContain('MIIB')
  })

  test('a block ends the stream before the value and keeps what came earlier', () => {
    const stream = open(({ detector }) => (detector === 'secret' ? 'block' : 'redact'))
    const answer = stream.push(`mail ann@example.com then ${githubToken}, more ${'and more '.repeat(40)}`)
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

describe('what is held', () => {
  const text = 'Write to ann@example.org, whose card is 4111 1111 1111 1111, as soon as you can. '

  test('and what has left are the whole text', () => {
    const stream = createInspectStream({ detectors: ['secret', 'pii'], onMatch: () => 'flag' })
    let left = ''
    for (const [at, character] of [...text].entries()) {
      left += stream.push(character).text
      expect(left + stream.held()).toBe(text.slice(0, at + 1))
    }
    left += stream.end().text
    expect([left, stream.held()]).toEqual([text, ''])
  })

  test('after a failure is all that was given, and after a block nothing', () => {
    const failing = createInspectStream({
      detectors: ['pii'],
      onMatch: () => {
        throw new Error('broken')
      },
    })
    expect(() => failing.push(text.repeat(8))).toThrow('broken')
    expect(failing.held()).toBe(text.repeat(8))
    const blocking = createInspectStream({ detectors: ['pii'], onMatch: () => 'block' })
    blocking.push(text.repeat(8))
    expect(blocking.held()).toBe('')
  })
})
