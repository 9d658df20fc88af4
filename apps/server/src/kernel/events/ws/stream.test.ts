import { describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { tenantA, tenantB, until } from '../../testing/event-world.ts'
import {
  actorOf,
  connect,
  emit,
  inSeconds,
  notification,
  numbersOf,
  signedIn,
  tokens,
  users,
  useStream,
  world,
} from '../../testing/stream-world.ts'

useStream()

describe('a client that knows only authenticate and subscribe', () => {
  test('reads CloudEvents of the channels it asked for', async () => {
    const client = await signedIn('ann', { channels: ['gateway.request.completed'] })
    await emit([1])
    await until(() => client.events.length === 1)
    const [event] = client.events
    expect(event).toMatchObject({
      specversion: '1.0',
      type: 'com.parapet.gateway.RequestCompleted',
      source: 'https://parapet.example/api/v1/gateway',
      subject: 'request-1',
      channel: 'gateway.request.completed',
      datacontenttype: 'application/json',
      causationdepth: 0,
      data: { n: 1, tenant_id: tenantA },
    })
    expect(event?.sequence).toMatch(/^\d{20}$/)
  })

  test('is told who it is and what it may do', async () => {
    const client = await connect()
    client.say({ type: 'authenticate', token: 'ann', request: 'r1' })
    expect(await client.told('authenticated')).toMatchObject({
      tenant_id: tenantA,
      user_id: users.ann,
      permissions: ['gateway:read', 'trust:read', 'platform:read'],
      expires_at: new Date(inSeconds(3_600) * 1_000).toISOString(),
      reply_to: 'r1',
      limits: { max_channels: 100, max_message_bytes: 65_536, messages_per_second: 10 },
    })
  })
})

describe('who gets which events', () => {
  test('C10 events of another tenant never arrive', async () => {
    const client = await signedIn('ann', { channels: ['*'] })
    await emit([1], tenantB)
    await emit([2])
    await until(() => client.events.length === 1)
    expect(numbersOf(client)).toEqual([2])
  })

  test('channels without permission and unknown channels are refused by name, the others are given', async () => {
    const client = await signedIn('ben', {
      channels: [
        'trust.*',
        'gateway.request.completed',
        'gateway.*',
        'risk.nothing.here',
        'aegis.kill_switch.activated',
      ],
    })
    const told = await client.told('subscribed')
    expect(told.channels).toEqual(['trust.score.updated'])
    expect(told.patterns).toEqual(['trust.*'])
    expect(told.rejected).toMatchObject([
      { channel: 'gateway.request.completed', error_code: 'AUTH-004' },
      { channel: 'gateway.*', error_code: 'AUTH-004' },
      { channel: 'risk.nothing.here', error_code: 'API-022' },
      { channel: 'aegis.kill_switch.activated', error_code: 'AUTH-004' },
    ])
  })

  test('the kill switch reaches everyone who may read the gateway', async () => {
    const client = await signedIn('ann', { channels: ['aegis.kill_switch.activated'] })
    expect((await client.told('subscribed')).channels).toEqual(['aegis.kill_switch.activated'])
  })

  test('a notification reaches its receivers only, each without the others', async () => {
    const [ann, ben] = await Promise.all(['ann', 'ben'].map((token) => signedIn(token, { channels: ['platform.*'] })))
    await world.db.tenant({ tenantId: tenantA }, async (tx) => {
      await tx.emit(notification, 'n-1', { recipient_user_ids: [users.ben] })
      await tx.emit(notification, 'n-2', { recipient_user_ids: [users.ann, users.ben] })
    })
    await until(() => ann?.events.length === 1 && ben?.events.length === 2)
    expect(ann?.events.map((event) => event.data?.recipient_user_ids)).toEqual([[users.ann]])
    expect(ben?.events.map((event) => event.data?.recipient_user_ids)).toEqual([[users.ben], [users.ben]])
  })

  test('C11 an operator follows another tenant, which its audit log shows; anyone else is refused', async () => {
    tokens.set('op', { actor: actorOf(users.ben, ['gateway:read'], { operator: true }), expiresAt: null })
    const client = await signedIn('op', { channels: ['gateway.*'], tenant_id: tenantB })
    await emit([1])
    await emit([2], tenantB)
    await until(() => client.events.length === 1)
    expect(numbersOf(client)).toEqual([2])
    const entries = await world.db.read(
      tenantB,
      sql<{ action: string; home_tenant_id: string }>`select action, home_tenant_id from audit_entry`,
    )
    expect(entries).toEqual([{ action: 'stream.subscribe', home_tenant_id: tenantA }])
    const stranger = await signedIn('ann')
    stranger.say({ type: 'subscribe', channels: ['gateway.*'], tenant_id: tenantB })
    expect(await stranger.told('error')).toMatchObject({ error_code: 'AUTH-005', fatal: false })
  })
})
