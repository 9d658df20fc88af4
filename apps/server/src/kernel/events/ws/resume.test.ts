import { describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { tenantA, until } from '../../testing/event-world.ts'
import { emit, numbersOf, request, signedIn, useStream, world } from '../../testing/stream-world.ts'

useStream()

describe('resume', () => {
  test('continues behind the last event seen, without hole or double, and then goes on live', async () => {
    const before = await signedIn('ann', { channels: ['gateway.request.completed'] })
    await emit([1, 2, 3])
    await until(() => before.events.length === 3)
    await emit(Array.from({ length: 1_200 }, (_, index) => index + 4))
    const after = await signedIn('ann', {
      channels: ['gateway.request.completed'],
      resume: String(before.events[1]?.id),
    })
    await emit([2_000])
    await until(() => numbersOf(after).includes(2_000))
    expect(numbersOf(after)).toEqual([3, ...Array.from({ length: 1_200 }, (_, index) => index + 4), 2_000])
    expect(await after.told('replay_started')).toMatchObject({ channel: request.channel, from: before.events[1]?.id })
    await after.told('replay_completed')
  })

  test('tells a gap when the position is not kept, and delivers from the oldest kept event', async () => {
    await emit([1, 2, 3])
    await until(async () => {
      const rows = await world.db.read(tenantA, sql<{ n: number }>`select count(*)::int as n from outbox`)
      return rows[0]?.n === 0
    })
    await world.db.system('test', (tx) =>
      tx.execute(
        sql`delete from event_log where data ->> 'n' <> '3' or sequence < (select max(sequence) from event_log)`,
      ),
    )
    const gone = `${(world.clock.now() - 30 * 86_400_000)
      .toString(16)
      .padStart(12, '0')
      .replace(/^(.{8})/, '$1-')}-7000-8000-000000000000`
    const client = await signedIn('ann', { channels: ['gateway.request.completed'], resume: gone })
    expect(await client.told('gap')).toMatchObject({ requested_event_id: gone, reason: 'expired' })
    await until(() => client.events.length === 1)
    expect(numbersOf(client)).toEqual([3])
  })

  test('a position that is no event id is refused', async () => {
    const client = await signedIn('ann')
    client.say({ type: 'subscribe', channels: ['gateway.*'], resume: 'yesterday' })
    expect(await client.told('error')).toMatchObject({ error_code: 'API-024', fatal: false })
  })

  test('a durable name continues where its client stopped, and the newest connection takes it over', async () => {
    const first = await signedIn('ann', { channels: ['gateway.request.completed'], durable: 'siem' })
    await emit([1, 2, 3])
    await until(() => first.events.length === 3)
    first.say({ type: 'ack', positions: { [request.channel]: first.events[1]?.id } })
    await first.told('acknowledged')
    const second = await signedIn('ann', { channels: ['gateway.request.completed'], durable: 'siem' })
    await until(() => second.events.length === 1)
    expect(numbersOf(second)).toEqual([3])
    await first.told('going_away')
    await until(() => first.closed !== null)
    expect(first.closed?.code).toBe(1001)
  })
})
