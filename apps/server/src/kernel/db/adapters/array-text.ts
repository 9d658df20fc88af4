/**
 * Reads PostgreSQL's text form of arrays, `{a,"b c",NULL,{…}}` with an optional `[1:2]=` prefix of bounds.
 * @throws SyntaxError when the text is no array
 */
export function parseArray(literal: string, parse: (text: string) => unknown): unknown[] {
  const start = literal.startsWith('[') ? literal.indexOf('=') + 1 : 0
  const reader: Reader = { literal, at: start, parse }
  const array = readArray(reader)
  if (reader.at !== literal.length) throw new SyntaxError(`Not an array: ${literal.slice(0, 60)}`)
  return array
}

interface Reader {
  readonly literal: string
  readonly parse: (text: string) => unknown
  at: number
}

function readArray(reader: Reader): unknown[] {
  const items: unknown[] = []
  if (reader.literal[reader.at] !== '{') throw new SyntaxError(`Not an array: ${reader.literal.slice(0, 60)}`)
  reader.at += 1
  if (reader.literal[reader.at] === '}') {
    reader.at += 1
    return items
  }
  for (;;) {
    items.push(readItem(reader))
    const next = reader.literal[reader.at]
    reader.at += 1
    if (next === '}') return items
    if (next !== ',') throw new SyntaxError(`Not an array: ${reader.literal.slice(0, 60)}`)
  }
}

function readItem(reader: Reader): unknown {
  const first = reader.literal[reader.at]
  if (first === '{') return readArray(reader)
  if (first === '"') return reader.parse(readQuoted(reader))
  const start = reader.at
  while (reader.at < reader.literal.length && !',}'.includes(reader.literal[reader.at] ?? '')) reader.at += 1
  const text = reader.literal.slice(start, reader.at)
  return text === 'NULL' ? null : reader.parse(text)
}

function readQuoted(reader: Reader): string {
  let text = ''
  reader.at += 1
  for (;;) {
    const char = reader.literal[reader.at]
    if (char === undefined) throw new SyntaxError(`Not an array: ${reader.literal.slice(0, 60)}`)
    reader.at += 1
    if (char === '"') return text
    if (char === '\\') {
      text += reader.literal[reader.at] ?? ''
      reader.at += 1
    } else {
      text += char
    }
  }
}
