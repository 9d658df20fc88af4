/**
 * A file of SHA-1 digests in order, one a line in hexadecimal with anything after a colon: the form in which lists of
 * breached passwords are distributed. It is searched in place, by halving, so that a list of forty gigabytes costs
 * some forty small reads and no memory. Replacing the file needs a restart. Tested in hash-list.test.ts.
 */
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, read, readSync } from 'node:fs'

export interface HashList {
  /** Whether the text is on the list. @throws Error when the file cannot be read any more */
  has(text: string): Promise<boolean>
  close(): void
}

const digestLength = 40
const linePattern = /^([0-9A-Fa-f]{40})(?:$|[:\s])/
/** Longer than any line there is: 40 digits, a colon, a count, the end of the line. */
const longestLine = 256
/** Bytes that are read sequentially at the end of a search. */
const mostRead = 4 * longestLine
/** Lines looked at before the list is trusted to be in order. */
const samples = 64

/** @throws Error with words for the operator when the file is not such a list */
export function openHashList(path: string): HashList {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    assertOrdered(path, file, size)
    return {
      has: (text) => search(file, size, createHash('sha1').update(text).digest('hex').toUpperCase()),
      close: () => closeSync(file),
    }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

function assertOrdered(path: string, file: number, size: number): void {
  let before = ''
  for (let sample = 0; sample < samples; sample += 1) {
    const from = Math.floor((size * sample) / samples)
    const chunk = Buffer.alloc(2 * longestLine)
    const found = lineAt(chunk.subarray(0, readSync(file, chunk, 0, chunk.length, from)), from === 0)
    if (found === null && sample > 0) continue
    if (found === null || found.digest === null)
      throw new Error(`${path} is no list of SHA-1 digests: each line begins with 40 hexadecimal digits.`)
    if (found.digest < before) throw new Error(`${path} is not in order; sort it (LC_ALL=C sort -f).`)
    before = found.digest
  }
}

interface Line {
  /** Upper case; null for a line of another form. */
  readonly digest: string | null
  /** Where it begins in the chunk, and where the one after it does. */
  readonly start: number
  readonly next: number
}

/** The first whole line that begins in the chunk; null where none does. */
function lineAt(chunk: Buffer, fromStart: boolean): Line | null {
  const start = fromStart ? 0 : chunk.indexOf(10) + 1
  if ((start === 0 && !fromStart) || start + digestLength > chunk.length) return null
  const end = chunk.indexOf(10, start)
  const text = chunk.toString('latin1', start, end === -1 ? chunk.length : end)
  const digest = linePattern.exec(text)?.[1]?.toUpperCase() ?? null
  return { digest, start, next: end === -1 ? chunk.length : end + 1 }
}

/** Between `low`, where a line begins, and `high`, where a line begins or the file ends. */
async function search(file: number, size: number, wanted: string): Promise<boolean> {
  let [low, high] = [0, size]
  while (high - low > longestLine) {
    const middle = Math.floor((low + high) / 2)
    const found = lineAt(await readAt(file, middle, 2 * longestLine), false)
    // No line begins between the middle and the end: the rest is read through.
    if (found === null || middle + found.start >= high) break
    if (found.digest === null) {
      if (high - low <= mostRead) break
      throw new Error('the list of digests has a line of another form')
    }
    if (found.digest === wanted) return true
    if (found.digest < wanted) low = middle + found.next
    else high = middle + found.start
  }
  const rest = (await readAt(file, low, Math.min(high - low, mostRead))).toString('latin1')
  return rest.split('\n').some((line) => linePattern.exec(line)?.[1]?.toUpperCase() === wanted)
}

function readAt(file: number, position: number, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunk = Buffer.alloc(length)
    read(file, chunk, 0, length, position, (error, bytes) => {
      if (error === null) resolve(chunk.subarray(0, bytes))
      else reject(error)
    })
  })
}
