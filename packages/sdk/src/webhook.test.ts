import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { verifyWebhook, type WebhookMessage, WebhookRefused } from './webhook.ts'

const key = Buffer.alloc(32, 7)
const secret = `whsec_${key.toString('base64')}`
const now = 1_800_000_000_000
const body = '{"type":"audit.checkpoint.created"}'

function message(over: Partial<WebhookMessage> & { readonly headers?: Record<string, string> } = {}): WebhookMessage {
  const headers: Record<string, string> = {
    'webhook-id': 'checkpoint_1',
    'webhook-timestamp': String(now / 1000),
    ...over.headers,
  }
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  return { secret, body, now, header: (name) => ({ 'webhook-signature': signature, ...headers })[name], ...over }
}

const refusal = (over: Parameters<typeof message>[0]) =>
  verifyWebhook(message(over)).then(
    (id) => id,
    (error: unknown) => (error instanceof WebhookRefused ? error.reason : String(error)),
  )

describe('C53 a message of ours', () => {
  test('is taken, also while its secret is replaced and with signatures of other kinds beside ours', async () => {
    expect(await refusal({})).toBe('checkpoint_1')
    expect(await refusal({ secret: [`whsec_${Buffer.alloc(32, 1).toString('base64')}`, secret] })).toBe('checkpoint_1')
    const own = message().header('webhook-signature')
    expect(await refusal({ headers: { 'webhook-signature': `v1a,xyz v1,AAAA ${own}` } })).toBe('checkpoint_1')
    expect(await refusal({ now: now + 299_000 })).toBe('checkpoint_1')
  })

  test('that was changed, or signed by somebody else, is refused', async () => {
    expect(await refusal({ body: body.replace('created', 'deleted') })).toBe('signature')
    expect(await refusal({ secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` })).toBe('signature')
    const own = message().header('webhook-signature') ?? ''
    for (const signature of ['v1,', 'v1,???', own.replace('v1,', 'v2,'), own.slice(0, -4)])
      expect(await refusal({ headers: { 'webhook-signature': signature } })).toBe('signature')
    expect(await refusal({ headers: { 'webhook-id': 'another', 'webhook-signature': own } })).toBe('signature')
  })

  test('of another time is refused, and so is one that came before', async () => {
    expect(await refusal({ now: now + 301_000 })).toBe('time')
    expect(await refusal({ now: now - 301_000 })).toBe('time')
    const known = new Set<string>()
    const isKnown = (id: string): boolean => known.has(id) || !known.add(id)
    expect(await refusal({ isKnown })).toBe('checkpoint_1')
    expect(await refusal({ isKnown })).toBe('repeated')
  })

  test('without its headers is none', async () => {
    for (const name of ['id', 'timestamp', 'signature'])
      expect(await refusal({ headers: { [`webhook-${name}`]: '' } })).toBe('headers')
    expect(await refusal({ headers: { 'webhook-timestamp': '1e9' } })).toBe('headers')
    expect(await refusal({ secret: 'whsec_' })).toContain('whsec_')
  })
})
