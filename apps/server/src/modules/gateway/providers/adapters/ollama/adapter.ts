/** Ollama behind the wall of all providers. Tested in ollama.test.ts and adapters.test.ts. */
import { exactJson } from '../../../../../kernel/base/exact-json.ts'
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { CanonicalCall } from '../../../call/call.ts'
import { callFields, type FieldTable } from '../../../call/fields.ts'
import type { Asking, NetworkAdapter } from '../../adapter.ts'
import { faultOfStatus, retryAfterMs, UpstreamFault } from '../../fault.ts'
import { ndjson } from '../../framing.ts'
import { messageInBody } from '../../said-error.ts'
import { parseJson } from '../openai/decode.ts'
import { withoutNulls } from '../openai/encode.ts'
import { createStreamDecoder, decodeAnswer, decodeEmbeddings } from './decode.ts'
import { encodeRequest } from './encode.ts'
import { OllamaTags } from './schema.ts'

/** Fields that are not native. The server keeps only prompts in memory, on its own. */
const fields = {
  ...(Object.fromEntries(callFields.map((name) => [name, 'native'])) as Record<keyof FieldTable, 'native'>),
  '/messages/name': 'unsupported',
  '/messages/tool_error': 'emulated',
  '/messages/content/image_url': 'translated',
  '/messages/content/image_url/detail': 'unsupported',
  '/messages/content/audio': 'unsupported',
  '/messages/content/audio_url': 'unsupported',
  '/messages/content/file': 'unsupported',
  '/messages/content/file_url': 'unsupported',
  '/messages/content/file/filename': 'unsupported',
  '/messages/content/reasoning': 'translated',
  '/max_tokens': 'translated',
  '/n': 'unsupported',
  '/tools/strict': 'unsupported',
  '/tool_choice': 'unsupported',
  '/parallel_tool_calls': 'unsupported',
  '/response_format': 'translated',
  '/reasoning/effort': 'translated',
  '/reasoning/budget_tokens': 'unsupported',
  '/user': 'emulated',
  '/store': 'emulated',
  '/metadata': 'emulated',
  '/service_tier': 'unsupported',
  '/cache_control': 'emulated',
} as const satisfies FieldTable

/** People copy the address with or without the path that all of these begin with. */
function urlOf({ provider }: Asking, path: string): string {
  return `${(provider.baseUrl ?? '').replace(/(?<!\/)\/+$/, '').replace(/\/(?:api|v1)$/, '')}/api${path}`
}

/** It wants no key itself; its cloud does, and so do servers that stand before it. */
function keyOf({ secret }: Asking): Record<string, string> {
  return secret === null ? {} : { authorization: `Bearer ${secret.value}` }
}

function post(asking: Asking, path: string, body: object) {
  return {
    url: urlOf(asking, path),
    method: 'POST' as const,
    headers: { ...keyOf(asking), 'content-type': 'application/json' },
    body: exactJson(body),
  }
}

function encodeEmbeddings({ embed }: CanonicalCall, model: string): Record<string, unknown> {
  const inputs = embed?.inputs ?? []
  if (inputs.some((input) => typeof input !== 'string'))
    throw new UpstreamFault('bad_request', 'This kind of provider embeds texts, not lists of tokens.')
  // A text that is too long is refused, not cut.
  return withoutNulls({ model, input: inputs, dimensions: embed?.dimensions ?? null, truncate: false })
}

export const ollamaAdapter: NetworkAdapter = {
  kind: 'ollama',
  over: 'network',
  baseUrl: null,
  forms: [],
  fields,
  framing: ndjson,
  request: (asking) => post(asking, '/chat', encodeRequest(asking.call, asking)),
  decodeAnswer,
  createStreamDecoder,
  errorOf: ({ status, body, header }) => faultOfStatus(status, messageInBody(body), retryAfterMs(header)),
  models: {
    request: (asking) => ({ url: urlOf(asking, '/tags'), method: 'GET', headers: keyOf(asking) }),
    parse: (text) => {
      const list = parseJson(text)
      if (!fits(OllamaTags, list)) throw new UpstreamFault('invalid', 'its list of models cannot be read')
      return list.models.map(({ name }) => name)
    },
  },
  embeddings: {
    request: (asking) => post(asking, '/embed', encodeEmbeddings(asking.call, asking.model)),
    decode: decodeEmbeddings,
  },
}
