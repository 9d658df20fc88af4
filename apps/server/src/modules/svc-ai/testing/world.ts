/** The running program with one tenant whose chat model is a server of the test. */
import { createServer } from 'node:http'
import { expect, vi } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'

export interface Model {
  readonly url: string
  /** Bodies that came in. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what was sent freely.
  readonly received: any[]
  /** Makes the answer from what was sent. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  say(make: (body: any) => string): void
  close(): Promise<void>
}

/** A server that answers in the form of OpenAI. */
export async function openModel(): Promise<Model> {
  const received: unknown[] = []
  let make: (body: unknown) => string = () => 'Hello.'
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body: unknown = JSON.parse(Buffer.concat(pieces).toString() || 'null')
    received.push(body)
    const choice = { index: 0, message: { role: 'assistant', content: make(body) }, finish_reason: 'stop' }
    const usage = { prompt_tokens: 11, completion_tokens: 7 }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: 'x', model: 'served-model', choices: [choice], usage }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/v1`,
    received,
    say: (next) => {
      make = next
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

export interface SvcAiWorld {
  readonly world: World
  readonly tenant: TestTenant
  readonly model: Model
  close(): Promise<void>
}

export async function openSvcAi(slug: string): Promise<SvcAiWorld> {
  const world = await openWorld()
  const tenant = await world.tenant(slug)
  const model = await openModel()
  const provider = {
    ...{ name: 'local', kind: 'openai_compatible', base_url: model.url, models: ['test-*'] },
    secrets: [{ id: 'main', value: 'sk-test-0123456789abcdef' }],
  }
  expectStatus(await tenant.admin.post('/gateway/providers', provider), 201)
  await bind(tenant.admin, { provider: 'local', model: 'test-model' })
  return { world, tenant, model, close: () => model.close() }
}

export async function bind(admin: TestClient, target: object) {
  const [binding] = expectStatus(await admin.get('/svc-ai/providers'), 200).body.data.bindings
  return expectStatus(await admin.patch(`/svc-ai/providers/${binding.id}`, target), 200).body.data
}

/** Adds a source of a text and waits until it is indexed. */
export async function addText(client: TestClient, name: string, text: string, over: object = {}) {
  return indexed(client, { name, kind: 'text', text, ...over })
}

export async function indexed(client: TestClient, body: object) {
  const { id } = expectStatus(await client.post('/svc-ai/knowledge-sources', body), 201).body.data
  return settled(client, id)
}

/** The source once it is ready or has failed. */
export async function settled(client: TestClient, id: string) {
  const find = async () => expectStatus(await client.get(`/svc-ai/knowledge-sources?id=${id}`), 200).body.data[0]
  return vi.waitFor(
    async () => {
      const source = await find()
      expect(source?.status).toMatch(/^(?:ready|failed)$/)
      return source
    },
    { timeout: 30_000 },
  )
}

export const search = async (client: TestClient, query: string, over: object = {}) =>
  expectStatus(await client.post('/svc-ai/rag/queries', { query, mode: 'retrieve_only', ...over }), 200).body.data
