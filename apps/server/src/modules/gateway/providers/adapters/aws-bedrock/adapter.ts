/** Models in Amazon's cloud, asked through Converse, behind the wall of all providers. Tested in bedrock.test.ts and adapters.test.ts. */
import { exactJson } from '../../../../../kernel/base/exact-json.ts'
import { fits } from '../../../../../kernel/schema/fits.ts'
import { callFields, type FieldTable } from '../../../call/fields.ts'
import type { ProviderSettings } from '../../../schemas/provider.ts'
import { plainSigns } from '../../accepted-call.ts'
import type { Asking, AskingModel, NetworkAdapter, UpstreamRequest } from '../../adapter.ts'
import { UpstreamFault } from '../../fault.ts'
import { parseJson } from '../openai/decode.ts'
import { createStreamDecoder, decodeAnswer } from './decode.ts'
import { decodeEmbeddings, encodeEmbeddings } from './embed.ts'
import { encodeRequest } from './encode.ts'
import { isSignedHere } from './encode-blocks.ts'
import { errorOf } from './errors.ts'
import { eventStream } from './event-stream.ts'
import { awsKeyForm, vouchedFor } from './key.ts'
import { BedrockModels } from './schema.ts'

/** Fields that are not native to Converse. The vendor keeps no answers to come back to. */
const fields = {
  ...(Object.fromEntries(callFields.map((name) => [name, 'native'])) as Record<keyof FieldTable, 'native'>),
  '/messages': 'translated',
  '/messages/name': 'unsupported',
  '/messages/tool_error': 'translated',
  '/messages/content/image_url': 'translated',
  '/messages/content/image_url/detail': 'unsupported',
  '/messages/content/audio': 'unsupported',
  '/messages/content/audio_url': 'unsupported',
  '/messages/content/file': 'translated',
  '/messages/content/file_url': 'unsupported',
  '/messages/content/file/filename': 'translated',
  '/messages/content/reasoning': 'translated',
  '/top_k': 'translated',
  '/frequency_penalty': 'unsupported',
  '/presence_penalty': 'unsupported',
  '/max_tokens': 'translated',
  '/n': 'unsupported',
  '/seed': 'unsupported',
  '/stop': 'translated',
  '/logprobs': 'unsupported',
  '/top_logprobs': 'unsupported',
  '/tools': 'translated',
  '/tool_choice': 'translated',
  '/parallel_tool_calls': 'unsupported',
  '/response_format': 'translated',
  '/reasoning/effort': 'translated',
  '/reasoning/budget_tokens': 'translated',
  '/user': 'emulated',
  '/store': 'emulated',
  '/metadata': 'emulated',
  '/service_tier': 'translated',
  '/cache_control': 'translated',
} as const satisfies FieldTable

const json = 'application/json'

function regionOf({ region }: ProviderSettings): string {
  if (region === undefined) throw new UpstreamFault('bad_request', 'The provider has no region in its settings.')
  return region
}

const baseUrl = ({ region = 'us-east-1' }: ProviderSettings): string =>
  `https://bedrock-runtime.${region}.amazonaws.com`

function hostOf({ provider }: Asking): string {
  return (provider.baseUrl ?? baseUrl(provider.settings ?? {})).replace(/(?<!\/)\/+$/, '')
}

/** Models are listed by another service, whose host name differs in one word. */
function listHostOf(asking: Asking): string {
  return hostOf(asking).replace(/(\/\/|\.)bedrock-runtime\./, '$1bedrock.')
}

function vouched({ provider, secret, now }: Asking, request: UpstreamRequest): Promise<UpstreamRequest> {
  const region = regionOf(provider.settings ?? {})
  return secret === null ? Promise.resolve(request) : vouchedFor(request, { key: secret.value, region, now })
}

function post(asking: AskingModel, verb: string, { body, accept }: { readonly body: object; readonly accept: string }) {
  return vouched(asking, {
    url: `${hostOf(asking)}/model/${encodeURIComponent(asking.model)}/${verb}`,
    method: 'POST',
    headers: { 'content-type': json, accept },
    body: exactJson(body),
  })
}

export const awsBedrockAdapter: NetworkAdapter = {
  kind: 'aws_bedrock',
  over: 'network',
  accepts: {
    callIds: { sign: plainSigns, longest: 64 },
    toolNames: { sign: plainSigns, longest: 64 },
    jsonObject: false,
  },
  baseUrl,
  keyForm: awsKeyForm,
  needs: ['region'],
  forms: [],
  fields,
  takesThought: isSignedHere,
  framing: eventStream,
  request: (asking) =>
    post(asking, asking.stream ? 'converse-stream' : 'converse', {
      body: encodeRequest(asking.call, asking.model),
      accept: asking.stream ? eventStream.contentType : json,
    }),
  decodeAnswer,
  createStreamDecoder,
  errorOf,
  models: {
    request: (asking) =>
      vouched(asking, {
        url: `${listHostOf(asking)}/foundation-models?byInferenceType=ON_DEMAND`,
        method: 'GET',
        headers: { accept: json },
      }),
    parse: (text) => {
      const list = parseJson(text)
      if (!fits(BedrockModels, list)) throw new UpstreamFault('invalid', 'its list of models cannot be read')
      return (list.modelSummaries ?? [])
        .filter(({ outputModalities: made }) => made?.some((one) => one === 'TEXT' || one === 'EMBEDDING') ?? true)
        .map(({ modelId }) => modelId)
    },
  },
  embeddings: {
    request: (asking) => post(asking, 'invoke', { body: encodeEmbeddings(asking.call, asking.model), accept: json }),
    decode: decodeEmbeddings,
  },
}
