/** Test support: Signature Version 4 as its server computes it, written after the description and not with the library that signs. */
import { createHash, createHmac } from 'node:crypto'

export interface SignedRequest {
  readonly method: string
  /** As it came: path and query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

function escaped(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Everything but S3 escapes the path that is already escaped once more. */
function canonical({ method, target, headers, body }: SignedRequest, names: readonly string[]): string {
  const { pathname, searchParams } = new URL(target, 'http://x')
  const query = [...searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .toSorted()
    .join('&')
  const lines = names.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}\n`).join('')
  const path = pathname.split('/').map(escaped).join('/')
  return [method, path, query, lines, names.join(';'), sha256(body)].join('\n')
}

const form =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/[^/]+\/[^/]+\/aws4_request), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/

/** The signature's claims about the request, and whether the secret confirms them. */
export function checkSignature(request: SignedRequest, secret: string) {
  const [, id, scope, names, given] = form.exec(String(request.headers.authorization)) ?? []
  if (id === undefined || scope === undefined || names === undefined) return null
  const at = String(request.headers['x-amz-date'])
  const text = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical(request, names.split(';')))].join('\n')
  const key = scope.split('/').reduce<string | Buffer>((made, part) => hmac(made, part), `AWS4${secret}`)
  return { id, scope, signed: names.split(';'), valid: hmac(key, text).toString('hex') === given }
}
