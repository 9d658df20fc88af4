/**
 * Splits text into its YAML documents, which are opened one by one in the room for files of strangers: one that is broken
 * must not take the others along. Pure. Tested in sigma.test.ts.
 */

/** Documents of one import. */
export const mostDocuments = 500

/** Lines of `---` separate documents, `...` ends one; empty or comment-only parts are not documents. */
export function splitDocuments(text: string): readonly string[] {
  const parts: string[][] = [[]]
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    if (/^(?:---|\.\.\.)(?:\s|$)/.test(line)) {
      const rest = line.slice(3).trim()
      parts.push(rest === '' || rest.startsWith('#') ? [] : [rest])
    } else parts.at(-1)?.push(line)
  }
  return parts.filter((lines) => lines.some(saysSomething)).map((lines) => lines.join('\n'))
}

function saysSomething(line: string): boolean {
  const text = line.trim()
  return text !== '' && !text.startsWith('#')
}
