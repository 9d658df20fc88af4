/** The cells of one line (RFC 4180); null where a quotation mark is not closed in it or stands inside of a cell. */
export function splitCells(line: string, delimiter: string): readonly string[] | null {
  if (!line.includes('"')) return line.split(delimiter)
  const cells: string[] = []
  let at = 0
  for (;;) {
    const isQuoted = line[at] === '"'
    const end = isQuoted ? endOfQuoted(line, at) : endOfPlain(line, at, delimiter)
    if (end === -1) return null
    cells.push(isQuoted ? line.slice(at + 1, end - 1).replaceAll('""', '"') : line.slice(at, end))
    if (end === line.length) return cells
    if (!line.startsWith(delimiter, end)) return null
    at = end + delimiter.length
  }
}

function endOfPlain(line: string, start: number, delimiter: string): number {
  const found = line.indexOf(delimiter, start)
  return found === -1 ? line.length : found
}

function endOfQuoted(line: string, start: number): number {
  for (let at = line.indexOf('"', start + 1); at !== -1; at = line.indexOf('"', at + 2)) {
    if (line[at + 1] !== '"') return at + 1
  }
  return -1
}
