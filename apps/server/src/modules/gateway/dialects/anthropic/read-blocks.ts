/**
 * Content blocks as parts of the canonical call. An unknown block is kept with its place, so that a provider of the
 * same form gets it back between the others. Tested in read.test.ts.
 */
import type { CacheControl, FilePart, ImagePart, MediaSource, Part } from '../../call/call.ts'
import { withEmbeddedText } from '../../call/texts/embedded-text.ts'
import type { VendorMembers } from '../openai/vendor-members.ts'
import type { AnthropicBlock, AnthropicContent, AnthropicSource, AnthropicText } from './messages-schema.ts'

export const anthropicForm = 'anthropic_messages'

type Thought = Extract<AnthropicBlock, { readonly type: 'thinking' | 'redacted_thinking' }>

const known = {
  text: new Set(['type', 'text', 'cache_control']),
  image: new Set(['type', 'source', 'cache_control']),
  document: new Set(['type', 'source', 'title', 'cache_control']),
  thinking: new Set(['type', 'thinking', 'signature']),
  redacted_thinking: new Set(['type', 'data']),
} as const

/** The part for a block; null for a block that is kept instead. */
export function readContent(
  block: AnthropicContent | AnthropicText | Thought,
  at: string,
  members: VendorMembers,
): readonly Part[] {
  const part = partOf(block)
  if (part === null || block.type === 'other') {
    members.keep(at, block)
    return []
  }
  members.keepRest(block, known[block.type], at)
  if (!('cache_control' in block)) return [part]
  const marked = readMark(block.cache_control, at, members)
  return [part.type === 'reasoning' ? part : { ...part, ...marked }]
}

function partOf(block: AnthropicContent | AnthropicText | Thought): Part | null {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image':
      return imageOf(block.source)
    case 'document':
      return documentOf(block.source, block.title ?? null)
    case 'thinking': {
      const { thinking: text, signature } = block
      const data = signature ? ({ form: anthropicForm, value: { type: 'thinking', signature } } as const) : null
      return { type: 'reasoning', text, data }
    }
    case 'redacted_thinking':
      return {
        type: 'reasoning',
        text: '',
        data: { form: anthropicForm, value: { type: 'redacted_thinking', data: block.data } },
      }
    default:
      return null
  }
}

function imageOf(source: AnthropicSource): ImagePart | null {
  if (hasOwnMembers(source)) return null
  if (source.type === 'url') return { type: 'image', url: source.url, detail: null }
  if (source.type !== 'base64') return null
  return { type: 'image', url: `data:${source.media_type};base64,${source.data}`, detail: null }
}

function documentOf(source: AnthropicSource, name: string | null): FilePart | null {
  if (hasOwnMembers(source)) return null
  const file = (mime: string | null, from: MediaSource): FilePart => ({
    type: 'file',
    source: from,
    name,
    mime,
    text: null,
  })
  switch (source.type) {
    case 'text':
      return { type: 'file', source: null, name, mime: 'text/plain', text: source.data }
    case 'base64':
      return withEmbeddedText(file(source.media_type, { kind: 'data', data: source.data }))
    case 'url':
      return file('application/pdf', { kind: 'url', url: source.url })
    case 'file':
      return file(null, { kind: 'id', id: source.file_id, form: anthropicForm })
    default:
      return null
  }
}

const knownOfSource: ReadonlySet<string> = new Set(['type', 'media_type', 'data', 'url', 'file_id'])

/** A source with unknown members may have a different meaning, so its block is kept whole. */
function hasOwnMembers(source: AnthropicSource): boolean {
  return Object.keys(source).some((name) => !knownOfSource.has(name))
}

/** Members that only make an answer cheaper. */
export const wishes: ReadonlySet<string> = new Set(['cache_control'])

interface Mark {
  readonly type: string
  readonly ttl?: string | null
}

/** The cache control; in an unknown form it is kept as it is. */
export function readMark(
  mark: Mark | null | undefined,
  at: string,
  members: VendorMembers,
): { readonly cacheControl?: CacheControl } {
  if (!mark) return {}
  const { type, ttl = null, ...rest } = mark
  if (type === 'ephemeral' && (ttl === null || ttl === '5m' || ttl === '1h') && Object.keys(rest).length === 0)
    return { cacheControl: { ttl } }
  members.keep(`${at}/cache_control`, mark)
  return {}
}
