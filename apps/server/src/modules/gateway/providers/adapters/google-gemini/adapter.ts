/** Gemini as Google serves it for a key, behind the wall of all providers. Tested in gemini.test.ts and adapters.test.ts. */
import { exactJson } from '../../../../../kernel/base/exact-json.ts'
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { Asking, NetworkAdapter } from '../../adapter.ts'
import { UpstreamFault } from '../../fault.ts'
import { sse } from '../../framing.ts'
import { parseJson } from '../openai/decode.ts'
import { createStreamDecoder, decodeAnswer } from './decode.ts'
import { decodeEmbeddings, encodeEmbeddings } from './embed.ts'
import { encodeRequest } from './encode.ts'
import { errorOf } from './errors.ts'
import { geminiFields, geminiNames } from './fields.ts'
import { GeminiModels } from './schema.ts'

const baseUrl = 'https://generativelanguage.googleapis.com'
const modelsAtOnce = 1000
const json = 'application/json'

/** Some write the address with the version that its paths begin with. */
function urlOf({ provider }: Asking, path: string): string {
  return `${(provider.baseUrl ?? baseUrl).replace(/(?<!\/)\/+$/, '').replace(/\/v1beta$/, '')}/v1beta/${path}`
}

/** A tenant's own models name their collection (`tunedModels/…`). */
function pathOf(model: string): string {
  const [, collection = 'models', name = model] = /^(models|tunedModels)\/(.+)$/.exec(model) ?? []
  return `${collection}/${encodeURIComponent(name)}`
}

function keyOf({ secret }: Asking): Record<string, string> {
  return secret === null ? {} : { 'x-goog-api-key': secret.value }
}

function post(asking: Asking, path: string, { body, accept }: { readonly body: object; readonly accept: string }) {
  return {
    url: urlOf(asking, path),
    method: 'POST' as const,
    headers: { ...keyOf(asking), 'content-type': json, accept },
    body: exactJson(body),
  }
}

/** Operation on a model, as the end of an address. */
export function verbOf(stream: boolean): string {
  return stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
}

const useful: ReadonlySet<string> = new Set(['generateContent', 'embedContent'])

export const googleGeminiAdapter: NetworkAdapter = {
  kind: 'google_gemini',
  over: 'network',
  accepts: { toolNames: geminiNames },
  baseUrl,
  forms: [],
  fields: geminiFields,
  framing: sse,
  request: (asking) =>
    post(asking, `${pathOf(asking.model)}:${verbOf(asking.stream)}`, {
      body: encodeRequest(asking.call, asking.model),
      accept: asking.stream ? sse.contentType : json,
    }),
  decodeAnswer,
  createStreamDecoder,
  errorOf,
  models: {
    request: (asking) => ({
      url: urlOf(asking, `models?pageSize=${modelsAtOnce}`),
      method: 'GET',
      headers: { ...keyOf(asking), accept: json },
    }),
    parse: (text) => {
      const list = parseJson(text)
      if (!fits(GeminiModels, list)) throw new UpstreamFault('invalid', 'its list of models cannot be read')
      return (list.models ?? [])
        .filter(({ supportedGenerationMethods: can }) => can?.some((method) => useful.has(method)) ?? true)
        .map(({ name }) => name.replace(/^models\//, ''))
    },
  },
  embeddings: {
    request: (asking) =>
      post(asking, `${pathOf(asking.model)}:batchEmbedContents`, {
        body: encodeEmbeddings(asking.call, pathOf(asking.model)),
        accept: json,
      }),
    decode: decodeEmbeddings,
  },
}
