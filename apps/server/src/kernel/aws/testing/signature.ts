/** Signature Version 4 by its documentation, computed again for requests that a test's server received. */
import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')
const mac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

interface Expected {
  readonly id: string
  readonly secret: string
  readonly service: string
  /** Any, where it is not named. */
  readonly region?: string
}

export function isSignedBy(request: IncomingMessage, body: Buffer, { id, secret, service, region }: Expected): boolean {
  const url = new URL(request.url ?? '', `http://${request.headers.host}`)
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([a-z0-9]+)\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/
  const [, by, day = '', where = '', what = '', names = '', signature] =
    form.exec(request.headers.authorization ?? '') ?? []
  if (by !== id || what !== service || (region !== undefined && where !== region)) return false
  if (request.headers['x-amz-content-sha256'] !== sha256(body)) return false
  const encoded = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&')
  const headers = names
    .split(';')
    .map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`)
    .join('')
  const canonical = [request.method, url.pathname, query, headers, names, sha256(body)].join('\n')
  const scope = `${day}/${where}/${service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = mac(mac(mac(mac(`AWS4${secret}`, day), where), service), 'aws4_request')
  return mac(key, text).toString('hex') === signature
}
