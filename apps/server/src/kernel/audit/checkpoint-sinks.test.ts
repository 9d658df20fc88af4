import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { verifyWebhook } from '../../../../../packages/sdk/src/webhook.ts'
import { closeAll, egressWith, httpServer } from '../egress/testing/upstream.ts'
import { tenantA, tenantB } from '../testing/event-world.ts'
import { createFakeClock } from '../testing/fake-clock.ts'
import { createFolderSink, createWebhookSink } from './checkpoint-sinks.ts'

const clock = createFakeClock()
const checkpoint = (size: number) => ({
  tenantId: tenantA,
  size,
  headHash: 'ab'.repeat(32),
  at: clock.iso(),
  note: `note of ${size}\n`,
})
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const folder = await mkdtemp(join(tmpdir(), 'parapet-sinks-'))

afterAll(async () => {
  await closeAll()
  await rm(folder, { recursive: true })
})

describe('the folder', () => {
  test('gives back what it was given, by tenant, and leaves no half file behind', async () => {
    const sink = createFolderSink(folder)
    for (const size of [9, 10, 10, 1_000]) await sink.write(checkpoint(size))
    expect(await sink.read(tenantA)).toEqual(['note of 9\n', 'note of 10\n', 'note of 1000\n'])
    expect(await sink.read(tenantB)).toEqual([])
    expect((await readdir(join(folder, tenantA))).every((name) => name.endsWith('.note'))).toBe(true)
  })
})

describe('the webhook', () => {
  test('C53 is signed as Standard Webhooks asks, with one id for one checkpoint', async () => {
    const got: { headers: IncomingHttpHeaders; body: string }[] = []
    const port = await httpServer(async (request, response) => {
      got.push({ headers: request.headers, body: await text(request) })
      response.writeHead(204).end()
    })
    const sink = createWebhookSink({ egress: egressWith(), clock, url: `http://127.0.0.1:${port}/`, secret })
    await sink.write(checkpoint(5))
    await sink.write(checkpoint(5))
    const [{ headers, body } = { headers: {}, body: '' }, again] = got
    expect(headers['webhook-id']).toBe(again?.headers['webhook-id'])
    expect(JSON.parse(body).data).toMatchObject({ tenant_id: tenantA, size: 5, note: 'note of 5\n' })
    expect(Number(headers['webhook-timestamp'])).toBe(clock.now() / 1000)
    const header = (name: string) => String(headers[name] ?? '')
    expect(await verifyWebhook({ secret, header, body, now: clock.now() })).toBe(headers['webhook-id'])
  })

  test('that refuses a checkpoint is a failure', async () => {
    const port = await httpServer((_request, response) => void response.writeHead(500).end())
    const sink = createWebhookSink({ egress: egressWith(), clock, url: `http://127.0.0.1:${port}/`, secret })
    await expect(sink.write(checkpoint(1))).rejects.toThrow('answered 500')
  })

  test('C53 is not made with a secret of another form', () => {
    const parts = { egress: egressWith(), clock, url: 'https://receiver.example/', secret: 'hunter2' }
    expect(() => createWebhookSink(parts)).toThrow('24 to 64')
  })
})
