import { describe, expect, test } from 'vitest'
import { tenantA, until } from '../../testing/event-world.ts'
import {
  actorOf,
  connect,
  emit,
  inSeconds,
  numbersOf,
  signedIn,
  stream,
  tokens,
  users,
  useStream,
  world,
} from '../../testing/stream-world.ts'

useStream()

describe('expiry and revocation', () => {
  test('C23 nothing is delivered from the moment the token ends', async () => {
    tokens.set('short', { actor: actorOf(users.ann, ['gateway:read']), expiresAt: inSeconds(20) })
    const client = await signedIn('short', { channels: ['gateway.*'] })
    world.clock.advance(1_000)
    expect(await client.told('token_expiring')).toMatchObject({ expires_in_ms: expect.any(Number) })
    world.clock.advance(15_000)
    await emit([1])
    await until(() => client.events.length === 1)
    world.clock.advance(4_000)
    await emit([2])
    await until(() => client.closed !== null)
    expect(client.closed).toEqual({ code: 4401, reason: 'AUTH-003' })
    expect(numbersOf(client)).toEqual([1])
  })

  test('a fresh token of the same person keeps the subscriptions; another identity ends the connection', async () => {
    const client = await signedIn('ann', { channels: ['gateway.*'] })
    tokens.set('ann-2', { actor: actorOf(users.ann, ['gateway:read']), expiresAt: inSeconds(7_200) })
    client.say({ type: 'authenticate', token: 'ann-2' })
    await until(() => client.frames.filter((frame) => frame.type === 'authenticated').length === 2)
    await emit([41])
    await until(() => numbersOf(client).includes(41))
    client.say({ type: 'authenticate', token: 'ben' })
    await until(() => client.closed !== null)
    expect(client.closed?.code).toBe(4403)
  })

  test('C03 C23 a revocation closes the connection at once', async () => {
    const client = await signedIn('ann', { channels: ['gateway.*'] })
    const credential = tokens.get('ann')
    if (credential !== undefined) credential.revoked = true
    await world.db.tenant({ tenantId: tenantA }, (tx) => tx.announce('auth.revoked', users.ann, { scope: 'user' }))
    await until(() => client.closed !== null)
    expect(client.closed).toEqual({ code: 4401, reason: 'AUTH-002' })
  })

  test('C23 a lost permission takes the channel away, a suspended tenant the connection', async () => {
    const client = await signedIn('ann', { channels: ['gateway.*', 'trust.*'] })
    tokens.set('ann', { actor: actorOf(users.ann, ['trust:read']), expiresAt: null })
    await world.db.tenant({ tenantId: tenantA }, (tx) => tx.announce('auth.rights', users.ann))
    expect(await client.told('unsubscribed')).toMatchObject({
      channels: ['gateway.request.completed', 'gateway.request.blocked'],
      reason: 'permission_lost',
    })
    tokens.set('ann', { actor: actorOf(users.ann, ['trust:read'], { tenantStatus: 'suspended' }), expiresAt: null })
    await world.db.tenant({ tenantId: tenantA }, (tx) => tx.announce('auth.rights', users.ann))
    await until(() => client.closed !== null)
    expect(client.closed).toEqual({ code: 4403, reason: 'AUTH-016' })
  })
})

