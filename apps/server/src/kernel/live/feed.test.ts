import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRecorders } from '../assembly/recorders.ts'
import { createDatabase } from '../db/database.ts'
import { openWorld, tenantA, until, type World } from '../testing/event-world.ts'
import { createLiveFeed, type LocalLiveFeed } from './feed.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

function heard(feed: LocalLiveFeed): string[] {
  const keys: string[] = []
  feed.on('topic', (key, data, tenantId) => keys.push(`${tenantId === tenantA} ${key} ${String(data.n)}`))
  return keys
}

const announce = (key: string, n: number): Promise<void> =>
  world.db.tenant({ tenantId: tenantA }, (tx) => tx.announce('topic', key, { n }))

test('a change is dispatched once here at the commit and once on every other instance at its poll', async () => {
  const here = createLiveFeed(world)
  const there = createLiveFeed(world)
  world.committed.change = here.committed
  await Promise.all([here.start(), there.start()])
  const [hereHeard, thereHeard] = [heard(here), heard(there)]
  await announce('a', 1)
  expect(hereHeard).toEqual(['true a 1'])
  await until(() => {
    world.clock.advance(1_000)
    return thereHeard.length === 1
  })
  await announce('b', 2)
  there.wake()
  here.wake()
  await until(() => {
    world.clock.advance(1_000)
    return thereHeard.length === 2
  })
  await Promise.all([here.stop(), there.stop()])
  expect(hereHeard).toEqual(['true a 1', 'true b 2'])
  expect(thereHeard).toEqual(hereHeard)
})

test('nothing is told before the commit or after a rollback', async () => {
  const feed = createLiveFeed(world)
  world.committed.change = feed.committed
  const keys = heard(feed)
  const tx = world.db.open({ tenantId: tenantA })
  await tx.announce('topic', 'c', { n: 3 })
  expect(keys).toEqual([])
  await tx.rollback()
  expect(keys).toEqual([])
})

test('a handler that throws does not keep the others from hearing', async () => {
  const feed = createLiveFeed(world)
  world.committed.change = feed.committed
  feed.on('topic', () => {
    throw new Error('broken')
  })
  const keys = heard(feed)
  await announce('d', 4)
  expect(keys).toEqual(['true d 4'])
})

test('the age of the last contact grows while the database cannot be read and falls when it can again', async () => {
  let broken = false
  let failures = 0
  const away = (): Promise<never> => {
    failures += 1
    return Promise.reject(new Error('away'))
  }
  const recorders = createRecorders({ ...world, digest: (text) => text, check: false })
  const real = createDatabase({ driver: world.driver, recorders })
  const feed = createLiveFeed({
    ...world,
    db: { system: (reason, work) => (broken ? away() : real.system(reason, work)) },
  })
  await feed.start()
  broken = true
  await until(() => {
    world.clock.advance(1_000)
    return failures >= 3
  })
  expect(feed.lastContactMs()).toBeGreaterThanOrEqual(2_000)
  broken = false
  await until(() => {
    world.clock.advance(100)
    return feed.lastContactMs() <= 200
  })
  await feed.stop()
})
