/**
 * Makes the files of a release out of a commit, and checks those of others.
 *
 *   node scripts/release.mjs make <folder> --key <private.pem> [--builder <uri>]
 *   node scripts/release.mjs verify <folder> --key <public.pem> [--reproduce]
 *
 * A release is the tracked sources (`.tar.gz`), the list of all packages in CycloneDX as npm gives it (`.cdx.json`) and a
 * signed statement (`.intoto.jsonl`: SLSA provenance in an in-toto statement in a DSSE envelope) of what both came from,
 * by their digests. From the commit the sources can be made again byte by byte (`--reproduce`). It needs no network.
 * Ends with 0, or with 1 and a line for each fault. Tested in apps/server/test/docs/release.test.ts.
 */
import { execFileSync } from 'node:child_process'
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const payloadType = 'application/vnd.in-toto+json'
const largest = 512 * 1024 * 1024

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')
/** Variables set by a git hook would lead git to another repository than the one of the folder. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
const run = (folder, program, ...args) =>
  execFileSync(program, args, { cwd: folder, env, maxBuffer: largest, stdio: ['ignore', 'pipe', 'pipe'] })

/** Sources of a release. @throws Error where the sources are not those of the commit */
export function sourceNow(from = root) {
  const git = (...args) =>
    run(from, 'git', ...args)
      .toString('utf8')
      .trim()
  const changed = git('status', '--porcelain')
  if (changed !== '') throw new Error(`The sources are not those of a commit:\n${changed}`)
  const { version } = JSON.parse(git('show', 'HEAD:package.json'))
  const time = new Date(Number(git('log', '-1', '--format=%ct')) * 1000).toISOString()
  return {
    commit: git('rev-parse', 'HEAD'),
    time,
    version,
    lock: sha256(run(from, 'git', 'show', 'HEAD:package-lock.json')),
  }
}

/** The tracked files of a commit; the same bytes wherever it is asked for. */
function sources(from, { commit, version }) {
  return run(from, 'git', 'archive', '--format=tar', `--prefix=parapet-${version}/`, commit)
}

function packed(tar) {
  const gz = gzipSync(tar, { level: 9 })
  // The byte that names the operating system.
  gz[9] = 255
  return gz
}

/**
 * npm's list, told apart from one of another day only by what is in it.
 * @param raw what `npm sbom --sbom-format cyclonedx` prints
 */
export function sbomOf(raw, { time, version, digest }) {
  const { metadata, ...list } = raw
  const uuid = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`
  // npm names the folder.
  const component = { ...metadata.component, type: 'application', name: 'parapet', version }
  return { ...list, serialNumber: `urn:uuid:${uuid}`, metadata: { ...metadata, timestamp: time, component } }
}

/** SLSA provenance 1.0 of files by name, in an in-toto statement 1.0. */
export function statementOf(files, { commit, time, version, lock, builder }) {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: Object.entries(files).map(([name, bytes]) => ({ name, digest: { sha256: sha256(bytes) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:parapet:release:1',
        externalParameters: { version },
        resolvedDependencies: [
          { name: 'sources', digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: lock } },
        ],
      },
      runDetails: { builder: { id: builder }, metadata: { startedOn: time } },
    },
  }
}

const keyId = (key) => sha256(key.export({ type: 'spki', format: 'der' }))

/** Signed bytes: no text can be taken for another type, or for another length. */
const authenticated = (payload) =>
  Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload])

/** @param key private Ed25519 key */
export function sealed(statement, key) {
  const payload = Buffer.from(JSON.stringify(statement))
  const sig = sign(null, authenticated(payload), key).toString('base64')
  return {
    payloadType,
    payload: payload.toString('base64'),
    signatures: [{ keyid: keyId(createPublicKey(key)), sig }],
  }
}

/** @param key public Ed25519 key @returns the statement, or null where it is not signed by this key */
export function opened(envelope, key) {
  const payload = Buffer.from(String(envelope?.payload ?? ''), 'base64')
  const signatures = Array.isArray(envelope?.signatures) ? envelope.signatures : []
  const good = signatures.some(({ sig }) =>
    verify(null, authenticated(payload), key, Buffer.from(String(sig), 'base64')),
  )
  return good && envelope.payloadType === payloadType ? JSON.parse(payload.toString('utf8')) : null
}

/** @throws Error for a key of another kind, or one that others may read */
function keyOf(path, read) {
  if (read === createPrivateKey && process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw new Error(`${path} may be read by others; run: chmod 600 ${path}`)
  const key = read(readFileSync(path))
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${path} holds no Ed25519 key`)
  return key
}

