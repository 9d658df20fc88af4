/** For vendors that have no place for a text with a name: the text of a file, with its name before it. Tested in adapters.test.ts. */
import type { FilePart } from '../../call/call.ts'

export function textOfFile({ name, text }: Pick<FilePart, 'name' | 'text'>): string {
  return name === null ? (text ?? '') : `File: ${name}\n${text ?? ''}`
}
