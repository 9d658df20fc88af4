import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Finding } from '../base/finding.ts'
import { lookAhead, lookBehind } from '../base/matcher.ts'
import { base62Checksum } from '../text/bytes/crc32.ts'
import { findSecrets, secretMatchers } from './find-secrets.ts'

// Samples are put together here, so that no scanner takes this file for a leak.
const mixed = (length: number): string => 'aB3dE5gH7jK9mN1pQ2sT4vW6yZ8c'.repeat(10).slice(0, length)
const strong = ['vT9q', 'Zr2L', 'x8Wd', 'K4'].join('')
const github = `ghp_${mixed(30)}${base62Checksum(mixed(30))}`
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const jwt = `${base64('{"alg":"HS256","typ":"JWT"}')}.${base64('{"sub":"1234567890"}')}.${mixed(43)}`.replaceAll(
  '=',
  '',
)
const pem = (label: string, lineEnd = '\n'): string =>
  `-----BEGIN ${label}-----${lineEnd}${`${mixed(64)}${lineEnd}`.repeat(4)}-----END ${label}-----`

describe('private keys', () => {
  test.each([
    ['PKCS 8', pem('PRIVATE KEY')],
    ['PKCS 1', pem('RSA PRIVATE KEY')],
    ['encrypted', pem('ENCRYPTED PRIVATE KEY')],
    ['OpenSSH in a JSON string', pem('OPENSSH PRIVATE KEY', '\\n')],
    ['PGP', pem('PGP PRIVATE KEY BLOCK')],
  ])('%s is found as one block', (_name, value) => {
    expect(findSecrets(`"key": "${value}"`)).toMatchObject([{ type: 'private_key', start: 8, end: 8 + value.length }])
  })

  test('a block that was cut off is found as far as it goes', () => {
    const text = `-----BEGIN RSA PRIVATE KEY-----\n${mixed(64)}\n${mixed(40)}`
    expect(findSecrets(`${text}\n\nthat is all`)).toMatchObject([{ type: 'private_key', start: 0, end: text.length }])
  })

  test('the private lines of a PuTTY key are found', () => {
    const text = `Private-Lines: 2\n${mixed(64)}\n${mixed(20)}`
    expect(findSecrets(`PuTTY-User-Key-File-3: ssh-ed25519\n${text}`)).toMatchObject([{ type: 'private_key' }])
  })

  test.each([
    ['one that is only named', 'paste everything from -----BEGIN PRIVATE KEY----- to the end'],
    ['a placeholder block', '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----'],
    ['a public key', pem('PUBLIC KEY')],
    ['a certificate', pem('CERTIFICATE')],
  ])('%s is not found', (_name, text) => {
    expect(findSecrets(text)).toEqual([])
  })
})

describe('signed tokens and keys in JSON', () => {
  test('a token whose header names an algorithm is found, others are not', () => {
    expect(findSecrets(`cookie ${jwt};`)).toMatchObject([{ type: 'jwt', start: 7, end: 7 + jwt.length }])
    expect(findSecrets(`see eyJ${mixed(20)}.eyJ${mixed(20)}`)).toEqual([])
  })

  test('the private member of a key is found, its public members are not', () => {
    const key = `{"kty":"EC","crv":"P-256","x":"${mixed(43)}","d":"${mixed(43)}"}`
    expect(findSecrets(key)).toMatchObject([{ type: 'private_jwk', start: key.indexOf('"d"') + 5 }])
    expect(findSecrets(key.replace('"d"', '"y"'))).toEqual([])
  })
})

describe('pairs of an id and a secret', () => {
  const id = ['AKIA', 'Q7RJTKVWMYZA2BCN'].join('')
  const secret = `${mixed(28)}/x+Kq7WzR4vL`

  test('the secret half of an AWS pair is found under its name and beside its id', () => {
    expect(secret).toHaveLength(40)
    expect(findSecrets(`AWS_SECRET_ACCESS_KEY=${secret}`)).toMatchObject([
      { type: 'aws_secret_access_key', start: 22, end: 62 },
    ])
    expect(findSecrets(`${id},${secret}`)).toMatchObject([
      { type: 'aws_access_key_id' },
      { type: 'aws_secret_access_key', start: 21, end: 61 },
    ])
    expect(findSecrets(`commit=${secret}`)).toEqual([])
  })

  test('the ids of the vendor manuals are not found', () => {
    expect(findSecrets(`id ${['AKIA', 'IOSFODNN7', 'EXAMPLE'].join('')}`)).toEqual([])
  })
})

