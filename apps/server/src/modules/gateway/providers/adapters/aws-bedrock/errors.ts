/** Meaning of Bedrock's errors, as an answer and inside a stream. Pure. Tested in bedrock.test.ts. */
import type { ErrorAnswer } from '../../adapter.ts'
import { faultOfStatus, retryAfterMs, type UpstreamFault } from '../../fault.ts'
import { messageInBody } from '../../said-error.ts'

/** Errors by name, where the name is more specific than its status, and their meaning inside a stream. */
const statusOfName: Readonly<Record<string, number>> = {
  accessdeniedexception: 403,
  expiredtokenexception: 403,
  incompletesignatureexception: 403,
  invalidsignatureexception: 403,
  missingauthenticationtokenexception: 403,
  unrecognizedclientexception: 403,
  validationexception: 400,
  resourcenotfoundexception: 404,
  modeltimeoutexception: 408,
  throttlingexception: 429,
  servicequotaexceededexception: 429,
  // Being loaded: the vendor asks to try again later.
  modelnotreadyexception: 429,
  // The model failed, not the request.
  modelerrorexception: 500,
  modelstreamerrorexception: 500,
  internalserverexception: 500,
  serviceunavailableexception: 503,
}

/** The fault an answer other than 2xx stands for. */
export function errorOf({ status, body, header }: ErrorAnswer): UpstreamFault {
  return faultOfStatus(statusOf(header('x-amzn-errortype')) ?? status, messageInBody(body), retryAfterMs(header))
}

/** An exception inside a stream is the HTTP error it stands for. */
export function faultOfException(name: string, body: string): UpstreamFault {
  return faultOfStatus(statusOf(name) ?? 500, messageInBody(body), null)
}

/** Names come with a namespace before or an address after them. */
function statusOf(name: string): number | null {
  const bare = name.replace(/^.*#/, '').replace(/:.*$/, '').toLowerCase()
  return Object.hasOwn(statusOfName, bare) ? (statusOfName[bare] ?? null) : null
}
