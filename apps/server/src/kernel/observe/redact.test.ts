import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSecretName, redacted, redactFields, redactText } from './redact.ts'

const jwt = `eyJhbGciOiJFZERTQSJ9.${Buffer.from('{"sub":"someone"}').toString('base64url')}.${randomBytes(64).toString('base64url')}`
const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const apiKey = `ppt_a1B2c3D4e5F6_${'aZ9'.repeat(14)}Q_0aBcD1`

describe('C62 secrets are known by their shape', () => {
  test.each([
    ['a token', jwt],
    ['a token cut after its payload', jwt.split('.').slice(0, 2).join('.')],
    ['an API key', apiKey],
    ['a private key', pem.trim()],
    ['a private key cut short', pem.slice(0, 70).trim()],
    ['a bearer header', 'Bearer abcdefgh12345'],
    ['a provider key', `sk-ant-${'aZ9q'.repeat(6)}`],
    ['32 random bytes in base64', randomBytes(32).toString('base64')],
    ['32 random bytes in base64url', randomBytes(32).toString('base64url')],
    ['a digest in hex', createHash('sha256').update('x').digest('hex')],
  ])('%s', (_, secret) => {
    const line = JSON.stringify({ message: `it was ${secret}, they said`, n: 1 })
    const cleaned = redactText(line)
    expect(JSON.parse(cleaned).message).toContain(redacted)
    expect(cleaned).not.toContain(JSON.stringify(secret).slice(1, -1))
  })

  test('the password of a connection address goes, its host stays', () => {
    expect(redactText('postgres://app:hunter2@db.internal:5432/x')).toBe(`postgres://${redacted}@db.internal:5432/x`)
  })
})

test('ordinary long texts stay readable', () => {
  const texts = [
    '/api/v1/compliance/frameworks/soc2/controls/018f3c2e-7a51-7cc4-9d1e-0242ac120002/evidence',
    '/work/parapet/apps/server/src/kernel/observe/redactFields.ts:120:14',
    'tenant-018f3c2e-7a51-7cc4-9d1e-0242ac120002',
    'kernel-0040-tenant-data-key-and-platform-signing-key',
    'the risk_register_entry_was_moved_by_its_owner_today',
  ]
  for (const text of texts) expect(redactText(text)).toBe(text)
})

test('C62 a line stays valid JSON whatever the texts in it are', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      `\n${apiKey}`,
      `\\n${jwt}`,
      `"${pem}"`,
      '-----BEGIN A-----\\"',
      'Bearer \\aaaaaaaaaaa"',
      '://a:b\\@',
    ),
    fc.stringMatching(/^[\\"nrtu\-A-Za-z0-9+/_=.:@ ]{30,120}$/),
  )
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 4 }), (texts) => {
      const parsed = JSON.parse(redactText(JSON.stringify({ texts, after: 'here' })))
      expect(parsed.after).toBe('here')
      expect(parsed.texts).toHaveLength(texts.length)
    }),
    { numRuns: 2_000 },
  )
})

test('C62 random keys of 32 bytes never survive', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 64 }), (bytes) => {
      // Degenerate draws such as all zeros are runs of one letter, which no shape can tell from a word.
      fc.pre(new Set(bytes).size >= 16)
      for (const encoding of ['base64', 'base64url'] as const) {
        const text = Buffer.from(bytes).toString(encoding)
        expect(redactText(text)).not.toContain(text.slice(4, 30))
      }
    }),
  )
})

describe('C62 secrets are known by their name', () => {
  test.each([
    'password',
    'X-API-Key',
    'client_secret',
    'refreshToken',
    'Authorization',
    'set-cookie',
    'SAMLResponse',
    'new_password',
  ])('%s', (name) => {
    expect(isSecretName(name)).toBe(true)
    expect(redactFields({ deep: [{ [name]: 'x' }] })).toEqual({ deep: [{ [name]: redacted }] })
  })

  test.each(['token_count', 'max_iterations', 'key_id', 'monkey', 'secretary'])('%s is not one', (name) => {
    expect(isSecretName(name)).toBe(false)
  })
})

test('an error gives its message, stack, code and cause, and nothing a driver hung on it', () => {
  const error = Object.assign(new Error('duplicate key', { cause: new Error('below') }), {
    code: '23505',
    detail: 'Key (email)=(ann@example.com) already exists.',
  })
  const copy = JSON.stringify(redactFields({ error }))
  expect(copy).toContain('23505')
  expect(copy).toContain('below')
  expect(copy).not.toContain('ann@example.com')
})

test('cycles, depth and bytes are bounded', () => {
  const loop: Record<string, unknown> = { bytes: new Uint8Array(5), big: 10n }
  loop.self = loop
  const text = JSON.stringify(redactFields(loop))
  expect(text).toContain('[5 bytes]')
  expect(text).toContain('[deep]')
})
