/** Reads OpenAI's embeddings body. Tested in sdk-embeddings.test.ts. */
import { type Asked, plainAsked } from '../call/asked.ts'
import { type CanonicalCall, type EmbeddingInput, emptyCall } from '../call/call.ts'
import { vendorMembers } from '../dialects/openai/vendor-members.ts'
import type { OpenAiEmbeddings } from './schema.ts'

/** Request of an embeddings body, before the headers. */
export function askedOfEmbeddings(body: OpenAiEmbeddings): Asked {
  return {
    operation: 'embeddings',
    dialect: 'openai',
    read: () => readEmbeddings(body),
    ...plainAsked,
    model: body.model ?? null,
    metadata: body.metadata ?? {},
  }
}

const known: ReadonlySet<string> = new Set(['model', 'input', 'dimensions', 'encoding_format', 'user', 'metadata'])

function readEmbeddings(body: OpenAiEmbeddings): CanonicalCall {
  const members = vendorMembers('openai_embeddings')
  members.keepRest(body, known, '')
  return {
    ...emptyCall,
    form: 'openai_embeddings',
    user: body.user ?? null,
    metadata: body.metadata ?? {},
    extra: members.found,
    embed: {
      inputs: inputsOf(body.input),
      dimensions: body.dimensions ?? null,
      encoding: body.encoding_format ?? null,
    },
  }
}

/** A single text or a single list of tokens becomes a list of one. */
function inputsOf(input: OpenAiEmbeddings['input']): EmbeddingInput['inputs'] {
  if (typeof input === 'string') return [input]
  return isTokens(input) ? [input] : input
}

function isTokens(input: Exclude<OpenAiEmbeddings['input'], string>): input is number[] {
  return typeof input[0] === 'number'
}
