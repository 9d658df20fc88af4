/** Test data: one call per field of the canonical call. Used by adapters.test.ts. */
import { type CanonicalCall, emptyCall, type Part, type Turn } from '../../call/call.ts'
import type { CallField, FieldTable } from '../../call/fields.ts'

const turn = { toolCalls: [], toolCallId: null, name: null } as const
const hi: Turn = { ...turn, role: 'user', parts: [{ type: 'text', text: 'Hi' }] }
const wav = { type: 'audio', mime: 'audio/wav' } as const
const pdf = { type: 'file', mime: 'application/pdf', name: 'a.pdf', text: null } as const

const saying = (part: Part): Partial<CanonicalCall> => ({
  turns: [{ ...hi, parts: [{ type: 'text', text: 'Look' }, part] }],
})
export const png = 'data:image/png;base64,AAAA'
export const schema = { type: 'object', properties: { a: { type: 'string' } } }
const tool = { kind: 'function', name: 'f', description: 'does', parameters: schema, strict: null } as const

/** A call that uses the field, and little else. */
const uses: Readonly<Record<CallField, Partial<CanonicalCall>>> = {
  '/messages': {},
  '/messages/name': { turns: [{ ...hi, name: 'anna' }] },
  '/messages/tool_error': {
    turns: [
      hi,
      { ...turn, role: 'assistant', parts: [], toolCalls: [{ id: 'abcdefgh1', name: 'f', arguments: '{}' }] },
      { ...turn, role: 'tool', toolCallId: 'abcdefgh1', toolError: true, parts: [{ type: 'text', text: 'no' }] },
    ],
  },
  '/messages/content/image_url': saying({ type: 'image', url: png, detail: null }),
  '/messages/content/image_url/detail': saying({ type: 'image', url: png, detail: 'high' }),
  '/messages/content/audio': saying({ ...wav, source: { kind: 'data', data: 'BBBB' } }),
  '/messages/content/audio_url': saying({ ...wav, source: { kind: 'url', url: 'https://example.org/a.wav' } }),
  '/messages/content/file': saying({ ...pdf, source: { kind: 'data', data: 'CCCC' } }),
  '/messages/content/file_url': saying({ ...pdf, source: { kind: 'url', url: 'https://example.org/a.pdf' } }),
  '/messages/content/file/filename': saying({ ...pdf, source: { kind: 'data', data: 'CCCC' } }),
  '/messages/content/reasoning': {
    turns: [
      hi,
      {
        ...turn,
        role: 'assistant',
        parts: [
          {
            type: 'reasoning',
            text: 'hm',
            data: { form: 'anthropic_messages', value: { type: 'thinking', signature: 's' } },
          },
          { type: 'text', text: 'so' },
        ],
      },
      hi,
    ],
  },
  '/temperature': { temperature: 0.5 },
  '/top_p': { topP: 0.9 },
  '/top_k': { topK: 7 },
  '/frequency_penalty': { frequencyPenalty: 0.3 },
  '/presence_penalty': { presencePenalty: 0.4 },
  '/max_tokens': { maxTokens: 99 },
  '/n': { choices: 2 },
  '/seed': { seed: 5 },
  '/stop': { stop: ['END'] },
  '/logprobs': { logprobs: true },
  '/top_logprobs': { logprobs: true, topLogprobs: 3 },
  '/tools': { tools: [tool] },
  '/tools/strict': { tools: [{ ...tool, strict: true }] },
  '/tool_choice': { tools: [{ ...tool, name: 'g' }, tool], toolChoice: { name: 'f' } },
  '/parallel_tool_calls': { tools: [tool], parallelToolCalls: false },
  '/response_format': { format: { type: 'json_schema', name: 'out', schema, strict: null } },
  '/reasoning/effort': { reasoning: { effort: 'high' } },
  '/reasoning/budget_tokens': { reasoning: { budgetTokens: 2000 } },
  '/user': { user: 'u-1' },
  '/store': { store: false },
  '/metadata': { metadata: { team: 'blue' } },
  '/service_tier': { serviceTier: 'auto' },
  '/cache_control': {
    turns: [{ ...hi, parts: [{ type: 'text', text: 'Hi', cacheControl: { ttl: '1h' } }] }],
  },
}

export function callWith(field: CallField): CanonicalCall {
  return { ...emptyCall, turns: [hi], ...uses[field] }
}

/** Names belong to files, and not every vendor takes these as bytes. */
export function callFor(field: CallField, table: FieldTable): CanonicalCall {
  const isByAddress = field === '/messages/content/file/filename' && table['/messages/content/file'] === 'unsupported'
  return callWith(isByAddress ? '/messages/content/file_url' : field)
}

/** Pointer into the sent body and the value there; `null` where the provider does it on its own. */
export type Place = readonly [string, unknown] | null
export type Places = Readonly<Partial<Record<CallField, Place>>>
