/** Content of OpenAI's chat messages. Parts of other kinds are kept in their places. Tested in read-chat.test.ts. */
import type { AudioPart, FilePart, ImagePart, MediaSource, Part } from '../../call/call.ts'
import { readDataUrl } from '../../call/texts/data-url.ts'
import { withEmbeddedText } from '../../call/texts/embedded-text.ts'
import type { OpenAiMessage, OpenAiPart } from './chat-schema.ts'
import type { VendorMembers } from './vendor-members.ts'

type Content = Exclude<OpenAiMessage['content'], null | undefined>

export function readParts(content: Content, at: string, members: VendorMembers): readonly Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.flatMap((part, index) => {
    const read = readPart(part, `${at}/${index}`, members)
    return read === null ? [] : [read]
  })
}

const known = {
  text: new Set(['type', 'text']),
  image_url: new Set(['type', 'image_url']),
  input_audio: new Set(['type', 'input_audio']),
  file: new Set(['type', 'file']),
} as const

function readPart(part: OpenAiPart, at: string, members: VendorMembers): Part | null {
  switch (part.type) {
    case 'text':
      members.keepRest(part, known.text, at)
      return { type: 'text', text: part.text }
    case 'image_url':
      members.keepRest(part, known.image_url, at)
      return readImage(part.image_url, `${at}/image_url`, members)
    case 'input_audio':
      members.keepRest(part, known.input_audio, at)
      return readAudio(part.input_audio, `${at}/input_audio`, members)
    case 'file':
      members.keepRest(part, known.file, at)
      return readFile(part.file, `${at}/file`, members)
    default:
      members.keep(at, part)
      return null
  }
}

const knownOfImage: ReadonlySet<string> = new Set(['url', 'detail'])
const details = ['auto', 'low', 'high'] as const

export function readDetail(detail: string | null | undefined): ImagePart['detail'] {
  return details.find((known) => known === detail) ?? null
}

type OpenAiImage = Extract<OpenAiPart, { readonly type: 'image_url' }>['image_url']

function readImage(image: OpenAiImage, at: string, members: VendorMembers): ImagePart {
  members.keepRest(image, knownOfImage, at)
  const detail = readDetail(image.detail)
  if (detail === null) members.keep(`${at}/detail`, image.detail)
  return { type: 'image', url: image.url, detail }
}

interface OpenAiAudio {
  readonly data: string
  readonly format: string
}

const knownOfAudio: ReadonlySet<string> = new Set(['data', 'format'])

function readAudio(audio: OpenAiAudio, at: string, members: VendorMembers): AudioPart {
  members.keepRest(audio, knownOfAudio, at)
  const { data, format } = audio
  return { type: 'audio', source: { kind: 'data', data }, mime: format === 'mp3' ? 'audio/mpeg' : `audio/${format}` }
}

interface OpenAiFile {
  readonly file_id?: string | null
  readonly filename?: string | null
  readonly file_data?: string | null
}

const knownOfFile: ReadonlySet<string> = new Set(['file_id', 'filename', 'file_data'])

function readFile(file: OpenAiFile, at: string, members: VendorMembers): FilePart {
  members.keepRest(file, knownOfFile, at)
  const { file_id: id, filename, file_data: data } = file
  const { source, mime } = id
    ? { source: { kind: 'id', id, form: 'openai_chat' } as const, mime: null }
    : readData(data ?? '')
  return withEmbeddedText({ type: 'file', source, name: filename ?? null, mime, text: null })
}

/** `data:application/pdf;base64,…`; some clients send the base64 alone. */
export function readData(data: string): { readonly source: MediaSource; readonly mime: string | null } {
  const held = readDataUrl(data)
  return held?.base64 === true
    ? { source: { kind: 'data', data: held.body }, mime: held.mime }
    : { source: { kind: 'data', data }, mime: null }
}
