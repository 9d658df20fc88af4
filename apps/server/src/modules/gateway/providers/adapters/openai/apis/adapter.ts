/** OpenAI and the many servers that speak its chat completions, behind the wall of all providers. */
import { exactJson } from '../../../../../../kernel/base/exact-json.ts'
import { fits } from '../../../../../../kernel/schema/fits.ts'
import { callFields, type FieldTable } from '../../../../call/fields.ts'
import { type Accepts, plainSigns } from '../../../accepted-call.ts'
import type { Asking, NetworkAdapter } from '../../../adapter.ts'
import { UpstreamFault } from '../../../fault.ts'
import { sse } from '../../../framing.ts'
import { googleSignatureOf } from '../../anthropic/thought-signatures.ts'
import { createStreamDecoder, decodeAnswer, parseJson } from '../decode.ts'
import { decodeEmbeddings, encodeEmbeddings } from '../embeddings.ts'
import { encodeRequest, type OpenAiDialect, openAiChatForm } from '../encode.ts'
import { createResponsesDecoder, decodeResponse } from '../responses/decode.ts'
import { encodeResponses, responsesForm } from '../responses/encode.ts'
import { isSealedHere } from '../responses/encode-items.ts'
import { OpenAiModels } from '../schema.ts'
import { errorOf } from '../stream-errors.ts'

/** Fields that are not native. These servers cache prompts on their own. */
const differing = {
  '/messages/tool_error': 'emulated',
  '/messages/content/audio_url': 'unsupported',
  '/messages/content/file_url': 'unsupported',
  // Servers that know it have a member for it; the vendor does not, and earlier thinking may be left out.
  '/messages/content/reasoning': 'translated',
  '/top_k': 'unsupported',
  '/max_tokens': 'translated',
  '/reasoning/budget_tokens': 'translated',
  '/metadata': 'emulated',
  '/cache_control': 'emulated',
} as const satisfies Partial<FieldTable>

/** As OpenAI takes them; kinds that speak like it say where they differ. */
export const openAiFields = {
  ...(Object.fromEntries(callFields.map((name) => [name, 'native'])) as Record<keyof FieldTable, 'native'>),
  ...differing,
} satisfies FieldTable

const anySign = /[\s\S]/

export const openAiAccepts = {
  callIds: { sign: anySign, longest: 40 },
  toolNames: { sign: plainSigns, longest: 64 },
  longestUser: 64,
  mediaInResults: false,
} as const satisfies Accepts

/** Members in which other servers put the thoughts of their models. */
const thoughtMembers: ReadonlySet<string> = new Set([
  ...['reasoning_content', 'reasoning', 'reasoning_details', 'extra_content', 'provider_specific_fields'],
])
export const isThoughtMember = (name: string): boolean => thoughtMembers.has(name)

interface Differences {
  readonly kind: 'openai' | 'openai_compatible'
  readonly baseUrl: string | null
  readonly fields: FieldTable
  readonly dialect: OpenAiDialect
  readonly accepts: Accepts
}

function openAiLike({ kind, baseUrl, fields, dialect, accepts }: Differences): NetworkAdapter {
  return {
    kind,
    accepts,
    takesThought: ({ text, data }) =>
      dialect.knowsThought === true && (text !== '' || googleSignatureOf(data) !== null),
    ...(dialect.knowsThought === true ? {} : { refusesBack: isThoughtMember }),
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
    errorOf,
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
  accepts: openAiAccepts,
})

/** Calls in the form of the vendor's newer interface, which other servers may not have. */
export const openAiResponsesAdapter: NetworkAdapter = {
  ...openAiAdapter,
  forms: [responsesForm],
  takesThought: isSealedHere,
  // Results of tools may hold pictures here, and ids may be longer.
  accepts: { callIds: { sign: anySign, longest: 64 }, toolNames: openAiAccepts.toolNames, longestUser: 64 },
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
  dialect: { maxTokensField: 'max_tokens', knowsStore: false, knowsDeveloper: false, knowsThought: true },
  accepts: { toolNames: { sign: anySign, longest: 64 }, longestUser: 64, mediaInResults: false },
})
