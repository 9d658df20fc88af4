/** Test support: the input that a step hands to an adapter. */
import { type CanonicalCall, emptyCall } from '../../../call/call.ts'
import type { ProviderSettings } from '../../../schemas/provider.ts'
import type { AskingModel, NetworkAdapter } from '../../adapter.ts'
import type { Credentials } from '../../credentials.ts'
import type { StreamFrame } from '../../framing.ts'

interface Wish {
  readonly call?: CanonicalCall
  readonly model?: string
  readonly stream?: boolean
  readonly baseUrl?: string | null
  readonly settings?: ProviderSettings
  readonly key?: string
  readonly credentials?: Credentials
  readonly now?: number
}

/** Of the kinds that cannot be asked without. */
const needed: ProviderSettings = { region: 'eu-west-1', project: 'acme-1' }

export function askingOf(adapter: NetworkAdapter, wish: Wish = {}): AskingModel {
  const ofVendor = typeof adapter.baseUrl === 'function' ? null : (adapter.baseUrl ?? 'https://example.org')
  const { baseUrl = ofVendor, settings = adapter.needs === undefined ? {} : needed } = wish
  return {
    provider: {
      id: 'p',
      name: 'p',
      kind: adapter.kind,
      baseUrl,
      settings,
      models: [],
      knownModels: [],
      timeouts: { connectMs: 1, firstByteMs: 1, idleMs: 1, totalMs: 1 },
      secrets: [],
      enabled: true,
    },
    secret: { id: 'main', value: wish.key ?? 'key-1', weight: 1, expiresAt: null },
    credentials: wish.credentials ?? { token: () => Promise.resolve('t') },
    now: wish.now ?? 0,
    call: wish.call ?? emptyCall,
    model: wish.model ?? 'm',
    stream: wish.stream ?? false,
  }
}

/** The events of a stream whose bytes are cut at these places. */
export async function eventsOf(
  adapter: NetworkAdapter,
  stream: string | Uint8Array,
  cuts: readonly number[],
  call = emptyCall,
) {
  const decoder = adapter.createStreamDecoder(call)
  const events = []
  for await (const frame of adapter.framing.frames(pieces(stream, cuts))) events.push(...decoder.push(frame))
  return [...events, ...decoder.end()]
}

async function* pieces(stream: string | Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = typeof stream === 'string' ? new TextEncoder().encode(stream) : stream
  let from = 0
  for (const cut of [...cuts, bytes.length]) {
    yield bytes.slice(from, cut)
    from = cut
  }
}

export const frameOf = (data: unknown): StreamFrame => ({ event: null, data: JSON.stringify(data) })
