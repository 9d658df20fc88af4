/** Parses data URLs (RFC 2397), in one place for all users. Pure. Tested in data-url.test.ts. */
export interface DataUrl {
  /** In lowercase and without its parameters; null if there is none. */
  readonly mime: string | null
  /** False if the address ends before the comma; the body is then empty. */
  readonly hasData: boolean
  readonly base64: boolean
  readonly body: string
}

/** Unregistered names that programs use for media types, and that vendors refuse, with the registered name. */
const registeredTypes: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/jfif': 'image/jpeg',
  'image/x-png': 'image/png',
  'audio/x-wav': 'audio/wav',
}

/** Null for an address of another kind. */
export function readDataUrl(url: string): DataUrl | null {
  if (!/^data:/i.test(url)) return null
  const comma = url.indexOf(',')
  const hasData = comma >= 0
  const [type = '', ...parameters] = url.slice('data:'.length, hasData ? comma : undefined).split(';')
  const mime = type.trim().toLowerCase()
  return {
    mime: mime === '' ? null : (registeredTypes[mime] ?? mime),
    hasData,
    base64: hasData && parameters.some((parameter) => parameter.trim().toLowerCase() === 'base64'),
    body: hasData ? url.slice(comma + 1) : '',
  }
}
