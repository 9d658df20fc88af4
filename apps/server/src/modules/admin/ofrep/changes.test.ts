import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import type { TenantId } from '../../../kernel/access/actor.ts'
import { createPlatformKeys } from '../../../kernel/keys/platform-keys.ts'
import { createFakeClock } from '../../../kernel/testing/fake-clock.ts'
import { createFlagChanges } from './changes.ts'
import { readTicket, ticketFor } from './ticket.ts'

const tenantId = '0190c000-0000-7000-8000-00000000000a' as TenantId
const other = '0190c000-0000-7000-8000-00000000000b' as TenantId
const dayMs = 86_400_000

describe('a ticket', () => {
  const keys = createPlatformKeys(new Uint8Array(32).fill(7))
  const now = 1_000 * dayMs + 1

  test('is the same all day, and good until the next one is over', () => {
    const ticket = ticketFor(keys, tenantId, now)
    expect(ticketFor(keys, tenantId, now + dayMs - 2)).toBe(ticket)
    expect(ticketFor(keys, tenantId, now + dayMs)).not.toBe(ticket)
    expect(readTicket(keys, ticket, now)).toEqual({ tenantId, endsAt: 1_002 * dayMs })
    expect(readTicket(keys, ticket, 1_002 * dayMs - 1)).not.toBeNull()
    expect(readTicket(keys, ticket, 1_002 * dayMs)).toBeNull()
  })

  test('C10 is of one tenant and one installation, and cannot be made by hand', () => {
    const ticket = ticketFor(keys, tenantId, now)
    const forged = [ticket.replace(tenantId, other), ticket.replace('.1000.', '.1001.'), `${ticket}x`, 'x', '']
    expect(forged.map((text) => readTicket(keys, text, now))).toEqual(forged.map(() => null))
    expect(readTicket(createPlatformKeys(new Uint8Array(32).fill(8)), ticket, now)).toBeNull()
  })
})

describe('a stream', () => {
  function stage() {
    const clock = createFakeClock(0)
    const listeners = new Set<() => void>()
    const flags = {
      onChange: (_tenantId: TenantId, changed: () => void) => {
        listeners.add(changed)
        return () => void listeners.delete(changed)
      },
    }
    const changes = createFlagChanges({ clock, flags })
    const open = (signal = new AbortController().signal) => changes.open({ tenantId, endsAt: 10 * dayMs }, signal)
    const changed = (): void => {
      for (const listener of listeners) listener()
    }
    return { clock, listeners, open, changed }
  }
  const reader = (answer: { readonly chunks: AsyncIterable<string | Uint8Array> }) => {
    const iterator = answer.chunks[Symbol.asyncIterator]()
    return async () => (await iterator.next()).value
  }

  test('tells changes that come together once, and lives between them', async () => {
    const { clock, open, changed } = stage()
    const next = reader(open())
    expect(await next()).toContain('retry:')
    changed()
    changed()
    expect(await next()).toBe('event: message\ndata: {"type":"refetchEvaluation"}\n\n')
    clock.advance(25_000)
    expect(await next()).toBe(':\n\n')
  })

  test.each([
    ['its client goes', (_: unknown, abort: AbortController) => abort.abort()],
    ['the server closes', (answer: { readonly stop: () => void }) => answer.stop()],
  ])('ends when %s, and leaves nothing behind', async (_, end) => {
    const { listeners, open } = stage()
    const abort = new AbortController()
    const answer = open(abort.signal)
    const next = reader(answer)
    await next()
    end(answer, abort)
    expect(await next()).toBeUndefined()
    expect(listeners.size).toBe(0)
  })

  test('ends after an hour, so that clients spread', async () => {
    const { clock, open } = stage()
    const next = reader(open())
    await next()
    clock.advance(3_600_000)
    expect(await next()).toBeUndefined()
  })

  test('C22 is refused when a tenant has too many, and is free again when one ends', async () => {
    const { open } = stage()
    const all = Array.from({ length: 500 }, () => open())
    expect(() => open()).toThrow(expect.objectContaining({ code: 'API-023' }))
    all[0]?.stop()
    await expect.poll(() => typeof open()).toBe('object')
  })
})

describe('over the wire', () => {
  let world: World
  let alpha: TestTenant
  let address: string

  beforeAll(async () => {
    world = await openWorld({ own: true })
    alpha = await world.tenant('alpha')
    address = await world.address()
  })
  afterAll(() => world?.close())

  const flag = (key: string) => ({
    ...{ key, value_type: 'boolean', default_variant: 'off', off_variant: 'off', status: 'enabled' },
    variants: [
      { key: 'on', value: true },
      { key: 'off', value: false },
    ],
    client_exposed: true,
  })

  async function bulk(query = '') {
    const answer = await fetch(`${address}/ofrep/v1/evaluate/flags${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${alpha.admin.token}` },
      body: '{"context":{}}',
    })
    return (await answer.json()) as {
      readonly flags: readonly { readonly key: string }[]
      readonly eventStreams: readonly { readonly type: string; readonly url: string }[]
    }
  }

  test('a client that listens where the evaluation says hears of a change, asks anew and sees it', async () => {
    const [stream] = (await bulk()).eventStreams
    expect(stream?.type).toBe('sse')
    const { pathname, search } = new URL(stream?.url ?? '')
    const listening = await fetch(`${address}${pathname}${search}`)
    expect([listening.status, listening.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    const reader = listening.body?.getReader()
    const heard: string[] = []
    const hearing = (async () => {
      for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
        heard.push(Buffer.from(next.value).toString())
    })()
    await expect.poll(() => heard.join('')).toContain('retry:')
    expectStatus(await alpha.admin.post('/admin/feature-flags', flag('heard')), 201)
    await expect.poll(() => heard.join('')).toContain('data: {"type":"refetchEvaluation"}\n\n')
    expect((await bulk('?flagConfigEtag=x&flagConfigLastModified=1')).flags.map(({ key }) => key)).toEqual(['heard'])
    // An answer that a closing server does not end goes on for an hour.
    await world.program.app.close()
    await hearing
  })
})
