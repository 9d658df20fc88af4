import type { Client } from '@parapet/sdk'

interface Provider {
  readonly id: string
  readonly name: string
  readonly base_url: string | null
}

/** Name of the provider that leads to the stand-in model, and of the only model there. */
export const standIn = { provider: 'stand-in', model: 'stand-in-1' }

/** Made up; the stand-in model asks for none, a real provider would. */
const secrets = [{ id: 'demo', value: 'not-a-real-key-0123456789' }]

/** Registers the stand-in model, or tells an earlier run's provider where the model listens now. */
export async function registerStandIn(client: Client, baseUrl: string): Promise<void> {
  const known = await findProvider(client)
  if (known === null) {
    await client.post('/gateway/providers', {
      name: standIn.provider,
      kind: 'openai_compatible',
      base_url: baseUrl,
      models: [standIn.model],
      secrets,
    })
  } else if (known.base_url !== baseUrl) {
    // Keys are bound to the address they were given for, so a new address needs them again.
    await client.patch(`/gateway/providers/${known.id}`, { base_url: baseUrl, secrets })
  }
}

async function findProvider(client: Client): Promise<Provider | null> {
  for await (const provider of client.list<Provider>('/gateway/providers')) {
    if (provider.name === standIn.provider) return provider
  }
  return null
}
