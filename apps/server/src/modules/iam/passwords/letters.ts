/** The letters of a text that passwords are searched for; texts with too few letters are skipped. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}]/gu, '')
}