describe('secrets inside encodings', () => {
  test('base64 that holds a secret is reported whole, with how it was read', () => {
    const run = base64(`user=ann password=${strong} host=db`)
    expect(findSecrets(`data: ${run}\n`)).toMatchObject([
      { type: 'password', via: ['base64'], start: 6, end: 6 + run.length },
    ])
  })

  test('base64 of prose is not found', () => {
    expect(findSecrets(base64('the list of items by date and name of the report'))).toEqual([])
  })

  test('a text that others decoded is reported at the range it came from', () => {
    const decoded = [{ text: `token ${github}`, start: 3, end: 9, via: ['hex'] }]
    expect(findSecrets('ab cdefgh ij', { decoded })).toMatchObject([
      { type: 'github_token', start: 3, end: 9, via: ['hex'] },
    ])
  })
})

describe('what a finding says', () => {
  test('the evidence is never more than the last four characters', () => {
    expect(findSecrets(`x ${github}`)[0]?.evidence).toBe(`\u2026${github.slice(-4)}`)
    expect(findSecrets(`password=${strong.slice(0, 12)}`)[0]?.evidence).toBe('\u2026')
  })

  test('findings below the asked score are left out', () => {
    expect(findSecrets(github, { minScore: 1 })).toEqual([])
  })
})

const piece = fc.oneof(
  fc.constantFrom(
    ...[github, jwt, pem('PRIVATE KEY').slice(0, 120), `password = "${strong}"`, `DB_PASS=${strong}`, 'password is '],
    ...[`postgres://ann:${strong}@db/x`, '://', 'api_key: ', strong, base64(`secret=${strong}${strong}`), 'Bearer '],
    ...[
      '<password>',
      '</password>',
      '"',
      "'",
      '=',
      ':',
      ' ',
      '\n',
      ',',
      ';',
      '&',
      '(',
      ')',
      '\\',
      '$',
      '{',
      '}',
      '\ud800',
      '\0',
    ],
    ...[
      'curl -u ann:',
      'mysql -p',
      '--token ',
      'eyJ',
      '"d":"',
      '"kty":"EC",',
      'x'.repeat(60),
      'word ',
      '....',
      '\u5bc6\u7801',
    ],
  ),
  fc.string({ maxLength: 8 }),
)
const someText = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))
const collected = (text: string, from = 0): Finding[] => {
  const found: Finding[] = []
  for (const matcher of secretMatchers) matcher.collect(text, from, found)
  return found
}

describe('any text', () => {
  test('gives findings inside the text, in order and apart', () => {
    fc.assert(
      fc.property(fc.oneof(someText, fc.string({ unit: 'binary' })), (text) => {
        let covered = 0
        for (const { start, end } of findSecrets(text)) {
          expect(start).toBeGreaterThanOrEqual(covered)
          expect(end).toBeGreaterThan(start)
          covered = end
        }
        expect(covered).toBeLessThanOrEqual(text.length)
      }),
      { numRuns: 300 },
    )
  })

  test('a match depends on nothing far before or after it', () => {
    fc.assert(
      fc.property(someText, someText, (before, after) => {
        const text = `${before}\n${after}`
        for (const { type, start, end, score } of collected(text)) {
          if (type === 'private_key') continue
          const from = Math.max(0, start - lookBehind)
          const around = text.slice(from, end + lookAhead)
          expect(collected(around, start - from)).toContainEqual(
            expect.objectContaining({ type, start: start - from, end: end - from, score }),
          )
        }
      }),
      { numRuns: 500 },
    )
  })
})
