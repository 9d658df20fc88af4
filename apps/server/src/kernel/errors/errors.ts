import { ProblemError } from './problem.ts'

/** `[number, status, title, detail]`: one line of a module's catalogue. */
export type ErrorLine<A extends readonly unknown[]> = readonly [
  number: number,
  status: number,
  title: string,
  detail: (...params: A) => string,
]

export interface ErrorFactory<A extends readonly unknown[] = readonly never[]> {
  (...params: A): ProblemError
  readonly code: string
  readonly status: number
  readonly title: string
  /** The detail with its parameters as `{names}`: the general meaning of the code. */
  readonly meaning: string
}

/** The fixed part of an error, as routes list it and the catalogue pages show it. */
export type DeclaredError = Pick<ErrorFactory, 'code' | 'status' | 'title' | 'meaning'>

export type ErrorCatalogue = Readonly<Record<string, DeclaredError>>

type Factories<T> = { readonly [K in keyof T]: T[K] extends ErrorLine<infer A> ? ErrorFactory<A> : never }

/**
 * Declares a module's errors once; problem bodies, `/errors/<code>`, the reference and the OpenAPI answers derive from it.
 * @example const errors = defineErrors('RISK', { illegalMove: [3, 409, 'Illegal Move', (p: { from: string }) => `… ${p.from} …`] })
 */
// biome-ignore lint/suspicious/noExplicitAny: parameter lists are inferred per line and only `any` lets both sides vary.
export function defineErrors<const T extends Record<string, ErrorLine<any>>>(prefix: string, lines: T): Factories<T> {
  const factories = Object.entries(lines).map(([name, [number, status, title, detail]]) => {
    const code = `${prefix}-${String(number).padStart(3, '0')}`
    const factory = (...params: readonly unknown[]) => new ProblemError(code, status, title, detail(...params))
    return [name, Object.assign(factory, { code, status, title, meaning: meaningOf(detail, title) })] as const
  })
  return Object.fromEntries(factories) as Factories<T>
}

/** Reads a detail's text with a stand-in for its parameters; one that computes with them is explained by its title. */
function meaningOf(detail: (...params: readonly never[]) => string, title: string): string {
  try {
    const text = String(Reflect.apply(detail, undefined, [standIn('value')]))
    return /^\{\w+\}$/.test(text) ? title : text
  } catch {
    return title
  }
}

/** Stands for any value: its text is its name in braces, and every property of it is a stand-in again. */
function standIn(name: string): unknown {
  return new Proxy(() => undefined, {
    get: (_target, key) => {
      if (key === Symbol.toPrimitive) return () => `{${name}}`
      return typeof key === 'string'
        ? standIn(key === 'join' || key === 'map' || key === 'length' ? name : key)
        : undefined
    },
    apply: () => standIn(name),
  })
}

