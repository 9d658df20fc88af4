/**
 * Device cookies: they tell a browser that signed in before from strangers, whose guessing then slows down them and not
 * the owner (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). A cookie is valid for one address, has
 * its own count of failures, and is void after a hundred of them. It gives no access by itself. Tested in
 * device.test.ts.
 */
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import { emailKey } from '../directory/email-address.ts'
import { accountDigest, guardDigest } from './guard.ts'
import { lockAfter } from './guessing.ts'

const cookieName = '__Host-parapet-device'
const lifeSeconds = 180 * 86_400
const nonceBytes = 16

/** Where failures are counted: those of strangers together, those of a known browser apart. */
export interface Bucket {
  readonly known: boolean
  /** Digest of the guard whose waits must be obeyed. */
  readonly digest: string
  /** Digest of the guard that counts failures in a row. */
  rowDigest(tenantId: string): string
}

/** The bucket this request's failures belong to. */
export async function bucketOf(kernel: Kernel, request: RequestInfo, email: string): Promise<Bucket> {
  const nonce = knownNonce(kernel, request.header('cookie'), email)
  const strangers = {
    known: false,
    digest: guardDigest(kernel, email),
    rowDigest: (tenantId: string) => accountDigest(kernel, tenantId, email),
  }
  if (nonce === null) return strangers
  const device = `${nonce}/${emailKey(email)}`
  const rowDigest = kernel.platformKeys.mac('login-guard-device-row', device)
  const [row] = await kernel.db.read(
    platformTenant,
    sql<{ consecutive: number }>`select consecutive from iam_login_guard where digest = ${rowDigest}`,
  )
  if ((row?.consecutive ?? 0) >= lockAfter) return strangers
  return { known: true, digest: kernel.platformKeys.mac('login-guard-device', device), rowDigest: () => rowDigest }
}

/** A browser that signs in to one address. */
export interface Device {
  /** Identifies the device without revealing its cookie. */
  readonly id: string
  /** Set once it has signed in; `__Host-` binds it to this host, whatever its neighbors set. */
  readonly cookie: string
}

/** The browser by its cookie, or as a new one. */
export function deviceOf(kernel: Kernel, request: RequestInfo, email: string): Device {
  const nonce =
    knownNonce(kernel, request.header('cookie'), email) ??
    Buffer.from(kernel.random.bytes(nonceBytes)).toString('base64url')
  return { id: idOf(kernel, nonce), cookie: cookieOf(kernel, nonce, email) }
}

/** The id of a browser that shows a good cookie of the address. */
export function knownDeviceId(kernel: Kernel, request: RequestInfo, email: string): string | null {
  const nonce = knownNonce(kernel, request.header('cookie'), email)
  return nonce === null ? null : idOf(kernel, nonce)
}

const idOf = ({ platformKeys }: Kernel, nonce: string): string => platformKeys.mac('device-id', nonce)

function cookieOf(kernel: Kernel, nonce: string, email: string): string {
  const ends = Math.floor(kernel.clock.now() / 1000) + lifeSeconds
  const value = `${nonce}.${ends}.${sealOf(kernel, `${nonce}.${ends}`, email)}`
  return `${cookieName}=${value}; Path=/; Max-Age=${lifeSeconds}; Secure; HttpOnly; SameSite=Strict`
}

function knownNonce(kernel: Kernel, header: string | undefined, email: string): string | null {
  const value = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${cookieName}=`))
    ?.slice(cookieName.length + 1)
  const [, nonce = '', ends = '', seal = ''] = /^([\w-]{22})\.(\d{1,12})\.([\w-]{43})$/.exec(value ?? '') ?? []
  if (nonce === '' || Number(ends) * 1000 <= kernel.clock.now()) return null
  const { platformKeys } = kernel
  // Both sides are keyed digests, so where the comparison stops tells a forger nothing useful.
  const expected = platformKeys.mac('device-cookie', sealOf(kernel, `${nonce}.${ends}`, email))
  return expected === platformKeys.mac('device-cookie', seal) ? nonce : null
}

function sealOf({ platformKeys }: Kernel, body: string, email: string): string {
  return platformKeys.mac('device-cookie', `${body}.${emailKey(email)}`)
}
