/**
 * Models of OpenAI at Azure: OpenAI's bodies under another address, where the deployment stands for the model and a date
 * for the version of the interface. Tested in azure-openai.test.ts and adapters.test.ts.
 */
import { exactJson } from '../../../../../kernel/base/exact-json.ts'
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { Asking, AskingModel, NetworkAdapter } from '../../adapter.ts'
import { UpstreamFault } from '../../fault.ts'
import { sse } from '../../framing.ts'
import { isThoughtMember, openAiAccepts, openAiFields } from '../openai/apis/adapter.ts'
import { decodeAnswer, parseJson } from '../openai/decode.ts'
import { decodeEmbeddings, encodeEmbeddings } from '../openai/embeddings.ts'
import { encodeRequest, openAiChatForm } from '../openai/encode.ts'
import { OpenAiModels } from '../openai/schema.ts'
import { errorOf } from '../openai/stream-errors.ts'
import { createStreamDecoder } from './stream.ts'

/** The oldest that takes `max_completion_tokens` and `stream_options` and is no preview. */
const defaultVersion = '2024-10-21'

const dialect = { maxTokensField: 'max_completion_tokens', knowsStore: false, knowsDeveloper: false } as const

/** People copy the address with or without the path that all of these begin with. */
function urlOf({ provider }: Asking, path: string): string {
  const resource = (provider.baseUrl ?? '').replace(/(?<!\/)\/+$/, '').replace(/\/openai$/, '')
  return `${resource}/openai${path}?api-version=${provider.settings?.api_version ?? defaultVersion}`
}

function deploymentOf({ provider, model }: AskingModel): string {
  return encodeURIComponent(provider.settings?.deployment ?? model)
}

function keyOf({ secret }: Asking): Record<string, string> {
  return secret === null ? {} : { 'api-key': secret.value }
}

function post(asking: AskingModel, path: string, body: object) {
  return {
    url: urlOf(asking, `/deployments/${deploymentOf(asking)}${path}`),
    method: 'POST' as const,
    headers: {
      ...keyOf(asking),
      'content-type': 'application/json',
      accept: asking.stream ? sse.contentType : 'application/json',
    },
    body: exactJson(body),
  }
}

export const azureOpenAiAdapter: NetworkAdapter = {
  kind: 'azure_openai',
  over: 'network',
  accepts: openAiAccepts,
  takesThought: () => false,
  refusesBack: isThoughtMember,
  baseUrl: null,
  forms: [openAiChatForm, 'openai_embeddings'],
  // It keeps no answers unless told to, so there is nothing to switch off.
  fields: { ...openAiFields, '/store': 'emulated', '/service_tier': 'unsupported' },
  framing: sse,
  asksUsage: true,
  request: (asking) => post(asking, '/chat/completions', encodeRequest(asking.call, asking, dialect)),
  decodeAnswer,
  createStreamDecoder,
  errorOf,
  models: {
    request: (asking) => ({
      url: urlOf(asking, '/models'),
      method: 'GET',
      headers: { ...keyOf(asking), accept: 'application/json' },
    }),
    parse: (text) => {
      if (!fits(OpenAiModels, parseJson(text))) throw new UpstreamFault('invalid', 'its list of models cannot be read')
      // It lists models that could be deployed, not deployments: none of these names can be called. It shows that the
      // key works.
      return []
    },
  },
  embeddings: {
    request: (asking) => post(asking, '/embeddings', encodeEmbeddings(asking.call, asking.model)),
    decode: decodeEmbeddings,
  },
}
