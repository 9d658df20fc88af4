/** A tenant with a provider that speaks Anthropic's form, one that speaks OpenAI's, and the vendor's own client. */
import Anthropic from '@anthropic-ai/sdk'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { framesOf, sseOf } from './anthropic-shapes.ts'
import { addProvider } from './support.ts'
import { openUpstream, type Reply, raw, type Upstream } from './upstream.ts'

export interface AnthropicWorld {
  readonly world: World
  readonly tenant: TestTenant
  /** Serves `claude-*` in the vendor's form. */
  readonly vendor: Upstream
  /** Serves `test-*` in OpenAI's form. */
  readonly other: Upstream
  /** With an API key of the tenant. */
  readonly client: Anthropic
  clientWith(options: ConstructorParameters<typeof Anthropic>[0]): Anthropic
  close(): Promise<void>
}

export async function openAnthropicWorld(slug: string): Promise<AnthropicWorld> {
  const world = await openWorld()
  const tenant = await world.tenant(slug)
  const [vendor, other] = [await openUpstream(), await openUpstream()]
  await addProvider(tenant.admin, 'vendor', vendor, { kind: 'anthropic', models: ['claude-*'] })
  await addProvider(tenant.admin, 'local', other)
  const address = await world.address()
  const baseURL = `${address}/api/v1/gateway/anthropic`
  const clientWith: AnthropicWorld['clientWith'] = (options) => new Anthropic({ baseURL, maxRetries: 0, ...options })
  const made = await tenant.admin.post('/iam/api-keys', { name: 'sdk', scopes: ['gateway:write'] })
  return {
    world,
    tenant,
    vendor,
    other,
    client: clientWith({ apiKey: expectStatus(made, 201).body.data.secret }),
    clientWith,
    close: async () => {
      await vendor.close()
      await other.close()
      await world.close()
    },
  }
}

export const hello: Anthropic.MessageCreateParamsNonStreaming = {
  model: 'claude-test-1',
  max_tokens: 200,
  messages: [{ role: 'user', content: 'Hello' }],
}
export const echo = { ...hello, model: 'echo-1' }
export const noCache = { headers: { 'x-gateway-cache': 'off' } }

/** A complete answer. */
export function answering(body: object): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }
}

/** A stream of these blocks. */
export function streaming(content: readonly object[], over: object = {}): Reply {
  return raw(sseOf(framesOf(content, over)), 'text/event-stream')
}

export function failing(status: number, type: string): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ type: 'error', error: { type, message: `upstream says ${type}` } }))
  }
}
