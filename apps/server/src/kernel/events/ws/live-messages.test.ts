import { describe, expect, test } from 'vitest'
import { announceProgress, jobProgress } from '../../jobs/progress.ts'
import { tenantA, tenantB, until } from '../../testing/event-world.ts'
import { actorOf, connect, tokens, users, useStream, world } from '../../testing/stream-world.ts'

useStream()

const jobId = '0190d000-0000-7000-8000-000000000001'
const step = (fraction: number, kind = 'risk.simulation.run', id = jobId) => ({
  job: { tenantId: tenantA, id, kind, key: 'simulation-1', payload: {}, attempt: 1 },
  fraction,
})
const tell = (told: ReturnType<typeof step>, tenantId = tenantA) =>
  world.db.tenant({ tenantId }, (tx) => announceProgress(tx, told))

async function listener(permissions: readonly string[], user: string = users.ann) {
  tokens.set(user, { actor: actorOf(user, permissions), expiresAt: null })
  const client = await connect()
  client.say({ type: 'authenticate', token: user })
  client.say({ type: 'subscribe', channels: [jobProgress.channel] })
  const { channels, rejected } = await client.told('subscribed')
  return { client, channels, rejected }
}

describe('the progress of jobs', () => {
  test('is told to readers of the module that owns the job, and is not kept', async () => {
    const { client, channels } = await listener(['risk:read'])
    expect(channels).toEqual(['job.progress'])
    await tell(step(0.25))
    await tell(step(0.5, 'trust.thin'))
    await tell(step(0.75), tenantB)
    await tell(step(1))
    await until(() => client.events.length >= 2)
    expect(client.events.map(({ type, subject, data }) => [type, subject, data])).toEqual(
      [0.25, 1].map((progress) => [
        'com.parapet.job.Progress',
        jobId,
        { job_id: jobId, kind: 'risk.simulation.run', key: 'simulation-1', progress, tenant_id: tenantA },
      ]),
    )
    const late = await listener(['risk:read'], users.ben)
    await tell(step(0.5, 'risk.simulation.run', '0190d000-0000-7000-8000-000000000002'))
    await until(() => late.client.events.length > 0)
    expect(late.client.events.map(({ data }) => data?.progress)).toEqual([0.5])
  })

  test('is no channel for somebody who may read nothing', async () => {
    const { channels, rejected } = await listener([])
    expect([channels, rejected]).toEqual([[], [expect.objectContaining({ error_code: 'AUTH-004' })]])
  })
})
