import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

export interface Line {
  /** Counted from 1. */
  readonly number: number
  readonly text: string
}

/**
 * Lines of a UTF-8 file that are not blank, one at a time: memory does not grow with the file.
 * @throws when the file cannot be read.
 */
export async function* readLines(path: string): AsyncGenerator<Line> {
  const stream = createReadStream(path, 'utf8')
  // Iterating an interface swallows errors of its input, such as a missing file, so they are passed on by hand.
  let failure: Error | undefined
  stream.once('error', (error) => {
    failure = error
  })
  let number = 0
  for await (const text of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1
    if (text.trim() !== '') yield { number, text }
  }
  if (failure !== undefined) throw failure
}
