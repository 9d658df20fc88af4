/**
 * A window over the messages of one stream: the end of the earlier text is scanned again with the next, so that a
 * value that was cut in two is whole once. Tested in inspect.test.ts.
 */
export const windowLength = 512

export interface Window {
  /** The text to look at for this piece. */
  next(text: string): string
}

export function createWindow(): Window {
  let tail = ''
  return {
    next: (text) => {
      const joined = tail + text
      tail = joined.slice(-windowLength)
      return joined
    },
  }
}
