import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { verifyWebhook } from '../../../../../packages/sdk/src/webhook.ts'
import { createRandom } from '../crypto/random.ts'
import { newSecret, rotatedSecrets, secretBytes, signedHeaders, type WebhookSecret } from './sign.ts'

const random = createRandom(Date.now)
const body = JSON.stringify({ type: 'platform.alert.created', data: { text: 'ünïcödé "quoted"' } })
const hourMs = 3_600_000
// The package reads the real clock.
const nowMs = Date.now()

const signed = (secrets: readonly WebhookSecret[], atMs = nowMs) => ({
  ...signedHeaders({ id: 'msg_1', body, secrets }, atMs),
})
const accepts = (secret: string, headers: Record<string, string>, text = body): boolean => {
  try {
    new Webhook(secret).verify(text, headers)
    return true
  } catch {
    return false
  }
}
const current = (value: string): WebhookSecret => ({ value, until: null })

describe('C53 a signed message', () => {
  test('is taken by the reference implementation of Standard Webhooks and by the SDK', async () => {
    const secret = newSecret(random)
    const headers = signed([current(secret)])
    expect(accepts(secret, headers)).toBe(true)
    expect(accepts(secret, headers, body.replace('alert', 'other'))).toBe(false)
    expect(accepts(newSecret(random), headers)).toBe(false)
    expect(await verifyWebhook({ secret, body, header: (name) => headers[name] })).toBe('msg_1')
  })

  test('is signed with both secrets while one replaces the other, and with the new one alone after that', () => {
    const [before, after] = [newSecret(random), newSecret(random)]
    const secrets = rotatedSecrets([current(before)], after, { nowMs, overlapMs: hourMs })
    const during = signed(secrets)
    expect([accepts(before, during), accepts(after, during)]).toEqual([true, true])
    const later = signedHeaders({ id: 'msg_1', body, secrets }, nowMs + hourMs)
    expect(later['webhook-signature']?.split(' ')).toHaveLength(1)
    expect(later['webhook-signature']).toBe(signed([current(after)], nowMs + hourMs)['webhook-signature'])
  })

  test('a second rotation ends the oldest secret, and one without overlap ends all others', () => {
    const rotate = (secrets: readonly WebhookSecret[], next: string, overlapMs = hourMs) =>
      rotatedSecrets(secrets, next, { nowMs, overlapMs })
    const twice = rotate(rotate([current('a')], 'b'), 'c')
    expect(twice.map(({ value }) => value)).toEqual(['c', 'b'])
    expect(rotate(twice, 'd', 0)).toEqual([current('d')])
  })

  test('is not made without a secret in force', () => {
    const over = [{ value: newSecret(random), until: new Date(nowMs).toISOString() }]
    expect(() => signed(over)).toThrow('in force')
    expect(() => signed([])).toThrow('in force')
  })

  test.each(['', 'hunter2', 'whsec_', `whsec_${Buffer.alloc(8).toString('base64')}`])('has no secret %j', (wrong) => {
    expect(() => secretBytes(wrong)).toThrow('24 to 64')
  })
})
