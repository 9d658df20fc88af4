const loneSurrogate = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

/** PostgreSQL text holds neither NUL nor half a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && !loneSurrogate.test(text)
}
