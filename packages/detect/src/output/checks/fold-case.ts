/** Lower case of the same length: only the capital dotted I grows in lower case, so it becomes a plain i. */
export const foldCase = (text: string): string =>
  (text.includes('\u0130') ? text.replaceAll('\u0130', 'i') : text).toLowerCase()
