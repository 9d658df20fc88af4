/** Cohere behind the wall of all providers. Tested in cohere.test.ts and adapters.test.ts. */
import { exactJson } from '../../../../../kernel/base/exact-json.ts'
import { fits } from '../../../../../kernel/schema/fits.ts'
import { callFields, type FieldTable } from '../../../call/fields.ts'
import { plainSigns } from '../../accepted-call.ts'
import type { Asking, NetworkAdapter } from '../../adapter.ts'
import { faultOfStatus, retryAfterMs, UpstreamFault } from '../../fault.ts'
import { sse } from '../../framing.ts'
import { messageInBody } from '../../said-error.ts'
import { parseJson } from '../openai/decode.ts'
import { decodeAnswer } from './decode.ts'
import { decodeEmbeddings, encodeEmbeddings } from './embed.ts'
import { encodeRequest } from './encode.ts'
import { CohereModels } from './schema.ts'
import { createStreamDecoder } from './stream.ts'

/** Fields that are not native. The vendor keeps no answers to come back to, and caches prompts on its own. */
const fields = {
  ...(Object.fromEntries(callFields.map((name) => [name, 'native'])) as Record<keyof FieldTable, 'native'>),
  '/messages/name': 'unsupported',
  '/messages/tool_error': 'emulated',
  '/messages/content/audio': 'unsupported',
  '/messages/content/audio_url': 'unsupported',
  '/messages/content/file': 'unsupported',
  '/messages/content/file_url': 'unsupported',
  '/messages/content/file/filename': 'unsupported',
  '/messages/content/reasoning': 'translated',
  '/top_p': 'translated',
  '/top_k': 'translated',
  '/n': 'unsupported',
  '/stop': 'translated',
  // Probabilities come per piece of text here, not per token of an answer.
  '/logprobs': 'unsupported',
  '/top_logprobs': 'unsupported',
  // For all tools at once.
  '/tools/strict': 'translated',
  '/tool_choice': 'emulated',
  '/parallel_tool_calls': 'unsupported',
  '/response_format': 'translated',
  '/reasoning/effort': 'translated',
  '/reasoning/budget_tokens': 'translated',
  '/user': 'emulated',
  '/store': 'emulated',
  '/metadata': 'emulated',
  '/service_tier': 'unsupported',
  '/cache_control': 'emulated',
} as const satisfies FieldTable

const baseUrl = 'https://api.cohere.com'
const modelsAtOnce = 1000

/** Some write the address with the version that its paths begin with. */
function urlOf({ provider }: Asking, path: string): string {
  return `${(provider.baseUrl ?? baseUrl).replace(/(?<!\/)\/+$/, '').replace(/\/v[12]$/, '')}${path}`
}

function keyOf({ secret }: Asking): Record<string, string> {
  return secret === null ? {} : { authorization: `Bearer ${secret.value}` }
}

const json = 'application/json'

function post(asking: Asking, path: string, { body, accept }: { readonly body: object; readonly accept: string }) {
  return {
    url: urlOf(asking, path),
    method: 'POST' as const,
    headers: { ...keyOf(asking), 'content-type': json, accept },
    body: exactJson(body),
  }
}

/** Its own statuses: 498 is a key it has blocked, 499 a call it has cancelled. */
function plainStatus(status: number): number {
  if (status === 498) return 401
  return status === 499 ? 408 : status
}

export const cohereAdapter: NetworkAdapter = {
  kind: 'cohere',
  over: 'network',
  accepts: { toolNames: { sign: plainSigns, longest: 64 }, mediaInResults: false },
  baseUrl,
  forms: [],
  fields,
  framing: sse,
  request: (asking) =>
    post(asking, '/v2/chat', {
      body: encodeRequest(asking.call, asking),
      accept: asking.stream ? sse.contentType : json,
    }),
  decodeAnswer,
  createStreamDecoder,
  errorOf: ({ status, body, header }) => faultOfStatus(plainStatus(status), messageInBody(body), retryAfterMs(header)),
  models: {
    request: (asking) => ({
      url: urlOf(asking, `/v1/models?page_size=${modelsAtOnce}`),
      method: 'GET',
      headers: { ...keyOf(asking), accept: json },
    }),
    parse: (text) => {
      const list = parseJson(text)
      if (!fits(CohereModels, list)) throw new UpstreamFault('invalid', 'its list of models cannot be read')
      const answers = list.models.filter(({ endpoints }) =>
        endpoints?.some((name) => name === 'chat' || name === 'embed'),
      )
      return answers.map(({ name }) => name)
    },
  },
  embeddings: {
    request: (asking) => post(asking, '/v2/embed', { body: encodeEmbeddings(asking.call, asking.model), accept: json }),
    decode: decodeEmbeddings,
  },
}
