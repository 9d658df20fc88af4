/** OpenAI and the many servers that speak its chat completions, behind the wall of all providers. */
import { exactJson } from '../../../../../../kernel/base/exact-json.ts'
import { fits } from '../../../../../../kernel/schema/fits.ts'
import { callFields, type FieldTable } from '../../../../call/fields.ts'
import type { Asking, NetworkAdapter } from '../../../adapter.ts'
import { faultOfStatus, retryAfterMs, UpstreamFault } from '../../../fault.ts'
import { sse } from '../../../framing.ts'
import { createStreamDecoder, decodeAnswer, errorMessage, parseJson } from '../decode.ts'
import { decodeEmbeddings, encodeEmbeddings } from '../embeddings.ts'
import { encodeRequest, type OpenAiDialect, openAiChatForm } from '../encode.ts'
import { createResponsesDecoder, decodeResponse } from '../responses/decode.ts'
import { encodeResponses, responsesForm } from '../responses/encode.ts'
import { isSealedHere } from '../responses/encode-items.ts'
import { OpenAiModels } from '../schema.ts'

/** What is not native, by field. Prompts are cached by these servers without being told. */
const differing = {
  '/messages/tool_error': 'emulated',
  '/messages/content/audio_url': 'unsupported',
  '/messages/content/file_url': 'unsupported',
  '/messages/content/reasoning': 'unsupported',
  '/top_k': 'unsupported',
  '/max_tokens': 'translated',
  '/reasoning/budget_tokens': 'unsupported',
  '/metadata': 'emulated',
  '/cache_control': 'emulated',
} as const satisfies Partial<FieldTable>

/** As OpenAI takes them; kinds that speak like it say where they differ. */
export const openAiFields = {
  ...(Object.fromEntries(callFields.map((name) => [name, 'native'])) as Record<keyof FieldTable, 'native'>),
  ...differing,
} satisfies FieldTable

interface Differences {
  readonly kind: 'openai' | 'openai_compatible'
  readonly baseUrl: string | null
  readonly fields: FieldTable
  readonly dialect: OpenAiDialect
}

function openAiLike({ kind, baseUrl, fields, dialect }: Differences): NetworkAdapter {
  return {
    kind,
    over: 'network',
    baseUrl,
    forms: [openAiChatForm, 'openai_embeddings'],
    fields,
    framing: sse,
    asksUsage: true,
    request: (asking) => {
      const { call, stream } = asking
      const body = encodeRequest(call, asking, dialect)
      return postTo(asking, '/chat/completions', { body, accept: stream ? sse.contentType : 'application/json' })
    },
    decodeAnswer,
    createStreamDecoder,
    errorOf: ({ status, body, header }) => faultOfStatus(status, errorMessage(body), retryAfterMs(header)),
    models: {
      request: (asking) => ({
        url: urlOf(asking, '/models'),
        method: 'GET',
        headers: { accept: 'application/json', ...authorization(asking) },
      }),
      parse: modelNames,
    },
    embeddings: {
      request: (asking) =>
        postTo(asking, '/embeddings', {
          body: encodeEmbeddings(asking.call, asking.model),
          accept: 'application/json',
        }),
      decode: decodeEmbeddings,
    },
  }
}

function urlOf({ provider }: Asking, path: string): string {
  return `${(provider.baseUrl ?? openAiBaseUrl).replace(/(?<!\/)\/+$/, '')}${path}`
}

interface Posted {
  readonly body: object
  readonly accept: string
}

function postTo(asking: Asking, path: string, { body, accept }: Posted) {
  return {
    url: urlOf(asking, path),
    method: 'POST' as const,
    headers: { 'content-type': 'application/json', accept, ...authorization(asking) },
    body: exactJson(body),
  }
}

/** Whom the call belongs to where a key may speak for several; other servers have no such settings. */
function authorization({ secret, provider: { settings = {} } }: Asking): Record<string, string> {
  const { organization, project } = settings
  return {
    ...(secret === null ? {} : { authorization: `Bearer ${secret.value}` }),
    ...(organization === undefined ? {} : { 'openai-organization': organization }),
    ...(project === undefined ? {} : { 'openai-project': project }),
  }
}

function modelNames(text: string): readonly string[] {
  const list = parseJson(text)
  if (!fits(OpenAiModels, list)) throw new UpstreamFault('invalid', 'its list of models cannot be read')
  return list.data.map(({ id }) => id)
}

const openAiBaseUrl = 'https://api.openai.com/v1'

export const openAiAdapter = openAiLike({
  kind: 'openai',
  baseUrl: openAiBaseUrl,
  fields: openAiFields,
  dialect: { maxTokensField: 'max_completion_tokens', knowsStore: true, knowsDeveloper: true },
})

/** Calls in the form of the vendor's newer interface, which other servers may not have. */
export const openAiResponsesAdapter: NetworkAdapter = {
  ...openAiAdapter,
  forms: [responsesForm],
  takesThought: isSealedHere,
  fields: {
    ...openAiFields,
    '/messages/content/audio': 'unsupported',
    '/messages/content/file_url': 'native',
    '/messages/content/reasoning': 'native',
    '/messages/name': 'unsupported',
    '/frequency_penalty': 'unsupported',
    '/presence_penalty': 'unsupported',
    '/n': 'unsupported',
    '/seed': 'unsupported',
    '/stop': 'unsupported',
  },
  request: (asking) => {
    const { call, model, stream } = asking
    const body = encodeResponses(call, { model, stream })
    return postTo(asking, '/responses', { body, accept: stream ? sse.contentType : 'application/json' })
  },
  decodeAnswer: decodeResponse,
  createStreamDecoder: createResponsesDecoder,
}

export const openAiCompatibleAdapter = openAiLike({
  kind: 'openai_compatible',
  baseUrl: null,
  fields: { ...openAiFields, '/max_tokens': 'native', '/store': 'emulated' },
  dialect: { maxTokensField: 'max_tokens', knowsStore: false, knowsDeveloper: false },
})
