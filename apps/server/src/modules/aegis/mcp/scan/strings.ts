/** Every text of a definition with its place. Pure. Tested in scan.test.ts. */
import { escapePointer } from '../../../../kernel/schema/json-pointer.ts'

export interface PlacedText {
  /** JSON Pointer. */
  readonly pointer: string
  readonly text: string
}

const mostTexts = 4_000
const mostCharacters = 400_000
/** A member name this long is a sentence and no name. */
const longName = 40

export interface Texts {
  readonly texts: readonly PlacedText[]
  /** Whether something went unread because there was too much. */
  readonly truncated: boolean
  readonly characters: number
}

/** Values, and member names that are long enough to be sentences, in the order of the document. */
export function textsOf(value: unknown): Texts {
  const texts: PlacedText[] = []
  let characters = 0
  let truncated = false
  const take = (pointer: string, text: string): void => {
    if (texts.length >= mostTexts || characters + text.length > mostCharacters) {
      truncated = true
      return
    }
    texts.push({ pointer, text })
    characters += text.length
  }
  const walk = (node: unknown, pointer: string): void => {
    if (typeof node === 'string') take(pointer, node)
    else if (Array.isArray(node)) for (const [index, item] of node.entries()) walk(item, `${pointer}/${index}`)
    else if (typeof node === 'object' && node !== null)
      for (const [name, member] of Object.entries(node)) {
        const at = `${pointer}/${escapePointer(name)}`
        if (name.length >= longName) take(at, name)
        walk(member, at)
      }
  }
  walk(value, '')
  return { texts, truncated, characters }
}
