/** What can be asked of a model, by the kind of its provider and, for embeddings, by its name. Tested in models.test.ts. */
import type { CallField } from './call/fields.ts'
import type { OwnModel, ProviderKind } from './providers/provider.ts'
import { adapterOf } from './providers/registry.ts'
import { contextWindow } from './routing/context-windows.ts'
import { type Capabilities, type CapabilityName, capabilityNames } from './schemas/model.ts'

/** Vendors say so in the name and nowhere else. Means the same to PostgreSQL (`~*`). */
export const embeddingNames = 'embed|(^|[/_-])(bge|e5|gte|minilm)([-_:]|$)'
const embeddingName = new RegExp(embeddingNames, 'i')

/** Fields of a call of which one is enough. */
const fieldsOf: Readonly<Partial<Record<CapabilityName, readonly CallField[]>>> = {
  tools: ['/tools'],
  parallel_tools: ['/parallel_tool_calls'],
  vision: ['/messages/content/image_url'],
  audio_in: ['/messages/content/audio', '/messages/content/audio_url'],
  files: ['/messages/content/file', '/messages/content/file_url'],
  structured_output: ['/response_format'],
  reasoning: ['/reasoning/effort', '/reasoning/budget_tokens'],
}

/** Of the kind's chat models. Answers in sound have no place in an answer here yet. */
export function chatCan(kind: ProviderKind, name: CapabilityName): boolean {
  if (name === 'streaming') return true
  const { fields } = adapterOf(kind)
  // What is only acted out is not seen, heard or read.
  const isTaken = (field: CallField): boolean =>
    fields[field] !== 'unsupported' && !(field.startsWith('/messages/content/') && fields[field] === 'emulated')
  return fieldsOf[name]?.some(isTaken) ?? false
}

export function hasEmbeddings(kind: ProviderKind): boolean {
  const adapter = adapterOf(kind)
  return adapter.over === 'process' || adapter.embeddings !== null
}

export function capabilitiesOf(kind: ProviderKind, model: string): Capabilities {
  const embeds = hasEmbeddings(kind) && embeddingName.test(model)
  const can = (name: CapabilityName): boolean => (embeds ? name === 'embeddings' : chatCan(kind, name))
  return Object.fromEntries(capabilityNames.map((name) => [name, can(name)])) as Capabilities
}

/** The tenant's own limit before the vendor's. */
export function contextTokensOf(
  own: Pick<OwnModel, 'contextTokens'> | undefined,
  { kind, model }: { readonly kind: ProviderKind; readonly model: string },
): number | null {
  return own?.contextTokens ?? contextWindow(kind, model)
}
