import type { EgressTimeouts } from '../../../kernel/egress/exchange.ts'

export const providerKinds = ['echo', 'openai', 'openai_compatible'] as const
export type ProviderKind = (typeof providerKinds)[number]

/** One key of a provider's pool, decrypted; lives in memory only. */
export interface ProviderSecret {
  readonly id: string
  readonly value: string
  readonly weight: number
  /** Unix milliseconds; null without end. */
  readonly expiresAt: number | null
}

/** A provider as the pipeline uses it. */
export interface Provider {
  readonly id: string
  readonly name: string
  readonly kind: ProviderKind
  /** Null for the built-in provider. */
  readonly baseUrl: string | null
  /** Patterns of model names; empty allows every known model. */
  readonly models: readonly string[]
  /** Names found at the provider or built in. */
  readonly knownModels: readonly string[]
  readonly timeouts: EgressTimeouts
  readonly secrets: readonly ProviderSecret[]
  readonly enabled: boolean
}

export interface Target {
  readonly provider: Provider
  readonly model: string
}

export const openAiBaseUrl = 'https://api.openai.com/v1'

export function isOffline(provider: Provider): boolean {
  return provider.kind === 'echo'
}

export type FieldSupport = 'native' | 'translated' | 'emulated' | 'unsupported'

const openAiFields = {
  '/messages': 'native',
  '/messages/content/image_url': 'native',
  '/temperature': 'native',
  '/top_p': 'native',
  '/max_tokens': 'translated',
  '/n': 'native',
  '/seed': 'native',
  '/stop': 'native',
  '/tools': 'native',
  '/tool_choice': 'native',
  '/response_format': 'native',
} as const satisfies Record<string, FieldSupport>

/** How each request field reaches a model of the kind; what is unsupported is refused with GW-022, never dropped. */
export const fieldSupport: Readonly<Record<ProviderKind, Readonly<Record<keyof typeof openAiFields, FieldSupport>>>> = {
  openai: openAiFields,
  openai_compatible: { ...openAiFields, '/max_tokens': 'native' },
  echo: {
    '/messages': 'emulated',
    '/messages/content/image_url': 'unsupported',
    '/temperature': 'emulated',
    '/top_p': 'emulated',
    '/max_tokens': 'emulated',
    '/n': 'emulated',
    '/seed': 'emulated',
    '/stop': 'emulated',
    '/tools': 'emulated',
    '/tool_choice': 'unsupported',
    '/response_format': 'emulated',
  },
}

/** Timeouts as stored, in the words of the way out. */
export function timeoutsOf(stored: {
  readonly connect_ms: number
  readonly first_byte_ms: number
  readonly idle_ms: number
  readonly total_ms: number
}): EgressTimeouts {
  return {
    connectMs: stored.connect_ms,
    firstByteMs: stored.first_byte_ms,
    idleMs: stored.idle_ms,
    totalMs: stored.total_ms,
  }
}
