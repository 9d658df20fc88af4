/** A `like` pattern for what begins with the text, taken literally and in lower case. */
export function likePrefix(text: string): string {
  return `${text.toLowerCase().replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
}
