/**
 * Splits at runs of spaces and tabs into the given list, which is used again for each line.
 * @returns how many words there are, at most the length of the list; the last one has the rest of the line
 */
export function splitWords(line: string, words: string[], most: number): number {
  let count = 0
  let at = 0
  while (at < line.length && count < most) {
    while (at < line.length && isSpace(line.charCodeAt(at))) at += 1
    if (at >= line.length) break
    const start = at
    if (count === most - 1) at = line.length
    else while (at < line.length && !isSpace(line.charCodeAt(at))) at += 1
    words[count] = line.slice(start, at)
    count += 1
  }
  return count
}

/** Splits at single spaces or tabs; a value in quotation marks may hold them, with its own marks doubled or escaped. */
export function splitQuoted(line: string, words: string[]): number {
  let count = 0
  let at = 0
  while (at < line.length) {
    if (isSpace(line.charCodeAt(at))) {
      at += 1
      continue
    }
    const end = line.charCodeAt(at) === 0x22 ? endOfQuoted(line, at) : endOfWord(line, at)
    words[count] = line.charCodeAt(at) === 0x22 ? line.slice(at + 1, end - 1) : line.slice(at, end)
    count += 1
    at = end
  }
  return count
}

function endOfWord(line: string, start: number): number {
  let at = start
  while (at < line.length && !isSpace(line.charCodeAt(at))) at += 1
  return at
}

function endOfQuoted(line: string, start: number): number {
  for (let at = start + 1; at < line.length; at += 1) {
    const code = line.charCodeAt(at)
    if (code === 0x5c) at += 1
    else if (code === 0x22 && line.charCodeAt(at + 1) === 0x22) at += 1
    else if (code === 0x22) return at + 1
  }
  return line.length + 1
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09

/** A count of bytes; 0 where the log has none. Null for text that is no count. */
export function bytesOf(text: string | undefined): number | null {
  if (text === undefined || text === '-' || text === '') return 0
  const bytes = Number(text)
  return Number.isFinite(bytes) && bytes >= 0 ? bytes : null
}

/** A value that logs write as a dash where there is none. */
export const dashless = (text: string | undefined): string => (text === undefined || text === '-' ? '' : text)
