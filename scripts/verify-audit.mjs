/**
 * Verifies an audit log away from the installation that wrote it: an NDJSON export, signed checkpoints and the public
 * keys of the checkpoints are enough, with SHA-256, RFC 8785 and Ed25519. It gives the verdict that
 * `POST /api/v1/admin/audit-logs/verify` gives. Tested in apps/server/src/modules/admin/audit-log/offline.test.ts.
 *
 *   node scripts/verify-audit.mjs export.ndjson --keys keys.json --checkpoint 0000000000001000.note [--cut <size>.cut] [--from-head <hash>]
 *
 * `keys.json` is a list of `{ "kid", "x" }`, as `checkpoint_keys` of the verify answer. Without checkpoints a cut tail and
 * a chain that was rewritten as a whole do not show, and the answer says that none was used.
 * Ends with 0 when all is well, 1 when it is not, 2 when it cannot be told.
 */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import canonicalize from 'canonicalize'

const genesis = '0'.repeat(64)

/** Sealed members; the others of a line are its place in the chain, or for readers. */
const sealedMembers = [
  ...['tenant_id', 'id', 'at', 'actor_kind', 'user_id', 'key_id', 'role', 'home_tenant_id', 'action', 'target'],
  ...['before', 'after', 'reason', 'result', 'ip', 'user_agent', 'request_id', 'traceparent'],
]

const notePattern =
  /^((parapet\/audit(?:-cut)?)\/([0-9a-f-]{36})\n([1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n([0-9TZ:.-]{24})\n)\n\u2014 (\S{1,100}) ([A-Za-z0-9+/=]{1,200})\n?$/

/** SHA-256 over the 32 bytes of the previous hash and the canonical entry. */
function sealHash(prevHash, line) {
  const entry = Object.fromEntries(sealedMembers.map((name) => [name, line[name] ?? null]))
  for (const { salt, members } of line.personal ?? []) for (const pointer of members) commit(entry, salt, pointer)
  return createHash('sha256').update(prevHash, 'hex').update(canonicalize(entry), 'utf8').digest('hex')
}

/**
 * Puts the commitment back in the place of a value about a person: that is what was sealed, so that the value can be
 * erased. The lines of one who was erased come with the commitments themselves.
 */
function commit(entry, salt, pointer) {
  const path = pointer.split('/').slice(1)
  const steps = path.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const name = steps.pop()
  const holder = steps.reduce((value, step) => value?.[step], entry)
  if (typeof holder?.[name] !== 'string') return
  const hash = createHash('sha256').update(`${salt}${pointer}\n${holder[name]}`)
  holder[name] = `personal:${hash.digest('base64url')}`
}

/** @throws Error for a note that none of the keys has signed */
export function openNote(note, keys, origin = 'parapet/audit') {
  const [, text, kind, tenantId, size, head, , kid, line] = notePattern.exec(note) ?? []
  const key = keys.find((known) => known.kid === kid)
  const signature = Buffer.from(line ?? '', 'base64').subarray(-64)
  const signed = key !== undefined && kind === origin && verify(null, Buffer.from(text), publicKeyOf(key.x), signature)
  if (!signed) throw new Error('a checkpoint is not signed by any of the keys')
  return { tenantId, size: Number(size), hash: Buffer.from(head, 'base64').toString('hex') }
}

const publicKeyOf = (x) => createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })

/**
 * Walks the lines of an export in their order. One that is to be a part of a chain comes with `fromHead`, the hash of the
 * entry before it, or with the signed note of the `cut` behind which the log begins since its retention removed what was
 * before; else a missing beginning is a gap like any other.
 */
export async function verifyLines(lines, { checkpoints = [], cut = null, fromHead = null } = {}) {
  const witnesses = new Map()
  for (const { size, hash } of checkpoints) witnesses.set(size, (witnesses.get(size) ?? new Set()).add(hash))
  let head = cut === null ? null : { size: cut.size, hash: cut.hash }
  let checkpointUsed = null
  let entries = 0
  let withheld = 0
  const answer = (reason, seq) => ({
    ...{ verified: reason === null, entries, first_bad_seq: seq, reason },
    ...{ head, checkpoint_used: checkpointUsed, withheld },
  })
  const atCut = cut === null ? undefined : witnesses.get(cut.size)
  if (atCut !== undefined && (atCut.size > 1 || !atCut.has(cut.hash))) return answer('rewritten', cut.size)
  if (atCut !== undefined) checkpointUsed = cut.size
  for await (const text of lines) {
    if (text.trim() === '') continue
    const line = JSON.parse(text)
    if (cut !== null && cut.tenantId !== line.tenant_id) throw new Error('the cut is of another tenant than the export')
    if (checkpoints.some(({ tenantId }) => tenantId !== line.tenant_id))
      throw new Error('a checkpoint is of another tenant than the export')
    const { seq, prev_hash: prev, entry_hash: hash } = line
    const begins = head === null && fromHead !== null
    if (!begins && seq !== (head?.size ?? 0) + 1) return answer('gap', (head?.size ?? 0) + 1)
    if (prev !== (head?.hash ?? fromHead ?? genesis)) return answer('link', seq)
    // Of an entry whose values were not shown to whoever made the export only the link can be told.
    if (line.withheld) withheld += 1
    else if (sealHash(prev, line) !== hash) return answer('hash', seq)
    head = { size: seq, hash }
    entries += 1
    const known = witnesses.get(seq)
    if (known === undefined) continue
    if (known.size > 1 || !known.has(hash)) return answer('rewritten', seq)
    checkpointUsed = seq
  }
  const size = head?.size ?? 0
  return checkpoints.some((checkpoint) => checkpoint.size > size) ? answer('truncated', size + 1) : answer(null, null)
}

/** A folder stands for all notes in it. */
function notesAt(path, ending = '.note') {
  if (!statSync(path).isDirectory()) return ending === '.note' ? [path] : []
  return readdirSync(path)
    .filter((name) => name.endsWith(ending))
    .map((name) => join(path, name))
}

/** The newest of those that are named or lie in the folders of checkpoints. */
function cutOf({ cut, checkpoint }, keys) {
  const paths = [...cut, ...checkpoint.flatMap((path) => notesAt(path, '.cut'))]
  const cuts = paths.map((path) => openNote(readFileSync(path, 'utf8'), keys, 'parapet/audit-cut'))
  return cuts.sort((a, b) => b.size - a.size)[0] ?? null
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      keys: { type: 'string' },
      checkpoint: { type: 'string', multiple: true, default: [] },
      cut: { type: 'string', multiple: true, default: [] },
      'from-head': { type: 'string' },
    },
  })
  const [file] = positionals
  if (file === undefined) throw new Error('name the NDJSON export')
  const keys = values.keys === undefined ? [] : JSON.parse(readFileSync(values.keys, 'utf8'))
  const notes = values.checkpoint
    .flatMap((path) => notesAt(path))
    .map((path) => openNote(readFileSync(path, 'utf8'), keys))
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })
  const verdict = await verifyLines(lines, {
    checkpoints: notes,
    cut: cutOf(values, keys),
    fromHead: values['from-head'] ?? null,
  })
  process.stdout.write(`${JSON.stringify(verdict)}\n`)
  process.exitCode = verdict.verified ? 0 : 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  main().catch((error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 2
  })
}
