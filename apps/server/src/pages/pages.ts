/**
 * Pages that work without scripts: the two places that links lead to, and the start page of a server without a console.
 * Tested in pages.test.ts.
 */
import type { Config } from '../kernel/config/load.ts'
import type { Surface, SurfaceAnswer } from '../kernel/http/surfaces.ts'
import type { IamServices } from '../modules/iam/services/iam-services.ts'
import type { PlatformServices } from '../modules/platform/services/platform-services.ts'
import { version } from '../version.ts'
import { assets } from './assets.ts'
import { contentPolicy, html, pageOf, problemPage } from './html.ts'
import { invitePages } from './invite.ts'
import { unsubscribePages } from './unsubscribe.ts'

/** Of the modules that have pages; a program may be without one. */
export interface PageServices {
  readonly iam?: IamServices | undefined
  readonly platform?: PlatformServices | undefined
}

/** @param console surfaces of the console, which has the start page; none where it was not built */
export function pages(
  config: Pick<Config, 'publicDocuments'>,
  { iam, platform }: PageServices,
  console: readonly Surface[],
): readonly Surface[] {
  const page = { contentPolicy, problemPage }
  const first = console.length > 0 ? console : [{ ...page, path: '/', answer: async () => start(config) }]
  return [
    ...first,
    { ...page, path: '/sso/complete', answer: async (call) => complete(call.query('code')) },
    { ...page, path: '/sso/trial', answer: async () => tried },
    ...(iam === undefined ? [] : invitePages(iam)),
    ...(platform === undefined ? [] : unsubscribePages(platform)),
    ...assets,
  ]
}

function start({ publicDocuments }: Pick<Config, 'publicDocuments'>): SurfaceAnswer {
  const documents = publicDocuments
    ? html`<li><a href="/openapi.json">The API</a> (OpenAPI 3.1), below <code>/api/v1</code></li>
<li><a href="/asyncapi.json">Its events</a> (AsyncAPI 3.0), on <code>/ws</code></li>`
    : html`<li>The API is below <code>/api/v1</code>, its events are on <code>/ws</code></li>`
  const body = html`<p>This is Parapet ${version}, a security and governance gateway between people, agents and language models.</p>
<ul>
${documents}
<li><a href="/invite">Accept an invitation</a></li>
<li><a href="/healthz">Whether it lives</a> and <a href="/readyz">whether it takes calls</a></li>
<li><a href="/.well-known/jwks.json">The keys that sign its tokens</a></li>
</ul>
<p>Tutorials, how-to pages and the reference are in the folder <code>docs</code> of the program; begin with <code>docs/tutorial/openai-client.md</code>.</p>`
  return pageOf({ title: 'Parapet', body })
}

/** As completed sign-ins have them; anything else was written by hand. */
const codeForm = /^[\w.~-]{16,512}$/

/** The code is worth nothing without the verifier, which the program has that began the sign-in. */
function complete(code: string | undefined): SurfaceAnswer {
  if (code === undefined || !codeForm.test(code)) {
    const body = html`<p role="alert">This address has no code of a sign-in. Begin the sign-in again.</p>`
    return pageOf({ title: 'Sign-in not completed', body, status: 422 })
  }
  const body = html`<p>Go back to the program in which you began to sign in. If it asks for a code, give it this one:</p>
<p><code>${code}</code></p>
<p>The code works once, for a minute, and only for that program: it sends the code with its verifier to <code>POST /api/v1/auth/sso/exchange</code>.</p>`
  return pageOf({ title: 'You are signed in at your provider', body })
}

const tried = pageOf({
  title: 'The trial is over',
  body: html`<p>Nobody was signed in. The administrator who began the trial sees what came of it.</p>`,
})
