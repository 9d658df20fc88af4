/** Test support: what a step hands to an adapter. */
import { type CanonicalCall, emptyCall } from '../../call/call.ts'
import type { AskingModel, NetworkAdapter } from '../adapter.ts'
import type { StreamFrame } from '../framing.ts'

interface Wish {
  readonly call?: CanonicalCall
  readonly model?: string
  readonly stream?: boolean
  readonly baseUrl?: string | null
  readonly settings?: { readonly deployment?: string; readonly api_version?: string }
}

export function askingOf(adapter: NetworkAdapter, wish: Wish = {}): AskingModel {
  const { baseUrl = adapter.baseUrl ?? 'https://example.org', settings = {} } = wish
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
    secret: { id: 'main', value: 'key-1', weight: 1, expiresAt: null },
    credentials: { token: () => Promise.resolve('t') },
    now: 0,
    call: wish.call ?? emptyCall,
    model: wish.model ?? 'm',
    stream: wish.stream ?? false,
  }
}

/** The events of a stream whose bytes are cut at these places. */
export async function eventsOf(adapter: NetworkAdapter, text: string, cuts: readonly number[], call = emptyCall) {
  const decoder = adapter.createStreamDecoder(call)
  const events = []
  for await (const frame of adapter.framing.frames(pieces(text, cuts))) events.push(...decoder.push(frame))
  return [...events, ...decoder.end()]
}

async function* pieces(text: string, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  let from = 0
  for (const cut of [...cuts, bytes.length]) {
    yield bytes.slice(from, cut)
    from = cut
  }
}

export const frameOf = (data: unknown): StreamFrame => ({ event: null, data: JSON.stringify(data) })
