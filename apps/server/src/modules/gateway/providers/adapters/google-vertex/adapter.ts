/**
 * Gemini in Google's cloud: the bodies of `google_gemini` under the address of a project and a region, with tokens instead
 * of keys. Tested in vertex.test.ts and adapters.test.ts.
 */

import Type from 'typebox'
import { exactJson } from '../../../../../kernel/base/exact-json.ts'
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { ProviderSettings } from '../../../schemas/provider.ts'
import type { Asking, AskingModel, NetworkAdapter, UpstreamRequest } from '../../adapter.ts'
import { UpstreamFault } from '../../fault.ts'
import { sse } from '../../framing.ts'
import { verbOf } from '../google-gemini/adapter.ts'
import { createStreamDecoder, decodeAnswer } from '../google-gemini/decode.ts'
import { encodeRequest } from '../google-gemini/encode.ts'
import { errorOf } from '../google-gemini/errors.ts'
import { geminiFields, geminiNames } from '../google-gemini/fields.ts'
import { parseJson } from '../openai/decode.ts'
import { decodeEmbeddings, encodeEmbeddings } from './embed.ts'
import { accessToken, vertexKeyForm } from './key.ts'

const json = 'application/json'
const modelsAtOnce = 300

/** Where Google decides which region works, unless one is set. */
const anywhere = 'global'

function hostOf({ region = anywhere }: ProviderSettings): string {
  if (region === anywhere) return 'https://aiplatform.googleapis.com'
  // Not a region but a part of the world.
  if (region === 'us' || region === 'eu') return `https://aiplatform.${region}.rep.googleapis.com`
  return `https://${region}-aiplatform.googleapis.com`
}

/** Some write the address with the version that its paths begin with. */
function urlOf({ provider }: Asking, path: string): string {
  const host = provider.baseUrl ?? hostOf(provider.settings ?? {})
  return `${host.replace(/(?<!\/)\/+$/, '').replace(/\/v1(?:beta1)?$/, '')}${path}`
}

/** A number is an endpoint of the tenant's own; a name is a model of Google's. */
function modelPath({ provider, model }: AskingModel): string {
  const { project, region = anywhere } = provider.settings ?? {}
  if (project === undefined) throw new UpstreamFault('bad_request', 'The provider has no project in its settings.')
  const place = `/v1/projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(region)}`
  const name = model.replace(/^(?:publishers\/)?google\/(?:models\/)?/, '')
  return /^\d+$/.test(name)
    ? `${place}/endpoints/${name}`
    : `${place}/publishers/google/models/${encodeURIComponent(name)}`
}

async function headersOf(asking: Asking, accept: string): Promise<Record<string, string>> {
  const token = await accessToken(asking)
  return { ...(token === null ? {} : { authorization: `Bearer ${token}` }), accept }
}

async function post(
  asking: AskingModel,
  verb: string,
  { body, accept }: { readonly body: object; readonly accept: string },
): Promise<UpstreamRequest> {
  return {
    url: urlOf(asking, `${modelPath(asking)}:${verb}`),
    method: 'POST',
    headers: { ...(await headersOf(asking, accept)), 'content-type': json },
    body: exactJson(body),
  }
}

const PublisherModels = Type.Object({
  publisherModels: Type.Optional(
    Type.Array(Type.Object({ name: Type.String({ maxLength: 256 }) }), { maxItems: 10_000 }),
  ),
})

export const googleVertexAdapter: NetworkAdapter = {
  kind: 'google_vertex',
  over: 'network',
  accepts: { toolNames: geminiNames },
  baseUrl: hostOf,
  keyForm: vertexKeyForm,
  needs: ['project'],
  forms: [],
  fields: geminiFields,
  framing: sse,
  request: (asking) =>
    post(asking, verbOf(asking.stream), {
      body: encodeRequest(asking.call, asking.model),
      accept: asking.stream ? sse.contentType : json,
    }),
  decodeAnswer,
  createStreamDecoder,
  errorOf,
  models: {
    request: async (asking) => ({
      url: urlOf(asking, `/v1beta1/publishers/google/models?pageSize=${modelsAtOnce}`),
      method: 'GET',
      headers: await headersOf(asking, json),
    }),
    parse: (text) => {
      const list = parseJson(text)
      if (!fits(PublisherModels, list)) throw new UpstreamFault('invalid', 'its list of models cannot be read')
      // The list holds models of every sort; those of this kind say so in their names.
      return (list.publisherModels ?? [])
        .map(({ name }) => name.replace(/^publishers\/google\/models\//, ''))
        .filter((name) => /^gemini-|embedding/.test(name))
    },
  },
  embeddings: {
    request: (asking) => post(asking, 'predict', { body: encodeEmbeddings(asking.call), accept: json }),
    decode: decodeEmbeddings,
  },
}
