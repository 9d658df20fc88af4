/** The official client of OpenAI against the running program, and a provider on a local port that speaks its form. */
import OpenAI, { type ClientOptions } from 'openai'
import type { TestClient } from '../../../../test/support/client.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { addProvider } from './support.ts'
import { openUpstream, type Upstream } from './upstream.ts'

export interface OpenAiWorld {
  readonly world: World
  readonly tenant: TestTenant
  readonly admin: TestClient
  /** `http://127.0.0.1:<port>` */
  readonly address: string
  readonly upstream: Upstream
  readonly key: string
  readonly openai: OpenAI
  /** A client with a key that holds these permissions. */
  client(scopes: readonly string[], options?: Partial<ClientOptions>): Promise<OpenAI>
  with(options: Partial<ClientOptions>): OpenAI
  close(): Promise<void>
}

/** The provider `local` has the models `test-*`. @param provider more that it is told to do */
export async function openOpenAiWorld(provider: object = {}): Promise<OpenAiWorld> {
  const world = await openWorld()
  const upstream = await openUpstream()
  const tenant = await world.tenant('acme')
  const { admin } = tenant
  await addProvider(admin, 'local', upstream, { models: ['test-model', 'test-*'], ...provider })
  const address = await world.address()
  const keyWith = async (scopes: readonly string[]): Promise<string> => {
    const made = await admin.post('/iam/api-keys', { name: scopes.join(), scopes })
    return expectStatus(made, 201).body.data.secret
  }
  const baseURL = `${address}/api/v1/gateway/openai/v1`
  const clientOf = (apiKey: string, options: Partial<ClientOptions> = {}) =>
    new OpenAI({ apiKey, baseURL, maxRetries: 0, ...options })
  const key = await keyWith(['gateway:write'])
  return {
    world,
    tenant,
    admin,
    address,
    upstream,
    key,
    openai: clientOf(key),
    client: async (scopes, options) => clientOf(await keyWith(scopes), options),
    with: (options) => clientOf(key, options),
    close: async () => {
      await upstream.close()
      await world.close()
    },
  }
}
