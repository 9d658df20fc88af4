/**
 * Imports flags of another system: all that can be imported, in one transaction, with a report on each flag.
 * A flag whose key is there already is left as it is. Tested in flags.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { create } from '../../../kernel/resource/resource.ts'
import { lazyCheck } from '../../../kernel/schema/validators.ts'
import { errors } from '../errors/errors.ts'
import { type FlagKernel, flagResource, lockFlags, newFlag, tell } from './flags.ts'
import { type RefusedFlag, readFlagd } from './import/flagd.ts'
import type { Imported } from './import/imported.ts'
import { keyFor } from './import/key.ts'
import { readUnleash } from './import/unleash.ts'
import { flagProblems } from './judge.ts'
import {
  type FlagRow,
  FlagRow as FlagRowSchema,
  type ImportedFlag,
  type ImportReport,
  type ImportRequest,
} from './schemas/flags.ts'

const mostFlags = 5000
const check = lazyCheck(FlagRowSchema)

interface Candidate {
  readonly imported: Imported
  readonly row: FlagRow
  readonly outcome: ImportedFlag['outcome']
  readonly warnings: readonly string[]
}

/** @throws ADM-004 for a document without flags or with too many */
export async function importFlags(kernel: FlagKernel, tx: Tx, request: ImportRequest): Promise<ImportReport> {
  const { format, document, dry_run = false } = request
  const { flags: read, refused } =
    format === 'unleash' ? { flags: readUnleash(document), refused: [] } : readFlagd(document)
  if (read.length + refused.length === 0) throw unusable('The document holds no flags of this format.')
  if (read.length + refused.length > mostFlags) throw unusable(`The document holds more than ${mostFlags} flags.`)
  await lockFlags(tx)
  const taken = new Set((await tx.query(sql<{ key: string }>`select key from admin_flag`)).map(({ key }) => key))
  const candidates = read.map((imported) => candidateOf(kernel, tx, { imported, taken }))
  if (!dry_run) {
    for (const { row, outcome } of candidates) {
      if (outcome !== 'created') continue
      await create(tx, flagResource, row, { action: 'admin.flag.import' })
      await tell(tx, row, 'created')
    }
  }
  await tx.audit('admin.flag.import', {
    target: `feature_flags:${format}`,
    after: { dry_run, created: candidates.filter(({ outcome }) => outcome === 'created').length },
  })
  return {
    id: kernel.random.uuid(),
    format,
    dry_run,
    flags: [...candidates.map(reported), ...refused.map(refusal)],
  }
}

function unusable(what: string) {
  return errors.flagInvalid({ what }).at([{ detail: what, pointer: '/import/document' }])
}

interface Judging {
  readonly imported: Imported
  /** Keys that are there, and those this document has brought so far. */
  readonly taken: Set<string>
}

function candidateOf(kernel: FlagKernel, tx: Tx, { imported, taken }: Judging): Candidate {
  const { flag, name, description, warnings } = imported
  const about = { name: name.slice(0, 200), description: description?.slice(0, 1000) ?? null }
  const row = newFlag(kernel, tx, { ...flag, ...about, client_exposed: true })
  const wrong = [...check(row), ...flagProblems(row)].map(({ detail, pointer }) =>
    `${pointer}: ${detail}`.slice(0, 300),
  )
  const outcome = wrong.length > 0 ? 'refused' : taken.has(flag.key) ? 'exists' : 'created'
  if (outcome === 'created') taken.add(flag.key)
  return { imported, row, outcome, warnings: [...warnings, ...wrong] }
}

function reported({ imported, outcome, warnings }: Candidate): ImportedFlag {
  const { name, flag } = imported
  return { name: name.slice(0, 300), key: keyOrNone(flag.key), outcome, warnings: warnings.slice(0, 100).map(cut) }
}

function refusal({ name, why }: RefusedFlag): ImportedFlag {
  return { name: name.slice(0, 300), key: keyOrNone(keyFor(name)), outcome: 'refused', warnings: [cut(why)] }
}

function keyOrNone(key: string): string {
  return key === '' ? 'none' : key
}

function cut(text: string): string {
  return text.slice(0, 300)
}
