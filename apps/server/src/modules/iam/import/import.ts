/**
 * Imports people from a table or a Keycloak realm, in one transaction: all of them, or with `skip_refused` all that are
 * valid, or none. An existing address is left unchanged, so the same document can be sent again. A dry run
 * reports the same and writes nothing. Tested in import.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { assertFreshSession } from '../../../kernel/auth/fresh.ts'
import { sha256 } from '../../../kernel/crypto/digest.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { errors } from '../errors/errors.ts'
import { invitationLifeMs } from '../invitations/invitations.ts'
import { assertRoomForPeople } from '../quotas/quotas.ts'
import type { IamServices } from '../services/iam-services.ts'
import { type Judged, judge } from './judge.ts'
import type { ImportedPerson } from './person.ts'
import { readPeople } from './read.ts'
import type { ImportedUser, ImportUsers, UserImportReport } from './schema.ts'
import { type MadePerson, statusOf, writePeople } from './write.ts'

export interface ImportWish {
  readonly actor: Actor
  readonly wish: ImportUsers
}

/** @throws API-001, AUTH-009, IAM-001, IAM-003, IAM-009, IAM-017 */
export async function importUsers(
  services: IamServices,
  tx: Tx,
  { actor, wish }: ImportWish,
): Promise<UserImportReport> {
  const { kernel } = services
  const { dry_run: dryRun = false, delivery = 'invite' } = wish
  if (!dryRun) assertFreshSession(actor, kernel.clock)
  const people = await peopleIn(kernel, wish)
  const judged = await judge(tx, { people, wish, grantor: actor, now: kernel.clock.iso() })
  const importId = kernel.random.uuid()
  if (!dryRun) assertGood(judged, wish)
  await assertRoom(services, tx, judged)
  const made = dryRun ? new Map() : await writePeople(services, tx, { importId, actor, delivery, judged })
  const counts = countsOf(judged)
  await tx.audit('iam.user.import', {
    target: `user_import:${importId}`,
    after: {
      format: wish.format,
      dry_run: dryRun,
      sha256: sha256(wish.document),
      counts,
    },
  })
  const invites = judged.some((one) => one.outcome === 'created' && statusOf(one, delivery) === 'invited')
  return {
    id: importId,
    format: wish.format,
    dry_run: dryRun,
    counts,
    invitation_expires_at: invites && !dryRun ? new Date(kernel.clock.now() + invitationLifeMs).toISOString() : null,
    rows: judged.map((one) => reported(services, { one, made: made.get(one) ?? null, delivery })),
  }
}

/** As long as a large document takes on a busy machine. */
const readLimitMs = 60_000

/** @throws API-009, IAM-017 */
async function peopleIn({ threads }: Kernel, { format, document }: ImportUsers): Promise<readonly ImportedPerson[]> {
  const read = await threads.run(readPeople, { format, document }, { limitMs: readLimitMs })
  if ('fault' in read) throw refusal(read.fault)
  return read.people
}

const refusal = (what: string) => errors.importRefused({ what }).at([{ detail: what, pointer: '/import/document' }])

const mostNamed = 100

/** @throws IAM-017 naming bad rows by line, and changing nothing */
function assertGood(judged: readonly Judged[], wish: ImportUsers): void {
  const bad = judged.filter(({ outcome }) => outcome === 'refused')
  if (bad.length === 0 || wish.skip_refused === true) return
  const what = `${bad.length} of ${judged.length} rows cannot be taken, so none was; skip_refused takes the others.`
  throw errors.importRefused({ what }).at(
    bad.slice(0, mostNamed).map(({ person, notes }) => ({
      detail: `Line ${person.line}: ${notes.join(' ')}`.slice(0, 500),
      pointer: '/import/document',
    })),
  )
}

/** @throws IAM-009 */
async function assertRoom({ kernel, seatLimit }: IamServices, tx: Tx, judged: readonly Judged[]): Promise<void> {
  const count = judged.filter(({ outcome, person }) => outcome === 'created' && person.enabled).length
  await assertRoomForPeople(tx, { count, now: kernel.clock.iso(), seats: seatLimit(tx.tenantId) })
}

function countsOf(judged: readonly Judged[]): UserImportReport['counts'] {
  const counts = { created: 0, exists: 0, skipped: 0, refused: 0 }
  for (const { outcome } of judged) counts[outcome] += 1
  return counts
}

interface Reporting {
  readonly one: Judged
  readonly made: MadePerson | null
  readonly delivery: NonNullable<ImportUsers['delivery']>
}

function reported({ kernel }: IamServices, { one, made, delivery }: Reporting): ImportedUser {
  const { person, outcome } = one
  const isMade = outcome === 'created'
  return {
    line: person.line,
    email: person.fields.email?.slice(0, 300) ?? null,
    outcome,
    user_id: made?.id ?? null,
    ...(isMade ? { status: statusOf(one, delivery) } : {}),
    roles: one.roles.map(({ name }) => name),
    password_taken_over: isMade && person.passwordHash !== null,
    notes: one.notes.slice(0, 20).map((note) => note.slice(0, 300)),
    ...(made?.token == null ? {} : { invitation_url: `${kernel.config.publicUrl}/invite#${made.token}` }),
  }
}