/** Writes the three files. @returns their names */
export function make(folder, { key, builder, from = root }) {
  const privateKey = keyOf(key, createPrivateKey)
  const source = sourceNow(from)
  const name = `parapet-${source.version}`
  const gz = packed(sources(from, source))
  const raw = JSON.parse(run(from, 'npm', 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only').toString('utf8'))
  const sbom = sbomOf(raw, { ...source, digest: sha256(gz) })
  const files = { [`${name}.tar.gz`]: gz, [`${name}.cdx.json`]: Buffer.from(`${JSON.stringify(sbom, null, 2)}\n`) }
  const proof = `${JSON.stringify(sealed(statementOf(files, { ...source, builder }), privateKey))}\n`
  mkdirSync(folder, { recursive: true })
  for (const [file, bytes] of Object.entries({ ...files, [`${name}.intoto.jsonl`]: proof }))
    writeFileSync(join(folder, file), bytes)
  return [...Object.keys(files), `${name}.intoto.jsonl`]
}

/** @returns what is wrong with the release in the folder; nothing where it is whole and signed by the key */
export function faultsIn(folder, { key, reproduce = false, from = root }) {
  const names = readdirSync(folder).sort()
  const proofs = names.filter((name) => name.endsWith('.intoto.jsonl'))
  if (proofs.length !== 1) return [`There are ${proofs.length} signed statements, not one.`]
  const [proof] = proofs
  const statement = statementIn(join(folder, proof), keyOf(key, createPublicKey))
  if (statement === null) return [`${proof} is not signed by this key.`]
  const { subject, predicate } = statement
  const told = new Map(subject.map(({ name, digest }) => [name, digest.sha256]))
  const wrong = [...told].flatMap(([name, digest]) => {
    if (!names.includes(name)) return [`${name} is missing.`]
    return sha256(readFileSync(join(folder, name))) === digest ? [] : [`${name} is not the file that was signed.`]
  })
  const strange = names.filter((name) => name !== proof && !told.has(name)).map((name) => `${name} is not signed.`)
  const faults = [...wrong, ...strange]
  return faults.length > 0 || !reproduce ? faults : unlikeSources(folder, { names, predicate, from })
}

function statementIn(path, key) {
  try {
    return opened(JSON.parse(readFileSync(path, 'utf8')), key)
  } catch {
    // No JSON is no statement either.
    return null
  }
}

/** Made again here from the commit that the statement names. */
function unlikeSources(folder, { names, predicate, from }) {
  const { externalParameters, resolvedDependencies } = predicate.buildDefinition
  const commit = resolvedDependencies.find(({ name }) => name === 'sources')?.digest.gitCommit ?? ''
  const archive = names.find((name) => name.endsWith('.tar.gz')) ?? ''
  const given = gunzipSync(readFileSync(join(folder, archive)), { maxOutputLength: largest })
  const same = sha256(given) === sha256(sources(from, { commit, version: externalParameters.version }))
  return same ? [] : [`${archive} does not hold the sources of ${commit}.`]
}

function main() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      key: { type: 'string' },
      builder: { type: 'string', default: 'urn:parapet:builder:local' },
      reproduce: { type: 'boolean', default: false },
    },
  })
  const [act, folder] = positionals
  if (!['make', 'verify'].includes(act) || folder === undefined || values.key === undefined)
    throw new Error('Usage: release.mjs make|verify <folder> --key <file>')
  if (act === 'make') console.log(make(folder, values).join('\n'))
  else {
    const faults = faultsIn(folder, values)
    for (const fault of faults) console.error(fault)
    if (faults.length === 0) console.log('The release is whole and signed by this key.')
    process.exitCode = faults.length === 0 ? 0 : 1
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
