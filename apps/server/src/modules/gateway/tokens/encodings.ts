/**
 * OpenAI's published tokenizer of a model. Only names whose tokenizer is certain; any other model, and every model of
 * vendors that publish none, uses the bound by bytes. Tested in encodings.test.ts.
 */

import type { Target } from '../providers/provider.ts'
import type { Encoding } from '../words/encodings.ts'
import { matchesGlob } from '../words/globs.ts'
import type { ProviderKind } from '../words/provider-kinds.ts'

/** The first pattern that fits counts. */
const models: readonly (readonly [pattern: string, encoding: Encoding])[] = [
  ['gpt-5*', 'o200k_base'],
  ['gpt-4.1*', 'o200k_base'],
  ['gpt-4.5*', 'o200k_base'],
  ['gpt-4o*', 'o200k_base'],
  ['chatgpt-4o*', 'o200k_base'],
  // The tokens of its text are those of o200k_base; its own name adds marks that no text of a caller becomes.
  ['gpt-oss-*', 'o200k_base'],
  ['o1', 'o200k_base'],
  ['o1-*', 'o200k_base'],
  ['o3', 'o200k_base'],
  ['o3-*', 'o200k_base'],
  ['o4-mini*', 'o200k_base'],
  ['gpt-4', 'cl100k_base'],
  ['gpt-4-*', 'cl100k_base'],
  ['gpt-3.5*', 'cl100k_base'],
  // As Azure writes it.
  ['gpt-35-turbo*', 'cl100k_base'],
  ['text-embedding-3-*', 'cl100k_base'],
  ['text-embedding-ada-002', 'cl100k_base'],
]

/** At other vendors' servers, only names that include the model's vendor. */
const plainNames: ReadonlySet<ProviderKind> = new Set(['openai', 'azure_openai'])
const vendorPrefix = 'openai/'
/** OpenAI's prefix for the name of a model that was fine-tuned for a customer. */
const tunedPrefix = 'ft:'

export function encodingOf(kind: ProviderKind, model: string): Encoding | null {
  const name = plainName(kind, model)
  return models.find(([pattern]) => name !== null && matchesGlob(pattern, name))?.[1] ?? null
}

export const encodingOfTarget = ({ provider, model }: Target): Encoding | null => encodingOf(provider.kind, model)

function plainName(kind: ProviderKind, model: string): string | null {
  if (plainNames.has(kind)) return model.startsWith(tunedPrefix) ? model.slice(tunedPrefix.length) : model
  return kind === 'openai_compatible' && model.startsWith(vendorPrefix) ? model.slice(vendorPrefix.length) : null
}
