/** A `like` pattern for texts with this prefix, taken literally and in lower case. */
export function likePrefix(text: string): string {
  return `${text.toLowerCase().replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
}
