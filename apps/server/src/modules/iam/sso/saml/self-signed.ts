/**
 * A key pair and the self-signed X.509 certificate that carries its public half in our SAML metadata. Identity providers
 * take the key out of it and judge nothing else, so it has no extensions; node:crypto signs, only the frame (DER, X.690)
 * is written here, because Node makes no certificates. Tested in ../sign-in/pure.test.ts with Node's own parser.
 */
import { generateKeyPair, sign } from 'node:crypto'
import { promisify } from 'node:util'

export interface SigningPair {
  /** PKCS #8, PEM. */
  readonly privateKey: string
  /** PEM. */
  readonly certificate: string
}

export interface CertificateFacts {
  readonly commonName: string
  /** 16 bytes. */
  readonly serial: Uint8Array
  /** Unix milliseconds. */
  readonly from: number
  readonly until: number
}

const makeKeys = promisify(generateKeyPair)

export async function makeSigningPair(facts: CertificateFacts): Promise<SigningPair> {
  const { privateKey, publicKey } = await makeKeys('rsa', { modulusLength: 2048 })
  const publicInfo = publicKey.export({ type: 'spki', format: 'der' })
  const body = tbsCertificate(facts, publicInfo)
  const signature = sign('sha256', body, privateKey)
  const certificate = sequence(body, sha256WithRsa, node(0x03, Buffer.from([0]), signature))
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: pem('CERTIFICATE', certificate),
  }
}

export function pem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

/** RFC 5280 section 4.1.2, version 3. */
function tbsCertificate({ commonName, serial, from, until }: CertificateFacts, publicInfo: Uint8Array): Buffer {
  const name = sequence(node(0x31, sequence(oid(2, 5, 4, 3), node(0x0c, Buffer.from(commonName, 'utf8')))))
  const version = node(0xa0, node(0x02, Buffer.from([2])))
  // A first byte of 1..127 keeps the number positive and its length minimal.
  const number = Buffer.from(serial)
  number[0] = ((number[0] ?? 0) & 0x7f) | 1
  return sequence(version, node(0x02, number), sha256WithRsa, name, sequence(time(from), time(until)), name, publicInfo)
}

function node(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.byteLength), content])
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => node(0x30, ...parts)

function lengthOf(bytes: number): Buffer {
  if (bytes < 0x80) return Buffer.from([bytes])
  const digits = bytes < 0x100 ? [bytes] : [bytes >> 8, bytes & 0xff]
  return Buffer.from([0x80 | digits.length, ...digits])
}

function oid(first: number, second: number, ...rest: readonly number[]): Buffer {
  const digits = rest.flatMap((arc) => {
    const groups = [arc & 0x7f]
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) groups.unshift((left & 0x7f) | 0x80)
    return groups
  })
  return node(0x06, Buffer.from([first * 40 + second, ...digits]))
}

/** GeneralizedTime from 2050 on, UTCTime before (RFC 5280 section 4.1.2.5). */
function time(ms: number): Buffer {
  const digits = `${new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`
  return digits >= '2050' ? node(0x18, Buffer.from(digits)) : node(0x17, Buffer.from(digits.slice(2)))
}

const sha256WithRsa = sequence(oid(1, 2, 840, 113_549, 1, 1, 11), node(0x05))