/** Cross-cutting errors; WebSocket frames use the 020 group. */
export const apiErrors = defineErrors('API', {
  validation: [1, 400, 'Validation Failed', (p: { what: string }) => p.what],
  malformedJson: [2, 400, 'Malformed JSON', (p: { what: string }) => p.what],
  badCursor: [3, 400, 'Bad Cursor', () => 'The cursor was not issued for this list, its filters and this tenant.'],
  noSuchRoute: [4, 404, 'No Such Route', () => 'There is nothing at this address.'],
  tooLarge: [5, 413, 'Body Too Large', (p: { limit: number }) => `The body is larger than ${p.limit} bytes.`],
  mediaType: [6, 415, 'Unsupported Media Type', (p: { expected: string }) => `Send ${p.expected}.`],
  rateLimited: [7, 429, 'Rate Limited', (p: { seconds: number }) => `Too many requests. Try again in ${p.seconds} s.`],
  internal: [
    8,
    500,
    'Internal Error',
    () => 'The request failed on our side. Quote the request id when you report it.',
  ],
  unavailable: [9, 503, 'Unavailable', (p: { what: string }) => p.what],
  method: [10, 405, 'Method Not Allowed', (p: { allow: string }) => `This address answers ${p.allow}.`],
  conflict: [11, 409, 'Conflict', (p: { what: string }) => p.what],
  preconditionFailed: [
    12,
    412,
    'Precondition Failed',
    () => 'The resource has changed since it was read. Read it again.',
  ],
  notFound: [13, 404, 'Not Found', (p: { what: string }) => `No such ${p.what}.`],
  headersTooLarge: [14, 431, 'Headers Too Large', () => 'The address and the headers are larger than 16 KiB.'],
  tooSlow: [15, 408, 'Request Timeout', () => 'The request did not arrive in time.'],
  addressTooLong: [16, 414, 'Address Too Long', () => 'The address is longer than 8 KiB.'],
  rangeNotSatisfiable: [17, 416, 'Range Not Satisfiable', (p: { bytes: number }) => `The file has ${p.bytes} bytes.`],
  contentEncoding: [
    18,
    415,
    'Unsupported Content Encoding',
    (p: { accepted: string }) => `Send the body as it is, or with the Content-Encoding ${p.accepted}.`,
  ],
  storageFull: [
    19,
    413,
    'Storage Full',
    () => 'The tenant may not store that much. Remove files, or have its quota `storage_mb` raised.',
  ],
  unknownMessage: [20, 400, 'Unknown Message Type', (p: { what: string }) => p.what],
  malformedFrame: [21, 400, 'Malformed Frame', (p: { what: string }) => p.what],
  unknownChannel: [22, 404, 'Unknown Channel', (p: { channel: string }) => `There is no channel ${p.channel}.`],
  tooMany: [23, 429, 'Too Many Channels or Connections', (p: { what: string }) => p.what],
  badResume: [24, 400, 'Bad Resume Position', () => 'The resume position is not an event id.'],
  authenticateFirst: [25, 401, 'Authenticate First', () => 'The first message must be of type authenticate.'],
  badCron: [30, 400, 'Bad Cron Expression', (p: { what: string }) => p.what],
  badTimeZone: [31, 400, 'Unknown Time Zone', (p: { what: string }) => p.what],
  onHold: [
    32,
    409,
    'Legal Hold',
    (p: { matter: string }) =>
      `This cannot be removed while the legal hold “${p.matter}” is in force. Release the hold first.`,
  ],
})

export const authErrors = defineErrors('AUTH', {
  missing: [1, 401, 'Credential Missing', () => 'Send an access token or an API key.'],
  invalid: [2, 401, 'Credential Invalid', () => 'The credential is not valid.'],
  expired: [3, 401, 'Credential Expired', () => 'The credential has expired.'],
  forbidden: [
    4,
    403,
    'Permission Missing',
    (p: { permission: string }) => `This needs the permission ${p.permission}.`,
  ],
  tenantMismatch: [5, 403, 'Tenant Mismatch', () => 'The X-Tenant-ID header names another tenant than the credential.'],
  mfaRequired: [6, 401, 'Second Factor Required', () => 'A second factor is needed to sign in.'],
  badLogin: [7, 401, 'Sign-in Refused', () => 'The e-mail address, password or code is not right.'],
  lockedOut: [
    8,
    429,
    'Too Many Attempts',
    (p: { seconds: number }) => `Too many attempts. Try again in ${p.seconds} s.`,
  ],
  stepUp: [9, 401, 'Fresh Authentication Needed', () => 'Confirm your identity again to do this.'],
  refreshReuse: [
    10,
    401,
    'Refresh Token Reused',
    () => 'This refresh token was used before. The session has been ended.',
  ],
  addressNotAllowed: [11, 403, 'Address Not Allowed', () => 'This may not be used from this network address.'],
  alreadySetUp: [12, 409, 'Already Set Up', () => 'This installation already has its first administrator.'],
  ssoRequired: [13, 403, 'Single Sign-On Required', () => 'This e-mail domain signs in through its identity provider.'],
  identityProviderFailed: [
    14,
    502,
    'Identity Provider Failed',
    () => 'The identity provider did not answer as expected.',
  ],
  assertionRefused: [15, 401, 'Assertion Refused', () => 'The sign-in assertion was refused.'],
  accountInactive: [
    18,
    403,
    'Account Not Active',
    () => 'The account on whose behalf this runs is suspended or gone, or its tenant is not active.',
  ],
  originNotAllowed: [17, 403, 'Origin Not Allowed', () => 'This browser origin may not open the event stream.'],
  tenantSuspended: [
    16,
    403,
    'Tenant Suspended',
    () => 'This tenant is suspended: its own data can be read and exported, nothing else.',
  ],
})