describe('what ends a connection', () => {
  test.each([
    ['a bad token', { type: 'authenticate', token: 'nobody' }, 4401, 'AUTH-002'],
    ['no token', { type: 'authenticate' }, 4401, 'AUTH-001'],
  ])('%s', async (_name, message, code, reason) => {
    const client = await connect()
    client.say(message)
    expect(await client.told('error')).toMatchObject({ error_code: reason, fatal: true })
    await until(() => client.closed !== null)
    expect(client.closed).toEqual({ code, reason })
  })

  test('the third violation', async () => {
    const client = await connect()
    client.say({ type: 'subscribe', channels: ['*'] })
    expect(await client.told('error')).toMatchObject({ error_code: 'API-025', fatal: false })
    client.say('{')
    client.say({ type: 'dance' })
    await until(() => client.closed !== null)
    expect(client.frames.map((frame) => frame.error_code)).toEqual(['API-025', 'API-021', 'API-020'])
    expect(client.closed).toEqual({ code: 4400, reason: 'API-020' })
  })

  test('C23 a binary frame, a frame over 64 KiB, too many frames', async () => {
    const [binary, large, fast] = [await signedIn('ann'), await signedIn('ann'), await signedIn('ann')]
    binary.socket.send(Buffer.from('{}'))
    large.say({ type: 'ping', id: 'x'.repeat(65_600) })
    for (let n = 0; n < 40; n += 1) fast.say({ type: 'ping' })
    await until(() => binary.closed !== null && large.closed !== null && fast.closed !== null)
    expect([binary, large, fast].map((client) => client.closed?.code)).toEqual([4400, 1009, 4429])
  })

  test('C23 silence: before authentication, without pongs, without a subscription', async () => {
    const stranger = await connect()
    world.clock.advance(10_000)
    await until(() => stranger.closed !== null)
    expect(stranger.closed?.code).toBe(4408)
    const idle = await signedIn('ben')
    const deaf = await signedIn('ben', { channels: ['trust.*'] })
    deaf.socket.pong = () => undefined
    idle.socket.pong = () => undefined
    world.clock.advance(76_000)
    await until(() => deaf.closed !== null)
    expect(deaf.closed?.code).toBe(4440)
  })

  test('going away says when to come back', async () => {
    const client = await signedIn('ann')
    const closing = stream.close()
    expect(await client.told('going_away')).toMatchObject({ reconnect_after_ms: expect.any(Number) })
    await until(() => client.closed !== null)
    world.clock.advance(1_000)
    await closing
    expect(client.closed?.code).toBe(1001)
  })

  test('C23 a filter and more than 100 channels are refused without ending it', async () => {
    const client = await signedIn('ann')
    client.say({ type: 'subscribe', channels: ['*'], filter: 'event.data.n > 1', request: 7 })
    client.say({ type: 'subscribe', channels: Array.from({ length: 101 }, (_, n) => `a.b.c${n}`) })
    await until(() => client.frames.filter((frame) => frame.type === 'error').length === 2)
    const errors = client.frames.filter((frame) => frame.type === 'error')
    expect(errors).toMatchObject([{ error_code: 'API-021', reply_to: 7 }, { error_code: 'API-023' }])
    expect(client.closed).toBeNull()
  })
})

describe('the door', () => {
  const refused = async (options: Parameters<typeof connect>[0]): Promise<string> => {
    const error = await connect(options).catch((reason: unknown) => reason)
    return error instanceof Error ? error.message : 'connected'
  }
  test('C23 a token in the address is refused', async () => {
    expect(await refused({ path: '?access_token=x' })).toContain('400')
  })
  test('C23 C44 a foreign origin is refused, an allowed one and the own are not', async () => {
    expect(await refused({ headers: { origin: 'https://evil.example' } })).toContain('403')
    expect(await refused({ headers: { origin: 'https://console.example' } })).toBe('connected')
    expect(await refused({ headers: { origin: 'https://parapet.example' } })).toBe('connected')
  })
  test('another path is not found', async () => {
    expect(await refused({ path: '/other' })).toContain('404')
  })
  test('a credential in a header counts as authenticate', async () => {
    const client = await connect({ headers: { authorization: 'Bearer ann' } })
    await client.told('authenticated')
  })
  test('with the CloudEvents subprotocol every frame is a CloudEvent', async () => {
    const client = await connect({ protocol: 'cloudevents.json', headers: { 'x-api-key': 'ann' } })
    const frame = await client.told('com.parapet.stream.Authenticated')
    expect(client.socket.protocol).toBe('cloudevents.json')
    expect(frame).toMatchObject({
      specversion: '1.0',
      source: 'https://parapet.example/ws',
      data: { type: 'authenticated' },
    })
  })
})
