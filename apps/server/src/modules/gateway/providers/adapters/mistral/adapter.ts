/** Mistral AI behind the wall of all providers. Tested in mistral.test.ts and adapters.test.ts. */
import { exactJson } from '../../../../../kernel/base/exact-json.ts'
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { AnswerEvent } from '../../../call/call.ts'
import { callFields, type FieldTable } from '../../../call/fields.ts'
import { plainSigns } from '../../accepted-call.ts'
import type { Asking, NetworkAdapter } from '../../adapter.ts'
import { UpstreamFault } from '../../fault.ts'
import { sse } from '../../framing.ts'
import { isThoughtMember } from '../openai/apis/adapter.ts'
import { createStreamDecoder as createOpenAiDecoder, decodeAnswer, parseJson } from '../openai/decode.ts'
import { decodeEmbeddings } from '../openai/embeddings.ts'
import { openAiChatForm } from '../openai/encode.ts'
import { OpenAiModels } from '../openai/schema.ts'
import { errorOf } from '../openai/stream-errors.ts'
import { encodeEmbeddings, encodeRequest } from './encode.ts'

/** Fields that are not native. The vendor keeps no answers, so there is nothing to switch off. */
const fields = {
  ...(Object.fromEntries(callFields.map((name) => [name, 'native'])) as Record<keyof FieldTable, 'native'>),
  '/messages/name': 'unsupported',
  '/messages/tool_error': 'emulated',
  '/messages/content/audio': 'translated',
  '/messages/content/audio_url': 'translated',
  '/messages/content/file': 'unsupported',
  '/messages/content/file_url': 'translated',
  '/messages/content/file/filename': 'translated',
  '/messages/content/reasoning': 'translated',
  '/top_k': 'unsupported',
  '/seed': 'translated',
  '/logprobs': 'unsupported',
  '/top_logprobs': 'unsupported',
  '/tool_choice': 'translated',
  '/reasoning/effort': 'translated',
  '/reasoning/budget_tokens': 'translated',
  '/user': 'emulated',
  '/store': 'emulated',
  '/metadata': 'emulated',
  '/service_tier': 'unsupported',
  '/cache_control': 'emulated',
} as const satisfies FieldTable

const baseUrl = 'https://api.mistral.ai/v1'

function urlOf({ provider }: Asking, path: string): string {
  return `${(provider.baseUrl ?? baseUrl).replace(/(?<!\/)\/+$/, '')}${path}`
}

function keyOf({ secret }: Asking): Record<string, string> {
  return secret === null ? {} : { authorization: `Bearer ${secret.value}` }
}

function post(asking: Asking, path: string, { body, accept }: { readonly body: object; readonly accept: string }) {
  return {
    url: urlOf(asking, path),
    method: 'POST' as const,
    headers: { ...keyOf(asking), 'content-type': 'application/json', accept },
    body: exactJson(body),
  }
}

const json = 'application/json'

/** A reason that OpenAI has no word for. */
function withOwnReason(event: AnswerEvent): AnswerEvent {
  return event.type === 'finish' && event.native === 'model_length' ? { ...event, reason: 'length' } : event
}

export const mistralAdapter: NetworkAdapter = {
  kind: 'mistral',
  over: 'network',
  // Its ids are made by the encoder: nine letters and digits.
  accepts: { toolNames: { sign: plainSigns, longest: 64 }, mediaInResults: false },
  refusesBack: isThoughtMember,
  baseUrl,
  // Its bodies have OpenAI's shape, so members of its own (`safe_prompt`, `prompt_mode`) come in that form.
  forms: [openAiChatForm, 'openai_embeddings'],
  fields,
  framing: sse,
  request: (asking) =>
    post(asking, '/chat/completions', {
      body: encodeRequest(asking.call, asking),
      accept: asking.stream ? sse.contentType : json,
    }),
  decodeAnswer: (text, call) => decodeAnswer(text, call).map(withOwnReason),
  createStreamDecoder: (call) => {
    const inner = createOpenAiDecoder(call)
    return {
      push: (frame) => inner.push(frame).map(withOwnReason),
      end: () => inner.end(),
    }
  },
  errorOf,
  models: {
    request: (asking) => ({
      url: urlOf(asking, '/models'),
      method: 'GET',
      headers: { ...keyOf(asking), accept: json },
    }),
    parse: (text) => {
      const list = parseJson(text)
      if (!fits(OpenAiModels, list)) throw new UpstreamFault('invalid', 'its list of models cannot be read')
      return list.data.map(({ id }) => id)
    },
  },
  embeddings: {
    request: (asking) =>
      post(asking, '/embeddings', { body: encodeEmbeddings(asking.call, asking.model), accept: json }),
    decode: decodeEmbeddings,
  },
}
