import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { asOwner, script } from '../db/owner.ts'
import { sql } from '../db/sql.ts'
import { closeAll, egressWith, listen } from '../egress/testing/upstream.ts'
import { s3PlaceOf } from '../s3/place.ts'
import { bucketKey, type TestBucket, testBucket } from '../s3/testing/bucket.ts'
import { openWorld, tenantA, tenantB, until, type World } from '../testing/event-world.ts'
import type { CheckpointSink } from './checkpoint.ts'
import { checkpointCheck } from './checkpoint-health.ts'
import { createWebhookSink } from './checkpoint-sinks.ts'
import { type CheckpointPlace, createDelivery, type Delivery } from './deliver.ts'
import { createS3Sink } from './s3-sink.ts'

let world: World
const running: Delivery[] = []
const tenants = async () => [tenantA, tenantB]

beforeAll(async () => {
  world = await openWorld()
})
beforeEach(() => asOwner(world.driver, (run) => run(script('truncate audit_checkpoint, audit_delivery, audit_seal'))))
afterEach(async () => {
  await Promise.all(running.splice(0).map((delivery) => delivery.stop()))
  await closeAll()
})
afterAll(() => world.close())

async function made(size: number, tenantId = tenantA): Promise<void> {
  await world.db.tenant({ tenantId }, (tx) =>
    tx.execute(sql`
      insert into audit_checkpoint (tenant_id, id, size, head_hash, note, at)
      values (${tenantId}, ${world.random.uuid()}, ${size}, ${'ab'.repeat(32)}, ${`note of ${size}\n`}, ${world.clock.iso()})`),
  )
}

/** A place that takes every note, unless it is set to refuse. */
function place(name: CheckpointPlace['name'] = 's3') {
  const taken: string[] = []
  const state = { refuses: (_size: number): boolean => false }
  const sink: CheckpointSink = {
    write: async ({ tenantId, size }) => {
      if (state.refuses(size)) throw new Error('out of reach')
      taken.push(`${tenantId === tenantA ? 'a' : 'b'}${size}`)
    },
  }
  return { taken, state, place: { name, sink } }
}

async function start(...places: readonly CheckpointPlace[]): Promise<Delivery> {
  const delivery = createDelivery({ ...world, tenants, places })
  running.push(delivery)
  await delivery.start()
  return delivery
}

/** Time goes on, so that pauses after failures end. */
const settles = (condition: () => boolean | Promise<boolean>) =>
  until(() => {
    world.clock.advance(1_000)
    return condition()
  })
const health = () => checkpointCheck({ ...world, tenants, places: [place().place] }).run(AbortSignal.timeout(20_000))

test('every place gets every checkpoint once, in order, and a new one begins with the newest', async () => {
  await made(1)
  await made(2)
  await made(5, tenantB)
  const [bucket, hook] = [place('s3'), place('webhook')]
  const delivery = await start(bucket.place, hook.place)
  await settles(() => bucket.taken.length === 2 && hook.taken.length === 2)
  await made(3)
  await made(4)
  delivery.wake()
  await settles(() => bucket.taken.length === 4 && hook.taken.length === 4)
  expect(bucket.taken.filter((name) => name.startsWith('a'))).toEqual(['a2', 'a3', 'a4'])
  expect([...bucket.taken].sort()).toEqual([...hook.taken].sort())
  expect(bucket.taken).toContain('b5')
  // A taken entry is remembered a moment later.
  await settles(async () => (await health()).observed?.s3_waiting === 0)
})

test('a place that does not answer loses none, holds up no other one, and is seen', async () => {
  await made(1)
  const [bucket, hook] = [place('s3'), place('webhook')]
  bucket.state.refuses = () => true
  await start(bucket.place, hook.place)
  await settles(() => hook.taken.length === 1)
  await made(2)
  await made(3, tenantB)
  await settles(() => hook.taken.length === 3)
  expect(bucket.taken).toEqual([])
  world.clock.advance(20 * 60_000)
  expect(await health()).toMatchObject({ status: 'fail', observed: { s3_waiting: 3 } })
  bucket.state.refuses = () => false
  await settles(() => bucket.taken.length === 3)
  expect(bucket.taken.filter((name) => name.startsWith('a'))).toEqual(['a1', 'a2'])
  await settles(async () => (await health()).status === 'pass')
})

test('a note that one place refuses does not stand before those of other tenants', async () => {
  await made(7)
  await made(1, tenantB)
  const bucket = place()
  bucket.state.refuses = (size) => size === 7
  await start(bucket.place)
  await settles(() => bucket.taken.includes('b1'))
  await made(2, tenantB)
  await settles(() => bucket.taken.includes('b2'))
  expect(bucket.taken).not.toContain('a7')
})

test('what one instance is at is not sent by another one, and is taken over when that one is gone', async () => {
  await made(1)
  await world.db.system('test', (tx) =>
    tx.execute(sql`
      insert into audit_delivery (tenant_id, place, size, claimed_until)
      values (${tenantA}, 's3', 0, '2999-01-01T00:00:00Z')`),
  )
  await made(1, tenantB)
  const bucket = place()
  const delivery = await start(bucket.place)
  await settles(() => bucket.taken.includes('b1'))
  expect(bucket.taken).not.toContain('a1')
  await world.db.system('test', (tx) =>
    tx.execute(sql`update audit_delivery set claimed_until = ${world.clock.iso()} where tenant_id = ${tenantA}`),
  )
  delivery.wake()
  await settles(() => bucket.taken.includes('a1'))
})

test('sealed entries that nobody signs are told', async () => {
  await world.db.system('test', (tx) =>
    tx.execute(sql`
      insert into audit_seal (tenant_id, seq, entry_id, prev_hash, hash, sealed_at)
      values (${tenantA}, 1, ${world.random.uuid()}, 'x', 'y', ${world.clock.iso()})`),
  )
  expect((await health()).status).toBe('pass')
  world.clock.advance(8 * 60_000)
  expect(await health()).toMatchObject({ status: 'warn', observed: { unsigned_oldest_seconds: 480 } })
  await made(1)
  expect((await health()).observed).toMatchObject({ unsigned_oldest_seconds: 0 })
})

test('C61 through real peers: a bucket and a webhook that fail at first have all notes in the end', async () => {
  const bucket: TestBucket = await testBucket()
  bucket.fail(/PUT/, 4)
  const got: string[] = []
  let failures = 2
  const server = createServer(async (request, response) => {
    const body = await text(request)
    failures -= 1
    if (failures < 0) got.push(JSON.parse(body).data.note)
    response.writeHead(failures < 0 ? 204 : 503).end()
  })
  const port = await listen(server)
  const egress = egressWith()
  const credential = `${bucketKey.id}:${bucketKey.secret}`
  const at = s3PlaceOf(`${bucket.endpoint}/backups`, { region: 'eu-test-1', credential })
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const url = `http://127.0.0.1:${port}/`
  const s3 = createS3Sink({ egress, clock: systemClock(), place: at, lock: { mode: 'governance', days: 1 } })
  await made(1)
  await start(
    { name: 's3', sink: s3 },
    { name: 'webhook', sink: createWebhookSink({ egress, clock: world.clock, url, secret }) },
  )
  await settles(() => got.length === 1 && bucket.files.size === 1)
  await made(2)
  await settles(() => got.length === 2 && bucket.files.size === 2)
  expect(got).toEqual(['note of 1\n', 'note of 2\n'])
  expect([...bucket.files.values()].map(String).sort()).toEqual(['note of 1\n', 'note of 2\n'])
})
