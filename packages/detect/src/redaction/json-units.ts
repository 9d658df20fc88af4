/** Characters that JSON strings stand for, from JSON text in pieces of any length. Tested in link-state.test.ts. */
export interface JsonUnits {
  feed(text: string): void
}

export interface JsonUnitReader {
  /** A UTF-16 unit of a string, or of the syntax between strings. */
  unit(code: number): void
  /** A string begins or ends. */
  boundary(): void
}

const escapes: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 }

/** Begins outside of an escape sequence. */
export function createJsonUnits({ unit, boundary }: JsonUnitReader): JsonUnits {
  /** The escape sequence that is open, without its backslash. */
  let sequenceOpen: string | null = null
  const readEscape = (sequence: string): void => {
    if (sequence.startsWith('u') && sequence.length < 5) {
      sequenceOpen = sequence
      return
    }
    sequenceOpen = null
    const code = sequence.startsWith('u') ? Number.parseInt(sequence.slice(1), 16) : escapes[sequence]
    unit(code ?? sequence.charCodeAt(0))
  }
  return {
    feed: (text) => {
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at)
        if (sequenceOpen !== null) readEscape(sequenceOpen + text.charAt(at))
        else if (code === 92) sequenceOpen = ''
        else if (code === 34) boundary()
        else unit(code)
      }
    },
  }
}
