/**
 * Accepting an invitation in a browser, with or without scripts. The secret is what proves who is there, so a page of
 * another site gains nothing by posting the form; such posts are refused all the same. Promises that the secret is in no
 * address that is sent, and so in no log and no Referer. Tested in pages.test.ts.
 */
import { apiErrors } from '../kernel/errors/errors.ts'
import { ProblemError } from '../kernel/errors/problem.ts'
import type { Call } from '../kernel/http/call.ts'
import type { Surface, SurfaceAnswer } from '../kernel/http/surfaces.ts'
import { fits } from '../kernel/schema/fits.ts'
import { acceptInvitation } from '../modules/iam/invitations/invitations.ts'
import { AcceptInvitation } from '../modules/iam/schemas/auth.ts'
import type { IamServices } from '../modules/iam/services/iam-services.ts'
import { contentPolicy, html, type Markup, pageOf, problemPage } from './html.ts'

const path = '/invite'

export function invitePages(services: IamServices): readonly Surface[] {
  return [
    { path, contentPolicy, problemPage, answer: async () => form({ token: '', name: '', problem: null }) },
    {
      path,
      method: 'POST',
      rateClass: 'credential',
      contentPolicy,
      problemPage,
      answer: (call, _, fields) => accept(services, call, fields),
    },
  ]
}

interface Filled {
  readonly token: string
  readonly name: string
  readonly problem: ProblemError | null
}

function form({ token, name, problem }: Filled): SurfaceAnswer {
  const told: Markup = problem === null ? html`` : html`<p role="alert">${toldAs(problem)}</p>`
  const body = html`${told}
<p>Choose a password, and your account is active.</p>
<form method="post" action="${path}" autocomplete="off">
<label for="token">Invitation link, or the part behind its #</label>
<input id="token" name="token" required maxlength="2048" autocomplete="off" spellcheck="false" value="${token}">
<label for="display_name">Your name (optional)</label>
<input id="display_name" name="display_name" maxlength="200" autocomplete="name" value="${name}">
<label for="password">Password (15 characters or more; a passphrase is best)</label>
<input id="password" name="password" type="password" required maxlength="1024" autocomplete="new-password">
<button type="submit">Accept the invitation</button>
</form>`
  const status = problem?.status ?? 200
  return pageOf({ title: 'Accept an invitation', body, status, script: '/pages/invite.js' })
}

const toldAs = ({ title, message }: ProblemError): string => `${title}: ${message}`

async function accept(
  services: IamServices,
  call: Call,
  fields: Readonly<Record<string, string>>,
): Promise<SurfaceAnswer> {
  const { kernel } = services
  refuseOtherSites(call, kernel.config.publicUrl)
  const closed = kernel.gate.refuse({ module: 'iam', method: 'POST', path, ip: call.ip })
  if (closed !== null) throw closed
  const { token: given = '', password = '', display_name: name = '' } = fields
  const token = given.slice(given.lastIndexOf('#') + 1).trim()
  const body = { token, password, ...(name.trim() === '' ? {} : { display_name: name.trim() }) }
  try {
    if (!fits(AcceptInvitation, body))
      throw apiErrors.validation({ what: 'Fill in the invitation link and a password.' })
    const { email } = await acceptInvitation(services, { body, request: call })
    return pageOf({
      title: 'Your account is active',
      body: html`<p>You can sign in as <strong>${email}</strong> now.</p>`,
    })
  } catch (problem) {
    if (!(problem instanceof ProblemError)) throw problem
    call.errorCode = problem.code
    return form({ token, name, problem })
  }
}

/** Browsers say where a post comes from. @throws API-001 */
function refuseOtherSites(call: Call, publicUrl: string): void {
  const site = call.header('sec-fetch-site')
  const origin = call.header('origin')
  // Pages that send no Referer give no origin for a post either.
  const isOwn = site === undefined ? isOwnOrigin(origin, publicUrl) : site === 'same-origin'
  if (!isOwn)
    throw apiErrors.validation({ what: 'The form was sent from another site. Open the invitation link again.' })
}

const isOwnOrigin = (origin: string | undefined, publicUrl: string): boolean =>
  origin === undefined || origin === 'null' || origin === new URL(publicUrl).origin
