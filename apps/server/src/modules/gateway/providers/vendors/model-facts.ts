/**
 * Abilities of a model: by the kind of its provider, by its name where its vendor documents a missing ability, and by
 * the tenant's settings. Tested in models.test.ts.
 */
import type { CallField, FieldTable } from '../../call/fields.ts'
import {
  type Ability,
  abilities,
  type Capabilities,
  type CapabilityName,
  capabilityNames,
  type OwnAbilities,
} from '../../schemas/model.ts'
import type { ProviderKind } from '../../words/provider-kinds.ts'
import type { OwnModel } from '../provider.ts'
import { contextWindow } from './context-windows.ts'
import { isLacking } from './model-lacks.ts'
import { adapterOf } from './registry.ts'

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
  // Emulated media is not really seen, heard or read.
  const isTaken = (field: CallField): boolean =>
    fields[field] !== 'unsupported' && !(field.startsWith('/messages/content/') && fields[field] === 'emulated')
  return fieldsOf[name]?.some(isTaken) ?? false
}

export function hasEmbeddings(kind: ProviderKind): boolean {
  const adapter = adapterOf(kind)
  return adapter.over === 'process' || adapter.embeddings !== null
}

export interface NamedModel {
  readonly kind: ProviderKind
  readonly model: string
}

export function capabilitiesOf(named: NamedModel, own?: OwnAbilities): Capabilities {
  const { kind, model } = named
  const embeds = hasEmbeddings(kind) && embeddingName.test(model)
  const lacking: readonly CapabilityName[] = lackingOf(named, own)
  const can = (name: CapabilityName): boolean =>
    embeds ? name === 'embeddings' : chatCan(kind, name) && !lacking.includes(name)
  return Object.fromEntries(capabilityNames.map((name) => [name, can(name)])) as Capabilities
}

/** Abilities that the model is known to lack: by the tenant's settings, else by its vendor's documentation. */
function lackingOf({ kind, model }: NamedModel, own: OwnAbilities = {}): readonly Ability[] {
  return abilities.filter((name) => !(own[name] ?? !isLacking(kind, model, name)))
}

/** Fields that require an ability. */
const fieldsFor: Readonly<Record<Ability, readonly CallField[]>> = {
  tools: ['/tools', '/tools/strict', '/tool_choice', '/parallel_tool_calls'],
  parallel_tools: ['/parallel_tool_calls'],
  vision: ['/messages/content/image_url', '/messages/content/image_url/detail'],
  audio_in: ['/messages/content/audio', '/messages/content/audio_url'],
  files: ['/messages/content/file', '/messages/content/file_url', '/messages/content/file/filename'],
  structured_output: ['/response_format'],
  reasoning: ['/reasoning/effort', '/reasoning/budget_tokens'],
}

/**
 * Each table with its narrowed tables by missing abilities; equal inputs share one table, because it is the key of data
 * derived from it.
 */
const narrowed = new WeakMap<FieldTable, Map<string, FieldTable>>()

/** Support of a model for each field: as its kind of provider, except for abilities that it is known to lack. */
export function fieldTableOf(table: FieldTable, named: NamedModel, own?: OwnAbilities): FieldTable {
  const lacking = lackingOf(named, own)
  if (lacking.length === 0) return table
  const known = narrowed.get(table) ?? new Map<string, FieldTable>()
  narrowed.set(table, known)
  const key = lacking.join()
  const fields = known.get(key) ?? without(table, lacking)
  known.set(key, fields)
  return fields
}

function without(table: FieldTable, lacking: readonly Ability[]): FieldTable {
  const lost = lacking.flatMap((name) => fieldsFor[name])
  return { ...table, ...Object.fromEntries(lost.map((field) => [field, 'unsupported' as const])) }
}

/** The tenant's own limit before the vendor's. */
export function contextTokensOf(
  own: Pick<OwnModel, 'contextTokens'> | undefined,
  { kind, model }: NamedModel,
): number | null {
  return own?.contextTokens ?? contextWindow(kind, model)
}
