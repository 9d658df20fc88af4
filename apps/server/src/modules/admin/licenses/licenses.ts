/**
 * Licenses of a tenant. The newest that was installed counts; without one the built-in license does. Promises that a
 * license refuses new seats at most: it ends no session, hides nothing and switches no protection off. Tested in
 * licenses.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { assertFresh } from '../../../kernel/auth/fresh.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import { create, hold, newRow, remove, resource } from '../../../kernel/resource/resource.ts'
import { errors } from '../errors/errors.ts'
import type { AdminServices } from '../services/admin-services.ts'
import { licenseInstalled } from './events.ts'
import type { License, LicenseClaims } from './schemas.ts'
import { licensesTopic } from './seats.ts'
import { distributorKeys } from './settings.ts'
import { builtin, standing } from './status.ts'
import { type LicenseRow, licenses } from './tables.ts'
import { type ReadLicense, readLicense } from './verify.ts'

const licenseResource = resource({ table: licenses, kind: 'license', announces: licensesTopic })

export interface LicenseList {
  readonly licenses: readonly License[]
  readonly active: License
  readonly seatsByDay: readonly { readonly day: string; readonly seats_used: number }[]
}

export async function listLicenses({ kernel, iam }: AdminServices, tx: Tx): Promise<LicenseList> {
  const used = await iam.countPeople(tx)
  const rows = await newestFirst(tx)
  const known = new Set(kernel.settings.get(distributorKeys, null).map((text) => text.slice(0, text.indexOf(':'))))
  const nowMs = kernel.clock.now()
  let isCovered = false
  const installed = rows.map((row) => {
    const status = !known.has(row.kid) ? 'invalid' : isCovered ? 'superseded' : standing(row, nowMs)
    isCovered ||= status !== 'invalid'
    return licenseOf(row, { status, used })
  })
  const own = builtinLicense(used, isCovered)
  const seatsByDay = await tx.query(
    sql<LicenseList['seatsByDay'][number]>`
      select to_char(day, 'YYYY-MM-DD') as day, seats_used from admin_license_day order by day desc limit 90`,
  )
  const active = installed.find(({ status }) => status !== 'invalid' && status !== 'superseded') ?? own
  return { licenses: [...installed, own], active, seatsByDay }
}

function newestFirst(tx: Tx): Promise<readonly LicenseRow[]> {
  return tx.query(
    sql<LicenseRow>`select ${licenses.columns} from admin_license order by created_at desc, id desc limit 200`,
  )
}

interface Facts {
  readonly status: License['status']
  readonly used: number
}

function claimsOf(claims: LicenseClaims): LicenseClaims {
  const { license_id, customer, plan, seats, entitlements, not_before, expires_at, grace_days } = claims
  return { license_id, customer, plan, seats, entitlements, not_before, expires_at, grace_days }
}

function licenseOf(row: LicenseRow, { status, used }: Facts): License {
  return {
    id: row.id,
    ...claimsOf(row),
    status,
    source: 'installed',
    usage: { seats_used: used, over: row.seats !== null && used > row.seats },
    installed_by: row.installed_by,
    created_at: row.created_at,
  }
}

function builtinLicense(used: number, isCovered: boolean): License {
  return {
    ...builtin,
    status: isCovered ? 'superseded' : 'active',
    source: 'builtin',
    usage: { seats_used: used, over: false },
    installed_by: null,
    created_at: null,
  }
}

/** Reads the license with the distributors' keys and the dates. @throws ADM-007 */
export async function admitLicense({ kernel }: AdminServices, jws: string): Promise<ReadLicense> {
  const read = await readLicense(jws, kernel.settings.get(distributorKeys, null))
  const nowMs = kernel.clock.now()
  if (nowMs < Date.parse(read.claims.not_before)) throw errors.licenseRefused({ why: 'it is not valid yet' })
  if (standing(read.claims, nowMs) !== 'active') throw errors.licenseRefused({ why: 'it has expired' })
  return read
}

export interface Installation {
  readonly jws: string
  readonly read: ReadLicense
  readonly actor: Actor
  readonly dryRun: boolean
}

/** @throws API-011 for a license that is installed already, AUTH-009 */
export async function installLicense(services: AdminServices, tx: Tx, installation: Installation): Promise<License> {
  const { kernel, iam } = services
  const { read, actor, jws, dryRun } = installation
  if (!dryRun) assertFresh(actor, kernel.clock)
  await tx.lock('admin_license', tx.tenantId)
  const same = await tx.first(sql`select id from admin_license where license_id = ${read.claims.license_id}`)
  if (same !== null) throw apiErrors.conflict({ what: 'This license is installed already.' })
  const row: LicenseRow = {
    ...newRow(kernel, tx),
    jws,
    kid: read.kid,
    ...claimsOf(read.claims),
    installed_by: actor.userId,
    warned_at: null,
    expiry_told_at: null,
  }
  if (!dryRun) await store(tx, row)
  return licenseOf(row, { status: 'active', used: await iam.countPeople(tx) })
}

/** The signed text is the claims once more. */
function logged(row: LicenseRow) {
  return { id: row.id, kid: row.kid, ...claimsOf(row) }
}

async function store(tx: Tx, row: LicenseRow): Promise<void> {
  const { id, license_id, plan, expires_at } = row
  await create(tx, licenseResource, row, { action: 'admin.license.install', after: logged })
  await tx.emit(licenseInstalled, id, { id, license_id, plan, expires_at })
}

export interface Removal {
  readonly id: string
  readonly actor: Actor
  readonly precondition: Precondition
}

/** @throws ADM-008, API-012, API-013, AUTH-009 */
export async function removeLicense(services: AdminServices, tx: Tx, { id, actor, precondition }: Removal) {
  if (id === builtin.id) throw errors.builtinLicense()
  const held = await hold(tx, licenseResource, { id, precondition })
  assertFresh(actor, services.kernel.clock)
  const removed = await remove(tx, held, { action: 'admin.license.remove', before: logged(held.row) })
  const { active } = await listLicenses(services, tx)
  return { ...removed, now_active: active.id }
}
