import { describe, expect, test } from 'vitest'
import { base62Checksum, crc32 } from '../text/crc32.ts'
import { findSecrets } from './find-secrets.ts'

// Samples are put together here, so that no scanner takes this file for a leak.
const mixed = (length: number): string => 'aB3dE5gH7jK9mN1pQ2sT4vW6yZ8c'.repeat(10).slice(0, length)
const hex = (length: number): string => '0f1e2d3c4b5a6978'.repeat(8).slice(0, length)
const upper = 'Q7RST5VWXYZA2BCDE4FG'
const parapetKey = `ppt_${mixed(12)}_${mixed(43)}`

const samples: readonly (readonly [string, string])[] = [
  ['openai_api_key', `sk-proj-${mixed(60)}`],
  ['openai_api_key', `sk-${mixed(20)}T3BlbkFJ${mixed(20)}`],
  ['anthropic_api_key', `sk-ant-api03-${mixed(93)}AA`],
  ['aws_access_key_id', `AKIA${'Q7RST5VWXYZA2BCD'.replace(/[018 9]/g, 'A')}`],
  ['github_token', `ghp_${mixed(30)}${base62Checksum(mixed(30))}`],
  ['github_token', `github_pat_${mixed(22)}_${mixed(59)}`],
  ['gitlab_token', `glpat-${mixed(20)}`],
  ['slack_token', `xoxb-123456789012-123456789012-${mixed(24)}`],
  ['slack_webhook', `https://hooks.slack.com/services/T${upper.slice(0, 9)}/B${upper.slice(0, 9)}/${mixed(24)}`],
  ['stripe_key', `sk_live_${mixed(32)}`],
  ['google_api_key', `AIza${mixed(35)}`],
  ['sendgrid_key', `SG.${mixed(22)}.${mixed(43)}`],
  ['npm_token', `npm_${mixed(30)}${base62Checksum(mixed(30))}`],
  ['digitalocean_token', `dop_v1_${hex(64)}`],
  ['shopify_token', `shpat_${hex(32)}`],
  ['parapet_api_key', `${parapetKey}_${base62Checksum(parapetKey)}`],
  [
    'jwt',
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jEmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  ],
  ['private_key', `-----BEGIN PRIVATE KEY-----\n${`${mixed(64)}\n`.repeat(4)}-----END PRIVATE KEY-----`],
  [
    'private_key',
    `-----BEGIN OPENSSH PRIVATE KEY-----\\n${`${mixed(64)}\\n`.repeat(4)}-----END OPENSSH PRIVATE KEY-----`,
  ],
]

describe('secrets', () => {
  test.each(samples)('%s is found, alone and between quotes, with its exact place', (type, value) => {
    for (const [before, after] of [
      ['', ''],
      ['key = "', '"'],
      ['the key is ', ', keep it'],
      ['token:', '\n'],
    ] as const) {
      expect(findSecrets(before + value + after)).toMatchObject([
        { type, start: before.length, end: before.length + value.length },
      ])
    }
  })

  test('the checksum is that of the standard check value', () => {
    // CRC catalogue, CRC-32/ISO-HDLC: check("123456789") = 0xCBF43926.
    expect(crc32('123456789')).toBe(0xcbf43926)
    expect(base62Checksum('')).toBe('000000')
  })

  test.each([
    ['a GitHub token with a wrong checksum', `ghp_${mixed(36)}`],
    ['a Parapet key with a wrong checksum', `${parapetKey}_000000`],
    ['a sample key of one letter', `sk-${'x'.repeat(48)}`],
    ['a prefix inside a longer word', `task-proj-${mixed(60)}`],
    ['a private key that is only named', 'paste everything from -----BEGIN PRIVATE KEY----- to the end'],
    ['a placeholder block', '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----'],
    ['a public key', `-----BEGIN PUBLIC KEY-----\n${mixed(64)}\n-----END PUBLIC KEY-----`],
    ['two base64 words that are no token', `eyJ${mixed(20)}.eyJ${mixed(20)}`],
    ['a hash', hex(64)],
  ])('%s is not found', (_name, text) => {
    expect(findSecrets(text)).toEqual([])
  })

  test('a private key that was cut off is found as far as it goes', () => {
    const text = `-----BEGIN RSA PRIVATE KEY-----\n${mixed(64)}\n${mixed(40)}`
    expect(findSecrets(`${text}\n\nthat is all`)).toMatchObject([{ type: 'private_key', start: 0, end: text.length }])
  })

  test('the secret half of an AWS key pair needs its name', () => {
    expect(findSecrets(`AWS_SECRET_ACCESS_KEY=${mixed(40)}`)).toMatchObject([
      { type: 'aws_secret_access_key', start: 22, end: 62 },
    ])
    expect(findSecrets(`commit=${mixed(40)}`)).toEqual([])
  })
})
