/**
 * Reads the LiteLLM price map: one object, model name → prices per token as floats, whose names carry tiers as suffixes
 * in any order (`_above_200k_tokens`, `_above_1hr`, `_priority`, `_flex`). Entries that do not fit our form are named
 * instead of guessed. Tested in litellm.test.ts.
 */
import { shiftDecimal } from '../amounts.ts'
import type { ListPrice, UnitName, UnitPrices } from '../price.ts'
import { assembled, type Imported, isRecord, type Rate, readOr } from './imported.ts'

const units: Readonly<Record<string, UnitName>> = {
  input_cost_per_token: 'input',
  cache_read_input_token_cost: 'cached_input',
  cache_creation_input_token_cost: 'cache_write_5m',
  output_cost_per_token: 'output',
  output_cost_per_reasoning_token: 'reasoning_output',
  input_cost_per_image_token: 'input_image',
  input_cost_per_audio_token: 'input_audio',
  output_cost_per_audio_token: 'output_audio',
  input_cost_per_request: 'request',
}

/** Their names of providers whose models we ask in the same way. */
const kinds: Readonly<Record<string, string>> = {
  openai: 'openai',
  'text-completion-openai': 'openai',
  azure: 'azure_openai',
  anthropic: 'anthropic',
  gemini: 'google_gemini',
  'vertex_ai-language-models': 'google_vertex',
  'vertex_ai-anthropic_models': 'google_vertex',
  bedrock: 'aws_bedrock',
  bedrock_converse: 'aws_bedrock',
  mistral: 'mistral',
  cohere: 'cohere',
  cohere_chat: 'cohere',
  ollama: 'ollama',
}

/** Charged for by the token; everything else belongs to another module or to none. */
const modes = new Set(['chat', 'completion', 'responses', 'embedding', 'rerank'])

export interface ImportFacts {
  /** Date of the file. */
  readonly checkedAt: string
}

export function readLiteLlm(map: unknown, { checkedAt }: ImportFacts): Imported {
  if (!isRecord(map)) throw new RangeError('The price map is not an object')
  const prices: ListPrice[] = []
  const skipped: string[] = []
  for (const [name, entry] of Object.entries(map)) {
    if (name === 'sample_spec' || !isRecord(entry)) continue
    const price = readOr(() => readEntry(name, entry, checkedAt))
    if (typeof price === 'string') skipped.push(`${name}: ${price}`)
    else prices.push(price)
  }
  return { prices, skipped }
}

function readEntry(name: string, entry: Readonly<Record<string, unknown>>, checkedAt: string): ListPrice | string {
  const kind = kinds[String(entry.litellm_provider)]
  if (kind === undefined) return `no kind of provider for ${String(entry.litellm_provider)}`
  if (!modes.has(String(entry.mode))) return `not charged by the token (${String(entry.mode)})`
  const rates = Object.entries(entry).flatMap(([field, value]) => rateOf(field, value))
  if (rates.every(({ price }) => price === '0')) return 'has no price but 0, which is not told from an unknown one'
  const most = entry.max_output_tokens
  return assembled(rates, {
    provider: kind,
    model: withoutPrefix(name),
    ...(typeof most === 'number' && most > 0 ? { max_output_tokens: most } : {}),
    valid_from: checkedAt,
    source: `LiteLLM price map of ${checkedAt}${typeof entry.source === 'string' ? `, after ${entry.source}` : ''}`,
    checked_at: checkedAt,
  })
}

/** Before names of models; those of Vertex are no provider's name. */
const prefixes = new Set([...Object.keys(kinds), 'vertex_ai'])

/** `azure/gpt-4o` is asked for as `gpt-4o`. */
function withoutPrefix(name: string): string {
  const cut = name.indexOf('/')
  return cut > 0 && prefixes.has(name.slice(0, cut)) ? name.slice(cut + 1) : name
}

const suffixes = /_above_(\d+)k_tokens|_above_1hr|_(priority|flex|batches|fast)(?=_|$)/g

/** One field; empty where it is no price of a token, or of a tier that does not exist here. */
function rateOf(field: string, value: unknown): readonly Rate[] {
  if (typeof value !== 'number' || value < 0) return []
  const tier = /_above_(\d+)k_tokens/.exec(field)?.[1]
  const service = /_(priority|flex|batches|fast)(?=_|$)/.exec(field)?.[1] ?? null
  const unit = unitOf(field)
  if (unit === null || service === 'batches') return []
  return [
    {
      unit,
      price: shiftDecimal(String(value), 6),
      aboveInputTokens: tier === undefined ? null : Number(tier) * 1000,
      service,
    },
  ]
}

function unitOf(field: string): keyof UnitPrices | null {
  const unit = units[field.replace(suffixes, '')] ?? null
  if (!field.includes('_above_1hr')) return unit
  return unit === 'cache_write_5m' ? 'cache_write_1h' : null
}
