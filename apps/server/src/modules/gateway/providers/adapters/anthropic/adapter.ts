/** Anthropic's messages behind the wall of all providers. Tested in the tests beside each file and in anthropic.test.ts. */
import { exactJson } from '../../../../../kernel/base/exact-json.ts'
import { fits } from '../../../../../kernel/schema/fits.ts'
import { callFields, type FieldTable } from '../../../call/fields.ts'
import { plainSigns } from '../../accepted-call.ts'
import type { Asking, AskingModel, NetworkAdapter } from '../../adapter.ts'
import { faultOfStatus, retryAfterMs, UpstreamFault } from '../../fault.ts'
import { sse } from '../../framing.ts'
import { messageInBody } from '../../said-error.ts'
import { decodeAnswer } from './decode.ts'
import { encodeRequest } from './encode.ts'
import { isSignedHere } from './encode-blocks.ts'
import { parseJson } from './errors.ts'
import { anthropicForm } from './own-events.ts'
import { betasAt } from './put-back.ts'
import { AnthropicModels } from './schema.ts'
import { createStreamDecoder } from './stream.ts'

/** Fields that are not native. The vendor keeps no answers, so there is nothing to switch off. */
const fields = {
  ...(Object.fromEntries(callFields.map((name) => [name, 'native'])) as Record<keyof FieldTable, 'native'>),
  '/messages/name': 'unsupported',
  '/messages/content/image_url': 'translated',
  '/messages/content/image_url/detail': 'unsupported',
  '/messages/content/audio': 'unsupported',
  '/messages/content/audio_url': 'unsupported',
  '/messages/content/file': 'translated',
  '/messages/content/file_url': 'translated',
  '/messages/content/file/filename': 'translated',
  '/frequency_penalty': 'unsupported',
  '/presence_penalty': 'unsupported',
  '/n': 'unsupported',
  '/seed': 'unsupported',
  '/stop': 'translated',
  '/logprobs': 'unsupported',
  '/top_logprobs': 'unsupported',
  '/tools': 'translated',
  '/tool_choice': 'translated',
  '/parallel_tool_calls': 'translated',
  '/response_format': 'translated',
  '/reasoning/effort': 'translated',
  '/reasoning/budget_tokens': 'translated',
  '/user': 'translated',
  '/store': 'emulated',
  '/metadata': 'emulated',
  '/service_tier': 'translated',
} as const satisfies FieldTable

const baseUrl = 'https://api.anthropic.com'
/** The version of the interface this folder speaks. */
const version = '2023-06-01'
const modelsAtOnce = 1000

/** The vendor's own client is given the address without the version, other tools with it. */
function urlOf({ provider }: Asking, path: string): string {
  return `${(provider.baseUrl ?? baseUrl).replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '')}/v1${path}`
}

function headersOf({ secret }: Asking): Record<string, string> {
  return { 'anthropic-version': version, ...(secret === null ? {} : { 'x-api-key': secret.value }) }
}

/** Names of features that are not for everybody yet, as the caller gave them. */
function betaHeader({ call }: AskingModel): Record<string, string> {
  const betas = call.extra.find(({ form, at }) => form === anthropicForm && at === betasAt)?.value
  return Array.isArray(betas) && betas.length > 0 ? { 'anthropic-beta': betas.join(',') } : {}
}

export const anthropicAdapter: NetworkAdapter = {
  kind: 'anthropic',
  over: 'network',
  accepts: {
    callIds: { sign: plainSigns, longest: null },
    toolNames: { sign: plainSigns, longest: 64 },
    jsonObject: false,
  },
  baseUrl,
  forms: [anthropicForm],
  fields,
  takesThought: isSignedHere,
  framing: sse,
  request: (asking) => ({
    url: urlOf(asking, '/messages'),
    method: 'POST',
    headers: {
      ...headersOf(asking),
      ...betaHeader(asking),
      'content-type': 'application/json',
      accept: asking.stream ? sse.contentType : 'application/json',
    },
    body: exactJson(encodeRequest(asking.call, asking)),
  }),
  decodeAnswer,
  createStreamDecoder,
  errorOf: ({ status, body, header }) => faultOfStatus(status, messageInBody(body), retryAfterMs(header)),
  models: {
    request: (asking) => ({
      url: urlOf(asking, `/models?limit=${modelsAtOnce}`),
      method: 'GET',
      headers: { ...headersOf(asking), accept: 'application/json' },
    }),
    parse: (text) => {
      const list = parseJson(text)
      if (!fits(AnthropicModels, list)) throw new UpstreamFault('invalid', 'its list of models cannot be read')
      return list.data.map(({ id }) => id)
    },
  },
  embeddings: null,
}
