// `x890`, `ext. 890`, `extension 890`, `poste 12`, `доб. 12`, `Durchwahl 12`, `#12`.
const extension =
  /[ ,;-]{0,2}(?:x|ext\.?|extn\.?|extension|poste|interno|int\.?|ramal|доб\.?|wew\.?|durchwahl|dw|#)[ :.]{0,2}\d{1,6}(?![\w])/iy

/** End of the number with its extension, at most 24 units further. */
export function extensionEnd(text: string, end: number): number {
  const tail = text.slice(end, end + 24)
  extension.lastIndex = 0
  const match = extension.exec(tail)
  return match ? end + match[0].length : end
}
