import type { TestClient } from '../../../../test/support/client.ts'
import { expectStatus } from '../../../../test/support/world.ts'
import type { Upstream } from './upstream.ts'

const timeouts = { connect_ms: 1000, first_byte_ms: 5000, idle_ms: 5000, total_ms: 20_000 }

/** Registers a local server as a provider. */
export async function addProvider(admin: TestClient, name: string, upstream: Upstream, over: object = {}) {
  const body = {
    name,
    kind: 'openai_compatible',
    base_url: upstream.url,
    models: ['test-*'],
    secrets: [{ id: 'main', value: 'sk-test-0123456789abcdef' }],
    timeouts,
    ...over,
  }
  return expectStatus(await admin.post('/gateway/providers', body), 201).body.data
}

export function ask(client: TestClient, content: string, over: object = {}) {
  return client.post('/gateway/chat/completions', {
    model: 'test-model',
    messages: [{ role: 'user', content }],
    cache: { mode: 'off' },
    ...over,
  })
}

export interface Frame {
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read frames freely.
  readonly data: any
}

export function framesOf(text: string): Frame[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event:'))
    .map((block) => {
      const [event = '', data = ''] = block.split('\n')
      return { event: event.slice(7), data: JSON.parse(data.slice(6)) }
    })
}

export function textOf(frames: readonly Frame[]): string {
  return frames
    .filter(({ event }) => event === 'chunk')
    .map(({ data }) => data.data.choices[0].delta.content ?? '')
    .join('')
}
