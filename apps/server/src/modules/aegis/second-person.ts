/**
 * The two people it takes to let a whole tenant call models again. Promises that two credentials of one person are one
 * person and that a service account is none; who may end a switch at all is decided before. Tested through the gateway's
 * routes in kill-switches.test.ts.
 */
import type { Actor } from '../../kernel/access/actor.ts'
import { makeConfirmToken, readConfirmToken } from '../../kernel/auth/confirm-token.ts'
import type { Tx } from '../../kernel/db/port.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { KillSwitch } from './schemas.ts'

/** What is asked about the people of the transaction's tenant. */
export interface People {
  /** How many active people could end a switch of the whole tenant. */
  countAdministrators(tx: Tx): Promise<number>
  /** Whether the user is a person and no service account. */
  isPerson(tx: Tx, userId: string): Promise<boolean>
}

interface Parts {
  readonly kernel: Kernel
  readonly people: People
}

interface Asked {
  readonly row: KillSwitch
  readonly token: string | null
}

/** What is missing for the end of the switch: a second person, who needs the token; no token for who is no person. */
export async function missingPerson(
  parts: Parts,
  tx: Tx,
  actor: Actor,
  asked: Asked,
): Promise<{ readonly token: string | null } | null> {
  const person = await isPerson(parts, tx, actor)
  if (person && (await isSecond(parts, tx, actor, asked))) return null
  return { token: await askForSecondPerson(parts, tx, asked.row, person ? actor : null) }
}

/** A key speaks for its owner. Who acts here from another tenant is known by a session only. */
async function isPerson({ people }: Parts, tx: Tx, actor: Actor): Promise<boolean> {
  return actor.kind === 'user' || (actor.homeTenantId === tx.tenantId && (await people.isPerson(tx, actor.userId)))
}

/** Whether somebody else asked first. */
async function isSecond(parts: Parts, tx: Tx, actor: Actor, asked: Asked): Promise<boolean> {
  if (asked.token === null) return false
  const { clock, platformKeys } = parts.kernel
  const first = readConfirmToken(platformKeys, asked.token, {
    ...confirmableOf(tx, asked.row),
    nowMs: clock.now(),
  })
  if (first === null) return false
  // A tenant with a single administrator must still be able to end its own switch, after confirming once.
  return first.by !== actor.userId || (await parts.people.countAdministrators(tx)) <= 1
}

async function askForSecondPerson(parts: Parts, tx: Tx, row: KillSwitch, first: Actor | null): Promise<string | null> {
  await tx.audit('kill_switch.deactivate', {
    target: `kill_switch:${row.id}`,
    result: 'refused',
    reason: first === null ? 'only people may end this' : 'a second person has to confirm',
  })
  if (first === null) return null
  const { clock, platformKeys } = parts.kernel
  return makeConfirmToken(platformKeys, { ...confirmableOf(tx, row), by: first.userId }, clock.now())
}

function confirmableOf({ tenantId }: Tx, { id }: KillSwitch) {
  return { purpose: 'kill-switch-confirm', tenantId, subject: [id] } as const
}
