/**
 * Takes out of an answer everything that a reader's program would fetch or open: images, links and HTML. Their words stay.
 * An answer is text; its links are made from our own records. Pure. Tested in verify.test.ts.
 */
const rules: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // Images and links, with the address or a reference behind them.
  [/!?\[([^\][]{0,300})\]\((?:[^()\s]|\([^()\s]*\)|\s){0,2000}\)/g, '$1'],
  [/!\[([^\][]{0,300})\]\[[^\][]{0,100}\]/g, '$1'],
  [/\[([^\][]{1,300})\]\[[^\][\d][^\][]{0,100}\]/g, '$1'],
  // Where references lead, automatic links and elements.
  [/^[ \t]{0,3}\[[^\][]{1,100}\]:[ \t]*\S.*$/gm, ''],
  [/<(?:https?|ftp|mailto|javascript|data):[^>\s]{0,2000}>/gi, ''],
  [
    /<\/?(?:a|img|iframe|object|embed|script|style|link|svg|form|input|video|audio|source|base|meta)\b[^>]{0,2000}>/gi,
    '',
  ],
  // Addresses that viewers make links of: the host stays readable, and is none any more.
  [/\b(?:https?|ftp):\/\/([^\s/?#<>"')\]]{1,200})[^\s<>"')\]]{0,2000}/gi, '$1 (link removed)'],
]

export const plainText = (answer: string): string =>
  rules.reduce((text, [pattern, replacement]) => text.replaceAll(pattern, replacement), answer)
