/**
 * Verifies a file of a report away from the installation that made it, with `node:crypto` alone: its detached signature
 * (RFC 7797, Ed25519) over the bytes of the file. Tested in apps/server/src/modules/platform/reports/reports.test.ts.
 *
 *   node scripts/verify-report.mjs report.pdf --signature report.jws --keys export-keys.json
 *
 * `report.jws` holds the `signature` of the file, `export-keys.json` is what `GET /.well-known/export-keys.json` answers.
 * Ends with 0 when all is well, 1 when it is not, 2 when a file cannot be read.
 */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

/** Everything that is wrong, in words; empty where the key signed these bytes. */
export function faultsOf(bytes, signature, keys) {
  const [header = '', payload, signed = ''] = signature.trim().split('.')
  if (payload !== '') return ['The signature is no detached one: it has the form <header>..<signature>.']
  let told
  try {
    told = JSON.parse(Buffer.from(header, 'base64url').toString())
  } catch {
    return ['The header of the signature cannot be read.']
  }
  const { alg, b64, crit, kid } = told
  if (alg !== 'EdDSA' || b64 !== false || !Array.isArray(crit) || crit.join() !== 'b64')
    return ['The signature is of another kind: it has to be EdDSA over the bytes themselves (b64: false).']
  const key = keys.find((one) => one.kid === kid)
  if (key === undefined) return [`The key ${kid} is not among the given ones.`]
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: key.x } })
  const input = Buffer.concat([Buffer.from(`${header}.`), bytes])
  return verify(null, input, publicKey, Buffer.from(signed, 'base64url'))
    ? []
    : ['The file is not the one that was signed.']
}

function main() {
  const options = { signature: { type: 'string' }, keys: { type: 'string' } }
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [file] = positionals
  let read
  try {
    const { keys } = JSON.parse(readFileSync(values.keys, 'utf8'))
    read = { bytes: readFileSync(file), signature: readFileSync(values.signature, 'utf8'), keys }
  } catch (error) {
    console.error(`A file cannot be read: ${error.message}`)
    return 2
  }
  const faults = faultsOf(read.bytes, read.signature, read.keys)
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) return 1
  console.log(`Verified. SHA-256 ${createHash('sha256').update(read.bytes).digest('hex')}`)
  return 0
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = main()
