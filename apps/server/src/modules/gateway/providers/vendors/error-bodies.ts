import type { ProviderKind } from '../../words/provider-kinds.ts'

/**
 * The body with which a vendor tells of an error, for faults that are injected in its name.
 * Forms: the vendors' API references on errors, as their adapters read them.
 */
export function errorBodyOf(kind: ProviderKind, status: number, message: string): string {
  switch (kind) {
    case 'anthropic':
      return JSON.stringify({ type: 'error', error: { type: anthropicTypes[status] ?? 'api_error', message } })
    case 'google_gemini':
    case 'google_vertex':
      return JSON.stringify({ error: { code: status, message, status: googleStates[status] ?? 'INTERNAL' } })
    case 'aws_bedrock':
    case 'cohere':
      return JSON.stringify({ message })
    case 'ollama':
      return JSON.stringify({ error: message })
    default:
      return JSON.stringify({
        error: { message, type: openAiTypes[status] ?? 'server_error', param: null, code: null },
      })
  }
}

const anthropicTypes: Readonly<Record<number, string>> = { 429: 'rate_limit_error', 529: 'overloaded_error' }
const googleStates: Readonly<Record<number, string>> = { 429: 'RESOURCE_EXHAUSTED', 503: 'UNAVAILABLE' }
const openAiTypes: Readonly<Record<number, string>> = { 429: 'rate_limit_error' }
