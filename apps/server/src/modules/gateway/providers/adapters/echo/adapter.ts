import { callFields, type FieldTable } from '../../../call/fields.ts'
import type { LocalAdapter } from '../../adapter.ts'
import { UpstreamFault } from '../../fault.ts'
import { echo, echoModels, embeddingModel } from './echo.ts'
import { echoEmbeddings } from './embed.ts'

/**
 * Fields that the demo cannot even pretend to support; for images, audio and files it says that they were not looked
 * at.
 */
const unsupported: ReadonlySet<string> = new Set(['/tool_choice', '/logprobs', '/top_logprobs'])

const fields = Object.fromEntries(
  callFields.map((name) => [name, unsupported.has(name) ? 'unsupported' : 'emulated']),
) as FieldTable

/** The built-in offline provider behind the same wall as every other. */
export const echoAdapter: LocalAdapter = {
  kind: 'echo',
  over: 'process',
  forms: [],
  fields,
  knownModels: echoModels,
  answer: ({ call, model }, parts) => {
    const known = echoModels.find((name) => name === model)
    if (known === undefined) throw new UpstreamFault('bad_request', `There is no model ${model} here.`)
    if (call.embed !== null && known === embeddingModel) return echoEmbeddings(call.embed)
    if (call.embed === null && known !== embeddingModel) return echo(call, known, parts)
    throw new UpstreamFault(
      'bad_request',
      `The model ${model} makes ${call.embed === null ? 'embeddings only' : 'no embeddings'}.`,
    )
  },
}
