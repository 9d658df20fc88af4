import type { CanonicalCall } from '../../call/call.ts'
import type { ProviderKind } from '../../words/provider-kinds.ts'
import type { KeyForm, ProviderAdapter } from '../adapter.ts'
import { anthropicAdapter } from '../adapters/anthropic/adapter.ts'
import { awsBedrockAdapter } from '../adapters/aws-bedrock/adapter.ts'
import { azureOpenAiAdapter } from '../adapters/azure-openai/adapter.ts'
import { cohereAdapter } from '../adapters/cohere/adapter.ts'
import { echoAdapter } from '../adapters/echo/adapter.ts'
import { googleGeminiAdapter } from '../adapters/google-gemini/adapter.ts'
import { googleVertexAdapter } from '../adapters/google-vertex/adapter.ts'
import { mistralAdapter } from '../adapters/mistral/adapter.ts'
import { ollamaAdapter } from '../adapters/ollama/adapter.ts'
import { openAiAdapter, openAiCompatibleAdapter, openAiResponsesAdapter } from '../adapters/openai/apis/adapter.ts'
import type { Provider } from '../provider.ts'

/** One adapter per kind; a new kind is a folder under adapters/ and a line here. */
const adapters: Readonly<Record<ProviderKind, ProviderAdapter>> = {
  echo: echoAdapter,
  openai: openAiAdapter,
  openai_compatible: openAiCompatibleAdapter,
  anthropic: anthropicAdapter,
  azure_openai: azureOpenAiAdapter,
  mistral: mistralAdapter,
  cohere: cohereAdapter,
  ollama: ollamaAdapter,
  google_gemini: googleGeminiAdapter,
  google_vertex: googleVertexAdapter,
  aws_bedrock: awsBedrockAdapter,
}

export function adapterOf(kind: ProviderKind): ProviderAdapter {
  return adapters[kind]
}

/** The adapter for a call: a vendor may have an interface of its own for calls of one form. */
export function adapterFor(kind: ProviderKind, { form }: Pick<CanonicalCall, 'form'>): ProviderAdapter {
  return kind === 'openai' && form === 'openai_responses' ? openAiResponsesAdapter : adapterOf(kind)
}

type Addressed = Pick<Provider, 'kind' | 'baseUrl' | 'settings'>

/** Where the provider answers: its own address or its vendor's; null where neither is needed or there is none. */
export function addressOf({ kind, baseUrl, settings }: Addressed): string | null {
  return baseUrl ?? vendorAddressOf(kind, settings)
}

function vendorAddressOf(kind: ProviderKind, settings: Addressed['settings']): string | null {
  const adapter = adapterOf(kind)
  if (adapter.over === 'process') return null
  return typeof adapter.baseUrl === 'function' ? adapter.baseUrl(settings ?? {}) : adapter.baseUrl
}

/** Whether the vendor itself answers, and not a server at another address that speaks like it. */
export function isAtVendor({ kind, baseUrl, settings }: Addressed): boolean {
  const own = vendorAddressOf(kind, settings)
  return own !== null && (baseUrl === null || new URL(baseUrl).host === new URL(own).host)
}

/** A key travels in a header, where it is one word, unless its kind says otherwise. */
const oneWord: KeyForm = {
  problemOf: (value) => (/^[\x21-\x7e]+$/.test(value) ? null : 'A key is one word.'),
  nameOf: (value) => value,
}

export function keyFormOf(adapter: ProviderAdapter): KeyForm {
  return adapter.over === 'network' ? (adapter.keyForm ?? oneWord) : oneWord
}

/** Has no address of its vendor's, so that each provider of the kind must say its own. */
export function needsAddress(kind: ProviderKind): boolean {
  const adapter = adapterOf(kind)
  return adapter.over === 'network' && adapter.baseUrl === null
}
