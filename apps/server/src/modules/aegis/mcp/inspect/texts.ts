/** The texts of a result, an error or a notification that a model may read. Pure. Tested in inspect.test.ts. */
import { isRecord } from '../../../../kernel/base/is-record.ts'
import { type Members, objectOf } from '../wire/json-rpc.ts'

/** Characters of one message that are looked at. */
const mostCharacters = 262_144

export interface MessageTexts {
  readonly text: string
  /** Types of binary content, which is not inspected. */
  readonly binary: readonly string[]
  readonly truncated: boolean
}

/** All strings of a message in one text, those of binary content left out. */
export function textsIn(message: Members): MessageTexts {
  const pieces: string[] = []
  const binary = new Set<string>()
  let length = 0
  let truncated = false
  const take = (text: string): void => {
    if (length >= mostCharacters) truncated = true
    else pieces.push(text.slice(0, mostCharacters - length))
    length += text.length + 1
  }
  const walk = (value: unknown): void => {
    if (typeof value === 'string') take(value)
    if (Array.isArray(value)) value.forEach(walk)
    if (!isRecord(value)) return
    const node = objectOf(value)
    const bytes = binaryOf(node)
    if (bytes !== null) binary.add(typeOfBytes(bytes))
    for (const [name, member] of Object.entries(node))
      if (!(bytes !== null && (name === 'data' || name === 'blob'))) walk(member)
  }
  walk(message.result ?? message.error ?? message.params)
  return { text: pieces.join('\n'), binary: [...binary], truncated: truncated || length > mostCharacters }
}

function binaryOf(node: Members): string | null {
  if (typeof node.blob === 'string') return node.blob
  return (node.type === 'image' || node.type === 'audio') && typeof node.data === 'string' ? node.data : null
}

/** First bytes of files, in hex. */
const magic: readonly (readonly [string, string])[] = [
  ['89504e47', 'png'],
  ['ffd8ff', 'jpeg'],
  ['47494638', 'gif'],
  ['25504446', 'pdf'],
  ['504b0304', 'zip'],
  ['1f8b', 'gzip'],
  ['52494646', 'riff'],
  ['494433', 'mp3'],
  ['7f454c46', 'elf'],
  ['4d5a', 'exe'],
]

function typeOfBytes(base64: string): string {
  const head = Buffer.from(base64.slice(0, 24), 'base64').toString('hex')
  return magic.find(([start]) => head.startsWith(start))?.[1] ?? 'unknown'
}
