/** The text without invisible characters, and their number. */
export function withoutInvisible(text: string): { readonly shown: string; readonly hidden: number } {
  let hidden = 0
  const shown = text.replace(invisible, () => {
    hidden += 1
    return ''
  })
  return { shown, hidden }
}

/**
 * Zero-width space, word joiners, byte-order mark, bidi controls and tag characters. The zero-width joiner and
 * non-joiner stay: Persian, Indic scripts and emoji need them.
 */
const invisible = /[\u200B\u2060-\u2064\uFEFF\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu
export const mayBeInvisible = /[\u200B\u2060-\u2069\uFEFF\u202A-\u202E\uDB40]/
