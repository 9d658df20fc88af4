/** What of a text a password is searched for; too little of it is not. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}]/gu, '')
}
