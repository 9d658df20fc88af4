/**
 * Verifies the bundle of a completed assessment away from the installation that wrote it, with `node:crypto` alone: the
 * signature of the manifest, the digest of the sealed results, every link of the chain of evidence and every signature in
 * it, and the documents that come along. Tested in apps/server/src/modules/compliance/assessments/assessments.test.ts.
 *
 *   node scripts/verify-evidence.mjs bundle.json [--keys keys.json]
 *
 * `keys.json` is a list of `{ "kid", "x" }` that the auditor got in another way; without it the keys of the bundle are
 * used, which shows that nothing was changed after it was signed, and not by whom. Ends with 0 when all is well, 1 when it
 * is not, 2 when the file cannot be read.
 */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const genesis = '0'.repeat(64)

/** RFC 8785 for what the bundle holds: members by the code units of their names, numbers and texts as JSON.stringify. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)
  return `{${members.join(',')}}`
}

const sha256 = (data) => createHash('sha256').update(data).digest('hex')

function signatures(keys) {
  const known = new Map(
    keys.map(({ kid, x }) => [kid, createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })]),
  )
  return (kid, data, signature) =>
    known.has(kid) && verify(null, data, known.get(kid), Buffer.from(signature, 'base64url'))
}

/** Everything that is wrong with a bundle, in words; empty where all is well. */
export function faultsOf({ manifest, signature, keys, snapshot, chain, documents }, trusted = keys) {
  const isSigned = signatures(trusted)
  const faults = []
  if (!isSigned(signature.kid, Buffer.from(canonical(manifest)), signature.value))
    faults.push('The signature of the manifest is wrong.')
  if (sha256(canonical(snapshot)) !== manifest.snapshot_sha256)
    faults.push('The results are not those that were signed.')
  let hash = genesis
  for (const [index, { seq, record, prev_hash, hash: own, kid, signature: signed }] of chain.entries()) {
    const computed = createHash('sha256').update(hash, 'hex').update(canonical(record)).digest('hex')
    if (seq !== index + 1 || record.seq !== seq || prev_hash !== hash || own !== computed)
      faults.push(`Record ${index + 1} of the chain does not follow the one before it.`)
    if (!isSigned(kid, Buffer.from(own, 'hex'), signed)) faults.push(`The signature of record ${index + 1} is wrong.`)
    if (faults.length > 20) return faults
    hash = computed
  }
  if (chain.length !== manifest.chain_size || (chain.length > 0 && hash !== manifest.chain_head))
    faults.push('The end of the chain is not the one that was signed.')
  if (!chain.some(({ record }) => record.sha256 === manifest.snapshot_sha256))
    faults.push('The results are not sealed in the chain.')
  for (const [digest, text] of Object.entries(documents))
    if (sha256(text) !== digest) faults.push(`A document does not have the digest ${digest}.`)
  return faults
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options: { keys: { type: 'string' } } })
    const bundle = JSON.parse(readFileSync(positionals[0], 'utf8'))
    const trusted = values.keys === undefined ? undefined : JSON.parse(readFileSync(values.keys, 'utf8'))
    const faults = faultsOf(bundle, trusted)
    for (const fault of faults) console.error(fault)
    if (faults.length === 0)
      console.log(`All is well: ${bundle.chain.length} records, results ${bundle.manifest.snapshot_sha256}.`)
    process.exitCode = faults.length === 0 ? 0 : 1
  } catch (error) {
    console.error(`The bundle cannot be read: ${error.message}`)
    process.exitCode = 2
  }
}
